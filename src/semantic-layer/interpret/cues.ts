import { adjectives } from '../../lib/lexicon/adjectives.ts'
import type { Cue } from './terms.ts'

/** Phrases of business questions, by what they say. In lower case, variants separated by bars. */
const table: readonly (readonly [string, Cue])[] = [
  [
    'how many|number of|the number of|total number of|count of|counts of|count|no. of|nr of|# of|how many different|quantity of|volume of|how often|how many times|how frequently|number of times|headcount|a count of',
    { kind: 'count' },
  ],
  [
    'total|sum of|the sum of|sum|overall|altogether|in total|combined|total amount of|total sum of|all in all|in all|aggregate|grand total|add up to|adds up to|sum up to|amount to',
    { kind: 'aggregate', fn: 'sum' },
  ],
  [
    'average|avg|mean|on average|the average|typical|typically|avrg|in average|on avg',
    { kind: 'aggregate', fn: 'avg' },
  ],
  ['median|the median|middle value', { kind: 'aggregate', fn: 'median' }],
  [
    'by|per|broken down by|break down by|split by|split up by|divided by|grouped by|group by|by each|breakdown by|broken out by|break out by|segmented by|sliced by|split into|a breakdown by|depending on|according to',
    { kind: 'by' },
  ],
  [
    'each|for each|every|for every|in each|in every|of each|at each|from each|within each|across|for all|respective|per each|by every|each of our|each of the|at every|for each of our|all the different',
    { kind: 'each' },
  ],
  [
    'daily|by day|per day|each day|on which day|which day|on what day|what day|every day|day by day|a day|by date|per date|for each day|on each day',
    { kind: 'grain', grain: 'day' },
  ],
  [
    'weekly|by week|which week|what week|in which week|in what week|per week|each week|every week|week by week|a week|for each week|calendar week',
    { kind: 'grain', grain: 'week' },
  ],
  [
    'monthly|by month|which month|what month|in which month|in what month|per month|each month|every month|month by month|a month|for each month|by the month|per calendar month|by calendar month|in each month|months|month of|the month of|by the month of|month in which|the month in which|month when',
    { kind: 'grain', grain: 'month' },
  ],
  [
    'quarterly|by quarter|which quarter|what quarter|in which quarter|in what quarter|per quarter|each quarter|every quarter|quarter by quarter|for each quarter|a quarter|quarters',
    { kind: 'grain', grain: 'quarter' },
  ],
  [
    'yearly|annual|which year|what year|in which year|in what year|annually|by year|per year|each year|every year|year by year|for each year|a year|by calendar year|year of|the year of|by the year|by year of|year in which|the year in which|by the year in which|the year when',
    { kind: 'grain', grain: 'year' },
  ],
  ['daily active|dau', { kind: 'active-in', grain: 'day' }],
  ['weekly active|wau', { kind: 'active-in', grain: 'week' }],
  ['monthly active|mau', { kind: 'active-in', grain: 'month' }],
  [
    'over time|trend|trends|the trend of|trend of|development of|developed|evolution of|evolved|history of|over the months|timeline|over the course of',
    { kind: 'grain', grain: null },
  ],
  [
    'by weekday|weekday|weekdays|by day of week|by day of the week|day of the week|day of week|days of the week|per weekday|which weekday|on which weekdays|on which weekday|each weekday|by weekdays|on which days of the week|which day of the week',
    { kind: 'part', part: 'weekday' },
  ],
  [
    'by hour|by hour of day|by hour of the day|hour of the day|hour of day|per hour|time of day|at what time of day|at which hour|which hour|hourly|at what hour|by the hour|at what time|hours of the day|what time of day|in which hour|each hour',
    { kind: 'part', part: 'hour' },
  ],
  [
    'by month of the year|month of the year|seasonality|by calendar month name|which months of the year',
    { kind: 'part', part: 'month-of-year' },
  ],
  [
    "share|share of|the share of|percentage|percentage of|the percentage of|what percentage of|what percent of|percent of|% of|how many percent of|how many percent|proportion of|fraction of|portion of|what share of|what part of|contribution|contribution of|in percent|as a percentage|as percentage|mix|the mix of|in % of|distribution|distribution of|split of|the split of|what proportion of|what fraction of|percentage share|percentage share of|relative share|as a share of|as a percentage of|'s share of|how big a share|how large a share of",
    { kind: 'share' },
  ],
  ['rate|rates|ratio', { kind: 'rate' }],
  ['%|percent', { kind: 'percent' }],
  [
    'month over month|month-over-month|mom|month on month|monthly growth|from month to month|vs the month before|vs the previous month|versus the month before|versus the previous month|against the month before|against the previous month|compared to the month before|compared to the previous month|compared with the month before|compared with the previous month|than the month before|than the previous month',
    { kind: 'growth', lag: 'previous', grain: 'month' },
  ],
  [
    'quarter over quarter|qoq|quarter on quarter|quarterly growth|vs the quarter before|vs the previous quarter|versus the quarter before|versus the previous quarter|against the quarter before|against the previous quarter|compared to the quarter before|compared to the previous quarter|compared with the quarter before|compared with the previous quarter|than the quarter before|than the previous quarter',
    { kind: 'growth', lag: 'previous', grain: 'quarter' },
  ],
  [
    'week over week|wow|week on week|weekly growth|vs the week before|vs the previous week|versus the week before|versus the previous week|against the week before|against the previous week|compared to the week before|compared to the previous week|compared with the week before|compared with the previous week|than the week before|than the previous week',
    { kind: 'growth', lag: 'previous', grain: 'week' },
  ],
  [
    'day over day|dod|vs the day before|vs the previous day|versus the day before|versus the previous day|against the day before|against the previous day|compared to the day before|compared to the previous day|compared with the day before|compared with the previous day|than the day before|than the previous day',
    { kind: 'growth', lag: 'previous', grain: 'day' },
  ],
  [
    'year over year|yoy|year on year|yearly growth|annual growth|compared to the same period last year|versus the same period last year|same month last year|same month a year ago|the same month last year|the same month a year ago|same quarter last year|same quarter a year ago|the same quarter last year|the same quarter a year ago|same week last year|same week a year ago|the same week last year|the same week a year ago|same time last year|same time a year ago|the same time last year|the same time a year ago|the same period last year|versus the previous year|against the previous year|compared to a year ago|compared with a year ago|compared to the previous year|compared with the previous year|vs the previous year|same period last year|than a year ago|vs a year ago|versus a year ago|y/y',
    { kind: 'growth', lag: 'year', grain: null },
  ],
  [
    'how did we do|how have we done|how are we doing|how have we been doing|how is business|how is business doing|how is business going|how was business|how did business do|did we grow|have we grown|are we growing',
    { kind: 'growth', lag: null, grain: null, isBusiness: true },
  ],
  [
    'growth|growth of|up or down|going up or down|rising or falling|growing or shrinking|grow|grew|grown|growing|growth rate|growth in|increase|increased|increase in|increases|change|changed|change in|changes in|rise|rose|risen|decline|declined|decrease|decreased|drop|dropped|fall|fell|fallen|shrink|shrank|went up|went down|gone up|gone down|go up|go down|improve|improved|develop|compared to the previous period|vs the previous period|versus the previous period',
    { kind: 'growth', lag: null, grain: null },
  ],
  [
    'report to|reports to|reporting to|managed by|supervised by|works under|work under|led by',
    { kind: 'reports-to', isActive: false },
  ],
  ['supervise|supervises|manages|manage|leads|lead', { kind: 'reports-to', isActive: true }],
  [
    'running total|running total of|cumulative|cumulated|cumulatively|cumulative total|cumulative total of|running sum|running sum of|accumulated|accumulating|running count|running count of|running|cumulative sum|cumulative number of|adding up|added up over time',
    { kind: 'running' },
  ],
  [
    'moving average|rolling average|moving average of|rolling average of|rolling mean',
    { kind: 'moving-average', count: 3 },
  ],
  ['more|fewer|better|cheaper|higher|bigger|less|longer', { kind: 'compare' }],
  [
    'vs|versus|vs.|against|compared to|compared with|in comparison to|relative to|as opposed to|v.',
    { kind: 'versus' },
  ],
  [
    'compare|comparison of|comparison|difference between|the difference between|how does|side by side',
    { kind: 'compare' },
  ],
  [
    "not|never|without|no|none of|haven't|havent|hasn't|hasnt|didn't|didnt|don't|dont|doesn't|doesnt|isn't|isnt|aren't|arent|wasn't|wasnt|weren't|werent|have not|has not|did not|do not|does not|is not|are not|was not|were not|with no|have no|has no|had no|lack|lacking|lacks|not yet|never had|have never|has never|without any|not any|not a single|zero|nobody|not had|haven't had|hadn't|no longer|not been|never been|without a|without a single|don't have|doesn't have|do not have|does not have|didn't have|did not have|don't have a single|not have|never have|with zero|can't|cannot",
    { kind: 'not' },
  ],
  [
    'excluding|except|except for|other than|exclude|apart from|but not|leaving out|leave out|ignoring|ignore|not counting|not including|excl.|excl|minus|outside of|outside|besides',
    { kind: 'except' },
  ],
  [
    'more than|over|above|greater than|larger than|exceeding|exceed|exceeds|higher than|bigger than|upwards of|in excess of|beyond|>',
    { kind: 'operator', operator: '>' },
  ],
  [
    'at least|minimum of|a minimum of|no less than|not less than|no fewer than|>=|from',
    { kind: 'operator', operator: '>=' },
  ],
  ['less than|under|below|fewer than|smaller than|lower than|<', { kind: 'operator', operator: '<' }],
  [
    'at most|maximum of|no more than|not more than|up to|<=|a maximum of',
    { kind: 'operator', operator: '<=' },
  ],
  ['exactly|equal to|equals|precisely|=|just|only', { kind: 'operator', operator: '=' }],
  [
    'or more|or above|or higher|or better|and more|and above|or longer|plus',
    { kind: 'operator-after', operator: '>=' },
  ],
  ['or less|or fewer|or below|or lower|and below|or shorter', { kind: 'operator-after', operator: '<=' }],
  ['between', { kind: 'between' }],
  [
    'top|best|leading|the top|the best|best performing|top performing|strongest|best-performing|biggest|the biggest|largest|the largest|main',
    { kind: 'top', direction: 'desc' },
  ],
  [
    'bottom|worst|weakest|the worst|the bottom|worst performing|poorest|smallest|the smallest',
    { kind: 'top', direction: 'asc' },
  ],
  [
    'most|the most|highest|the highest|maximum|max|the maximum|most often|the most often|most frequently|greatest|the greatest|largest number of|the largest number of|highest number of|the highest number of',
    { kind: 'most', direction: 'desc', isEntity: false },
  ],
  [
    'busiest|the busiest|most common|most popular|most frequent|best selling|bestselling|best-selling|top selling|top-selling|most successful|most active|most important|most valuable|most used|hottest|the most popular|the most common|the most used|the most active|favorite',
    { kind: 'most', direction: 'desc', isEntity: true },
  ],
  [
    'least|the least|fewest|the fewest|lowest|the lowest|minimum|min|the minimum|least often|lowest number of|the lowest number of',
    { kind: 'most', direction: 'asc', isEntity: false },
  ],
  [
    'least popular|least common|least used|quietest|slowest selling|worst selling|the least popular|the least used|the quietest|least active',
    { kind: 'most', direction: 'asc', isEntity: true },
  ],
  ['now|currently|right now|at the moment|today|these days|as of now|at present', { kind: 'now' }],
  ['still with us|still here|still around|still with the company|still customers', { kind: 'still' }],
  ['at the end of|at end of|as of|as at|at the close of', { kind: 'as-of', edge: 'end' }],
  ['at the start of|at the beginning of|at start of', { kind: 'as-of', edge: 'start' }],
  ['than', { kind: 'than' }],
  ['used|used at all|anything|had anything|done anything', { kind: 'activity' }],
  ['did we see|we saw|have we seen|did we treat|we treated|been here|been in|been back', { kind: 'visit' }],
  [
    'how long|how much time|how long does it take|duration|duration of|time it takes|time between|days between|hours between|time from|days from|lead time|turnaround|turnaround time|time to|number of days between|days it takes|how many days|how many hours|how many minutes|how many days does it take|how many hours does it take|hours it takes|in days|in hours|in minutes|number of days|number of hours|delivery time|shipping time|resolution time|response time|reply time|approval time|payment time|completion time|processing time|handling time|waiting time|wait time|cycle time|service time|repair time|time spent|length of|length of stay|stay|how quickly|how fast|how soon|how late|how far in advance|in advance|how early|how long before|how many nights|number of nights|lasts|lasted|lasting|ahead|days ahead|days in advance|ahead of time|take longer|took longer|takes longer|taking longer|length|delay|delays|run longer|ran longer|ran for|time on|time on site|time until|time they take|time we take|time to restore|time to repair|time to fix|wait|waits|waited|waiting',
    { kind: 'duration' },
  ],
  ['nothing|nothing at all', { kind: 'nothing' }],
  ['bad|poor|negative|terrible|awful', { kind: 'rated', isGood: false }],
  ['good|great|positive|excellent', { kind: 'rated', isGood: true }],
  ['others|the others|the rest|everyone else|everybody else', { kind: 'others' }],
  ['cohort|cohorts|by cohort', { kind: 'cohort' }],
  ['first|their first|the first|first ever|initial|for the first time|first time', { kind: 'first' }],
  ['new|newly|fresh', { kind: 'new' }],
  ['repeat|returning|recurring|repeating|again|once more|a second time', { kind: 'repeat' }],
  ['where do|where are|where is|where did|where does|where were', { kind: 'where' }],
  [
    'who|whose|that|which|with|having|where|when|if|have|has|had|containing|including|include|includes|for which|in which|on which|of which|carrying|did|does|do|made by|made',
    { kind: 'condition' },
  ],
  [
    "which|what|what are|what is|what's|what was|what were|which one|which ones|whats|which of our|which of the|what do|what does|what did|in which|at which|on which|from which|for which|through which",
    { kind: 'which' },
  ],
  [
    "who|who are|who is|who's|whose|anyone who|everyone who|people who|who has|who have|who was|who were|whos",
    { kind: 'who' },
  ],
  [
    'list|show|display|give|give me|show me|tell me|get|find|list all|show all|list every|names of|name|all|see|a list of|the list of|list of|pull|pull up|print|fetch|provide',
    { kind: 'list' },
  ],
  ['how much|how much money|how much did|what amount|how much of', { kind: 'how-much' }],
  [
    'sorted by|ordered by|order by|sort by|ranked by|rank by|sort|sorted|ranked|rank|ranking|in order of|highest first|descending|ascending|alphabetically|lowest first|from highest to lowest',
    { kind: 'order' },
  ],
  [
    'and|,|&|as well as|along with|plus|and also|also|together with|with their|and their|with its|and how much|and how many',
    { kind: 'and' },
  ],
  ['or|either', { kind: 'or' }],
  [
    'in|for|from|at|on|during|within|to|into|through|via|out of|since|until|going by|by way of|coming from|located in|based in|living in|about|towards|inside|around|through a',
    { kind: 'in' },
  ],
  ["of|'s|’s|belonging to|among|amongst", { kind: 'of' }],
  [
    "is|are|was|were|be|been|being|'re|get|gets|got|come from|came from|comes from|goes to|go to|went to|comes through|came through|came in through|come in through|come in|come through|are made by|made up by",
    { kind: 'be' },
  ],
  ['missing|unknown|empty|not set|blank|null', { kind: 'missing' }],
  [
    'predict|forecast|prediction|projection|projected|expect|will be|going to be|next month|next quarter|next year|next week|tomorrow|in the future|estimate for next',
    { kind: 'unanswerable', why: 'forecast' },
  ],
  [
    'why|how come|reason for|reasons for|the reason|what caused|what is driving|what drives|because of what',
    { kind: 'unanswerable', why: 'cause' },
  ],
  [
    'should we|should i|do you think|what do you think|is it good|is that good|recommend|recommendation|worth it|advice|your opinion|better idea',
    { kind: 'unanswerable', why: 'opinion' },
  ],
  [
    "by how many percent|by what percentage|by what percent|by how much|euros|euro|eur|dollars|dollar|usd|their last day|his last day|her last day|before they|until they|before it|until it|before being|on our side|on our end|please|pls|me|us|the|a|an|our|my|your|their|its|his|her|i|we|you|they|it|them|can|could|would|will|there|any|some|so far|so|far|today's|actually|exactly|just|also|only|really|ever|ones|one|this|these|those|like|need|want|to know|know|wonder|wondering|curious|tell|quick|quickly|hi|hello|hey|thanks|thank|you|let|make|made|take|takes|taken|took|something|do|does|did|done|doing|have|has|had|been|see|look|looking|for me|for us|at all|all|everything|total of|different|distinct|unique|various|single|individual|anybody|anyone|somebody|someone|everybody|everyone|people|us|in terms of|when it comes to|with respect to|value|values|amount of|up|out|then|as|each other|both|already|still|yet|own|question|figures|figure|numbers|data|report|overview|breakdown|breakdown of|company|business|here|ok|okay|well|yes|same|time|times|period|kind|kinds|type of|sort of|entire|whole|full|complete|completely|across all|all time|of all time|to date|until now|ever since|put|worth|handle|handles|handled|run|ran|use|using|via|per|given|happen|happened|generate|generated|bring|brought|bring in|brought in|brings|brings in|come|came|come back|comes back|came back|go|went|going|register|registered|record|recorded|been doing|count them|in system|in our system|on file|on record|in the system|available|exist|existing|work|works",
    { kind: 'filler' },
  ],
]

