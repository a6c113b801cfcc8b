import { type Adjective, adjectives } from '../lib/lexicon/adjectives.ts'
import { stemWord } from '../lib/stem-word.ts'
import type { DateUnit } from '../sql/tree/query-tree.ts'

export type SortDirection = 'asc' | 'desc'

export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>='

/** What a word of everyday English says about the shape of a query. */
export type Cue =
  | { readonly kind: 'count' }
  | { readonly kind: 'aggregate'; readonly fn: Exclude<AggregateFunction, 'count'> }
  /** `manner` says what is ranked: a column, how many rows of a thing there are, or how often a value occurs. */
  | {
      readonly kind: 'superlative'
      readonly direction: SortDirection
      readonly adjective: Adjective | null
      readonly manner: 'column' | 'most' | 'frequency'
    }
  | {
      readonly kind: 'compare'
      readonly operator: CompareOperator
      readonly adjective: Adjective | null
    }
  /** A comparison that follows its number: "10 or more". */
  | { readonly kind: 'compare-after'; readonly operator: CompareOperator }
  | { readonly kind: 'between' }
  | { readonly kind: 'not' }
  | { readonly kind: 'each' }
  | { readonly kind: 'by' }
  | { readonly kind: 'unit'; readonly unit: DateUnit }
  | { readonly kind: 'order'; readonly direction: SortDirection | null }
  | { readonly kind: 'direction'; readonly direction: SortDirection }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'and' }
  | { readonly kind: 'or' }
  | { readonly kind: 'both' }
  | { readonly kind: 'except' }
  | { readonly kind: 'matches'; readonly place: 'anywhere' | 'start' | 'end' }
  | { readonly kind: 'condition' }
  | { readonly kind: 'request' }
  | { readonly kind: 'everything' }
  | { readonly kind: 'missing'; readonly negated: boolean }
  | { readonly kind: 'top' }
  /** "How old": asks for what the adjective measures. */
  | { readonly kind: 'measure'; readonly adjective: Adjective }
  /** "Years old": says what the numbers before it measure. */
  | { readonly kind: 'measured'; readonly adjective: Adjective }

