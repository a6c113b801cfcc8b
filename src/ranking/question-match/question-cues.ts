import { adjectives } from '../../lib/lexicon/adjectives.ts'
import type { Sign } from '../../sql/describe/describe-sql.ts'

/** Something that the shape of a query answers to, as questions say it. */
export type Cue = Sign | 'each' | 'order' | 'superlative' | 'singular-best' | 'comparative'

const comparatives = adjectives.map(({ forms }) => forms.comparative).filter(form => form !== '')

const superlatives = adjectives.map(({ forms }) => forms.superlative).filter(form => form !== '')

const anyOf = (phrases: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'u')

const phrases = (text: string): readonly string[] => text.trim().split(/\s*\|\s*/)

/** Phrases of general English that ask for each; `at most` and `at least` are no superlatives. */
const patterns: readonly (readonly [Cue, RegExp])[] = [
  [
    'count',
    anyOf(phrases('how many|number of|numbers of|count|counts|counted|how often|number|amount of|frequency')),
  ],
  ['sum', anyOf(phrases('total(?! number| count)|sum|how much|combined|altogether|overall|in all'))],
  ['average', anyOf(phrases('average|averages|mean|avg|typical|typically|median'))],
  [
    'highest',
    anyOf([
      ...phrases(
        'maximum|max|maximal|highest|largest|greatest|biggest|(?<!at )most|top|best|last|first|rarest',
      ),
      ...superlatives,
    ]),
  ],
  [
    'lowest',
    anyOf([
      ...phrases('minimum|min|minimal|lowest|smallest|(?<!at )least|fewest|bottom|worst|first'),
      ...superlatives,
    ]),
  ],
  [
    'superlative',
    anyOf([
      ...phrases(
        'maximum|minimum|highest|lowest|largest|smallest|greatest|biggest|(?<!at )most|(?<!at )least|fewest|top|max|min|best|worst',
      ),
      ...superlatives.filter(form => form !== 'first' && form !== 'last'),
    ]),
  ],
  [
    'each',
    anyOf(
      phrases(
        'each|every|per|by|for all|grouped|group|respective|respectively|different|daily|weekly|monthly|yearly|annually',
      ),
    ),
  ],
  ['distinct', anyOf(phrases('different|distinct|unique|distinctive|unduplicated'))],
  [
    'negation',
    anyOf(
      phrases(
        "not|no|never|without|neither|nor|none|except|excluding|exclude|instead|other than|lack|lacks|cannot|\\p{L}+n['’]t|dont|doesnt|didnt|isnt|arent|havent|hasnt|wasnt|cant|zero|apart from|but|non|outside",
      ),
    ),
  ],
  [
    'missing',
    anyOf(phrases('missing|unknown|null|empty|blank|undefined|available|recorded|specified|known|given|any')),
  ],
  [
    'more',
    anyOf([
      ...phrases(
        'more|over|above|after|exceed|exceeds|exceeding|exceeded|beyond|greater|larger|higher|bigger|later|since',
      ),
      ...comparatives,
    ]),
  ],
  [
    'less',
    anyOf([
      ...phrases('less|fewer|under|below|before|smaller|lower|earlier|prior|beneath|until'),
      ...comparatives,
    ]),
  ],
  [
    'at-least',
    anyOf(
      phrases(
        'at least|no less than|not less than|no fewer than|or more|or above|or higher|or later|or over|or older|minimum of|starting|since|and above|and up',
      ),
    ),
  ],
  [
    'at-most',
    anyOf(
      phrases(
        'at most|no more than|not more than|up to|or less|or fewer|or below|or under|or earlier|maximum of|until|or younger',
      ),
    ),
  ],
  ['between', anyOf(phrases('between|from|range|ranging|during|within|in'))],
  [
    'pattern',
    anyOf(
      phrases(
        'contains?|containing|including|includes?|starts?|starting|begins?|beginning|ends?|ending|substring|like|letters?|prefix|suffix|words?|phrase|having',
      ),
    ),
  ],
  ['or', anyOf(phrases('or|either|and|both'))],
  ['either', anyOf(phrases('or|either|and|as well as|together with|plus'))],
  ['both', anyOf(phrases('both|and|also|as well as|shared|common|same'))],
  [
    'except',
    anyOf(
      phrases(
        "not|no|never|without|except|excluding|but|\\p{L}+n['’]t|dont|doesnt|didnt|isnt|arent|havent|hasnt|wasnt|cant|other than|none",
      ),
    ),
  ],
  [
    'all-kept',
    anyOf(
      phrases('including those|with or without|if any|even if|all|every|each|zero|whether or not|regardless'),
    ),
  ],
  [
    'order',
    anyOf(
      phrases(
        'sort|sorted|sorting|order|ordered|ordering|arranged|ranked|rank|alphabetical|alphabetically|alphabetic|ascending|descending|increasing|decreasing|chronological|chronologically|lexicographic|lexicographical|from (?:the )?(?:highest|lowest|oldest|youngest|most|least|largest|smallest|latest|earliest|high|low)',
      ),
    ),
  ],
  [
    'ascending',
    anyOf(
      phrases(
        'ascending|increasing|alphabetical|alphabetically|lexicographical|youngest|lowest|smallest|fewest|least|earliest|asc',
      ),
    ),
  ],
  [
    'descending',
    anyOf(
      phrases(
        'descending|decreasing|reverse|highest|largest|most|oldest|latest|desc|greatest|biggest|top|maximum|newest|longest',
      ),
    ),
  ],
  [
    'comparative',
    anyOf([
      ...comparatives.map(form => `${form} than`),
      ...phrases(
        'more than|less than|greater than|fewer than|at least|at most|larger than|higher than|lower than|smaller than|exceeds?|exceeding|above|below|over|under|after|before|between',
      ),
    ]),
  ],
]

/** What a folded question asks for by phrases of general English. */
export const questionCues = (folded: string): ReadonlySet<Cue> =>
  new Set(patterns.filter(([, pattern]) => pattern.test(folded)).map(([cue]) => cue))