/** Cues by the first word of their phrase. */
export const cuesByWord: ReadonlyMap<
  string,
  readonly { readonly words: readonly string[]; readonly cue: Cue }[]
> = (() => {
  const byFirst = new Map<string, { words: readonly string[]; cue: Cue }[]>()
  const add = (phrase: string, cue: Cue): void => {
    const words = phrase.split(' ').filter(Boolean)
    const [first] = words
    if (first === undefined) return
    // The first token of "longest-serving" is "longest".
    const token = first.split('-')[0] || first
    byFirst.set(token, [...(byFirst.get(token) ?? []), { words, cue }])
  }
  for (const [phrases, cue] of table) for (const phrase of phrases.split('|')) add(phrase, cue)
  for (const adjective of adjectives) {
    const { comparative, superlative } = adjective.forms
    const said = byFirst
      .get(superlative ?? '')
      ?.find(({ words, cue }) => words.length === 1 && cue.kind === 'top')
    const own = adjective.more.length > 0 || adjective.less.length === 0 ? 'desc' : 'asc'
    const direction = said?.cue.kind === 'top' ? said.cue.direction : own
    if (superlative)
      for (const phrase of [superlative, `the ${superlative}`]) {
        add(phrase, { kind: 'superlative', direction, adjective })
        // "Which suppliers take the longest".
        if (adjective.forms.base === 'long' || adjective.forms.base === 'short')
          for (const verb of ['take', 'takes', 'took', 'taking'])
            add(`${verb} ${phrase}`, { kind: 'superlative', direction, adjective })
      }
    if (comparative) add(`${comparative} than`, { kind: 'comparative', adjective })
    if (comparative) add(comparative, { kind: 'comparative', adjective })
  }
  return byFirst
})()

/** A percentile in words: `p95`, `90th percentile`. */
export const percentilePattern = /\b(?:p(\d{2})|(\d{1,2})(?:st|nd|rd|th)?[- ]percentile)\b/i