/** Phrases (folded words between spaces, alternatives between bars) and what they say. The longest match wins. */
const phraseTable: readonly (readonly [string, Cue])[] = [
  [
    'how many|number of|the number of|numbers of|count|count of|count the number of|total number of|total count of|amount of|how often|how many times|number of times|times',
    { kind: 'count' },
  ],
  ['average|mean|avg|averages|on average|average of|typical', { kind: 'aggregate', fn: 'avg' }],
  [
    'total|sum|sum of|total of|in total|overall|combined|how much|total amount of|altogether',
    { kind: 'aggregate', fn: 'sum' },
  ],
  ['maximum|max|maximal', { kind: 'aggregate', fn: 'max' }],
  ['minimum|min|minimal', { kind: 'aggregate', fn: 'min' }],
  ['highest|largest|greatest|biggest|longest|latest|oldest|most recent', { kind: 'aggregate', fn: 'max' }],
  ['lowest|smallest|shortest|earliest|fewest|cheapest|youngest', { kind: 'aggregate', fn: 'min' }],
  [
    'maximum|max|highest|largest|greatest|biggest|top|maximal|highest number of|largest number of|greatest number of',
    { kind: 'superlative', direction: 'desc', adjective: null, manner: 'column' },
  ],
  [
    'minimum|min|lowest|smallest|minimal|bottom|fewest|least',
    { kind: 'superlative', direction: 'asc', adjective: null, manner: 'column' },
  ],
  [
    'most|the most|most number of|the most number of|largest number of|highest number of|greatest number of|biggest number of|maximum number of|largest amount of|greatest amount of|maximum amount of|most amount of|largest count of|highest count of|most often|most times|most frequently|the most times|most active|busiest',
    { kind: 'superlative', direction: 'desc', adjective: null, manner: 'most' },
  ],
  [
    'least|the least|fewest|fewest number of|least number of|lowest number of|smallest number of|minimum number of|smallest amount of|lowest count of|least often',
    { kind: 'superlative', direction: 'asc', adjective: null, manner: 'most' },
  ],
  [
    'most common|most frequent|most popular|most frequently used|most commonly used|most used|most often used|most prevalent|most frequently|most commonly|most widely used|most famous',
    { kind: 'superlative', direction: 'desc', adjective: null, manner: 'frequency' },
  ],
  [
    'least common|least frequent|least popular|least frequently used|least commonly used|least used|least famous|rarest',
    { kind: 'superlative', direction: 'asc', adjective: null, manner: 'frequency' },
  ],
  [
    'more than|greater than|over|above|larger than|higher than|bigger than|exceeding|exceeds|exceed|exceeded|in excess of|beyond|greater|larger|higher|> |>|longer than|better than|after|later than|started after|more',
    { kind: 'compare', operator: '>', adjective: null },
  ],
  [
    'less than|fewer than|under|below|smaller than|lower than|shorter than|beneath|fewer|smaller|lower|less|<|before|earlier than|worse than|prior to|cheaper than',
    { kind: 'compare', operator: '<', adjective: null },
  ],
  [
    'at least|no less than|not less than|no fewer than|not fewer than|minimum of|a minimum of|>=|since|from at least|starting from|not below|no lower than|greater than or equal to|more than or equal to|equal to or greater than|equal or greater than|larger than or equal to',
    { kind: 'compare', operator: '>=', adjective: null },
  ],
  [
    'at most|no more than|not more than|up to|maximum of|a maximum of|<=|no greater than|not exceeding|not above|less than or equal to|equal to or less than|smaller than or equal to|until',
    { kind: 'compare', operator: '<=', adjective: null },
  ],
  [
    'equal to|equals|equal|exactly|is exactly|=|the same as|same as',
    { kind: 'compare', operator: '=', adjective: null },
  ],
  [
    'not equal to|other than|different from|<>|!=|is not|are not|was not|were not|differs from|differ from|not',
    { kind: 'compare', operator: '<>', adjective: null },
  ],
  [
    'or more|and more|or above|and above|or higher|or greater|or over|and over|or older|or later|or longer|or better|and up',
    { kind: 'compare-after', operator: '>=' },
  ],
  [
    'or less|or fewer|or below|and below|or lower|or under|and under|or younger|or earlier|or shorter',
    { kind: 'compare-after', operator: '<=' },
  ],
  ['between|ranging from|in the range of|in the range|range from', { kind: 'between' }],
  [
    "not|no|never|without|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|haven't|hasn't|hadn't|cannot|can't|do not|does not|did not|not any|do not have any|does not have any|did not have any|don't have any|have no|has no|had no|with no|have not|has not|had not|have never|has never|do not have|does not have|did not have|not have|lack|lacks|lacking|neither|nor|none|not in|zero|excluding|not been|never been|not yet|didnt|doesnt|dont|havent|hasnt|isnt|arent|wasnt",
    { kind: 'not' },
  ],
  [
    'each|for each|per|for every|every|in each|of each|by each|from each|to each|with each|at each|on each|for different|across each|each of the|grouped by|group by|for all the different|broken down by|split by|in every|of every|each different|each distinct|for each of the|for each different|respectively for each|within each',
    { kind: 'each' },
  ],
  ['by', { kind: 'by' }],
  [
    'by day|per day|each day|for each day|by date|daily|every day|per date|for each date',
    { kind: 'unit', unit: 'day' },
  ],
  [
    'by week|per week|each week|for each week|weekly|every week|week over week',
    { kind: 'unit', unit: 'week' },
  ],
  [
    'by month|per month|each month|for each month|monthly|every month|month over month',
    { kind: 'unit', unit: 'month' },
  ],
  [
    'by quarter|per quarter|each quarter|for each quarter|quarterly|every quarter',
    { kind: 'unit', unit: 'quarter' },
  ],
  [
    'by year|per year|each year|for each year|yearly|annually|every year|annual|year over year',
    { kind: 'unit', unit: 'year' },
  ],
  [
    'ordered by|sorted by|order by|sort by|sorted|ordered|order|sort|in order of|in the order of|listed by|ranked by|ranked|arranged by|order them by|sort them by|ordered in|sorted in|in the order|listed in order of|order of|sort the list by|sort the results by|order the results by|sorted according to|ordered according to|according to|listed in|in order',
    { kind: 'order', direction: null },
  ],
  [
    'descending order of|in descending order of|in a descending order of|in the descending order of|in decreasing order of|decreasing order of|in descending order by|descending by|from the highest to the lowest',
    { kind: 'order', direction: 'desc' },
  ],
  [
    'ascending order of|in ascending order of|in an ascending order of|in the ascending order of|in increasing order of|in alphabetical order of|in lexicographic order of|in lexicographical order of|alphabetical order of|in ascending alphabetical order of|increasing order of|in ascending order by|ascending by|alphabetically by|in lexicographical order by|in chronological order of',
    { kind: 'order', direction: 'asc' },
  ],
  [
    'descending|reverse alphabetical order|in reverse lexicographical order|in reverse alphabetical|in descending order|descending order|decreasing|in decreasing order|desc|from high to low|from highest to lowest|from most to least|from largest to smallest|in reverse alphabetical order|in reverse order|from oldest to youngest|from the most to the least|from the oldest to the youngest|from latest to earliest|in descending alphabetical order|most first|highest first|largest first|newest first|latest first|from the highest to the lowest|starting with the most recent|reverse',
    { kind: 'direction', direction: 'desc' },
  ],
  [
    'ascending|in ascending order|ascending order|increasing|in increasing order|asc|from low to high|from lowest to highest|from least to most|from smallest to largest|alphabetically|in alphabetical order|alphabetical order|alphabetic order|in alphabetic order|in lexicographic order|in lexicographical order|lexicographically|lexicographical order|in ascending alphabetical order|alphabetical|chronologically|in chronological order|from youngest to oldest|from earliest to latest|from the earliest to the latest|from youngest|lowest first|oldest first|from the youngest to the oldest',
    { kind: 'direction', direction: 'asc' },
  ],
  ['different|distinct|unique|unduplicated|distinctive', { kind: 'distinct' }],
  [
    'and|,|&|either|but also|but|as well as|along with|together with|and also|plus|and the|also',
    { kind: 'and' },
  ],
  ['or', { kind: 'or' }],
  ['both|not only', { kind: 'both' }],
  [
    'but not|but do not|but does not|but did not|but have not|but has not|but never|but have never|but has never|and not|except|except for|excluding|but are not|but is not|but not in|but had not|and do not|and did not|but who are not|but no|but not any',
    { kind: 'except' },
  ],
  [
    'contains|contain|containing|including|include|includes|has the word|with the word|have the word|has the substring|contains the substring|contains the word|contain the word|containing the word|contain the substring|contains the letter|contain the letter|has the letter|has the phrase|with the letter|substring|the word|like|have the substring|includes the substring|includes the word|include the word|with the substring|contains the phrase|in its name|in their name',
    { kind: 'matches', place: 'anywhere' },
  ],
  [
    'starts with|start with|starting with|begins with|begin with|beginning with|start with the letter|starts with the letter|starting with the letter|begins with the letter|begin with the letter|beginning with the letter|with prefix|with the prefix|prefixed by|has the prefix|have the prefix|prefix|starting with letter|start with letter|begin with letter|starts with letter|begins with letter',
    { kind: 'matches', place: 'start' },
  ],
  [
    'ends with|end with|ending with|end in|ends in|ending in|with suffix|with the suffix|ends with the letter|end with the letter|ending with the letter|end with letter|ends with letter|suffix',
    { kind: 'matches', place: 'end' },
  ],
  [
    'whose|that|who|with|where|having|have|has|had|which|when|that have|that has|who have|who has|who had|that had|which have|which has|in which|for which|on which|from which|to which|named|called|titled|if|only|while',
    { kind: 'condition' },
  ],
  [
    'show|list|find|give|tell|return|what|which|display|get|what is|what are|what was|what were|who|how much|give me|show me|tell me|find out|provide|present|report|compute|calculate|determine|select|retrieve|identify|name the|when|where|whose|who is|who are|sort|order|rank|count',
    { kind: 'request' },
  ],
  [
    'everything|all the information|all information|all details|all the details|full details|complete details|all the data|all columns|all the columns|every detail|information about all|details of all|all data|all the info|all info|all records of|the details of|all the information about|all information about|full information|information|details',
    { kind: 'everything' },
  ],
  [
    'missing|unknown|null|empty|blank|undefined|not known|not available|not recorded|not specified|not set|not given|no value',
    { kind: 'missing', negated: false },
  ],
  ['not missing|not null|not empty|known|not blank|non null', { kind: 'missing', negated: true }],
  ['top|the top|first|the first|best|the best|leading|last|the last', { kind: 'top' }],
]

/** Measuring adjectives: "older than" compares, "older" may compare too, "oldest" ranks. */
const adjectivePhrases = adjectives.flatMap((adjective): (readonly [string, Cue])[] => {
  const { base, comparative, superlative } = adjective.forms
  const up = adjective.more.length > 0 || adjective.less.length === 0
  const units = ['', 'years ', 'year ', 'pages ', 'metres ', 'meters ', 'minutes ', 'days ']
  const measured = units.map(unit => `${unit}${base}`).join('|')
  const own: readonly (readonly [string, Cue])[] =
    base === ''
      ? []
      : [
          [`how ${base}`, { kind: 'measure', adjective }],
          [measured, { kind: 'measured', adjective }],
        ]
  return [
    ...own,
    [
      comparative === '' ? '' : `${comparative} than|${comparative}|${comparative} in age than`,
      { kind: 'compare', operator: adjective.more.length > 0 ? '>' : '<', adjective },
    ],
    [
      `${superlative}|the ${superlative}`,
      { kind: 'superlative', direction: up ? 'desc' : 'asc', adjective, manner: 'column' },
    ],
  ]
})

/** Cues by the first word of their phrase, with all words of the phrase. */
export const cuePhrases: ReadonlyMap<
  string,
  readonly { readonly words: readonly string[]; readonly cue: Cue }[]
> = (() => {
  const byFirst = new Map<string, { words: readonly string[]; cue: Cue }[]>()
  for (const [phrases, cue] of [...phraseTable, ...adjectivePhrases]) {
    for (const phrase of phrases.split('|').filter(one => one !== '')) {
      const words = phrase.trim().split(/\s+/)
      const first = words[0] ?? ''
      byFirst.set(first, [...(byFirst.get(first) ?? []), { words, cue }])
    }
  }
  return byFirst
})()

/** Words that say nothing by themselves about rows or columns, so leaving them out costs nothing. */
export const functionWords: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its they them their theirs he him his she her hers we us our you your
  i me my mine someone somebody anyone anybody everyone who whom whose which what where when why how is are was were be
  been being am do does did done doing has have had having can could will would shall should may might must of in on at
  by for from to with into onto as about among across within through and also so then than if such some any please just
  find show list give tell return display get fetch see want know like provide present output print report
  name-of kind sort let make made named called titled labelled ever exist exists existing corresponding respective
  respectively associated related belong belongs belonging available recorded record records listed stored along
  together both either each every all per own owned besides well only still yet already currently same other others
  one ones thing things much many more less most least number amount value values data database table information info
  details detail entry entries item items different distinct unique various overall total whole entire first
  no not nor never without none but except however while whether or since until during between
  us u s t re ve ll m d im id's whats who's please kindly plus`
    .split(/\s+/)
    .filter(Boolean),
)

/** Stems of nouns that are amounts: "costs by channel" asks how much, not how many rows of costs there are. */
export const amountNouns: ReadonlySet<string> = new Set(
  'spend spending cost costs expense expenses expenditure sales revenue revenues income turnover budget payroll earnings profit profits loss losses'
    .split(' ')
    .map(stemWord),
)

/** Stems of words that ask for an amount of money, whatever its column is called. */
export const amountVerbs: ReadonlySet<string> = new Set(
  'money spent spend paid pay earned earn price'.split(' ').map(stemWord),
)
