import { adjectives } from '../../lib/lexicon/adjectives.ts'

/** What the grammar of a question says of the columns it needs, whatever they are called. Each 0 or 1. */
export interface QuestionCues {
  readonly count: boolean
  readonly aggregate: boolean
  readonly superlative: boolean
  readonly comparison: boolean
  readonly date: boolean
  readonly naming: boolean
  readonly each: boolean
  readonly absence: boolean
}

/** Reads the cues off a folded text. */
export const readQuestionCues = (folded: string): QuestionCues => ({
  count: /\b(?:how many|number of|count|how often)\b/.test(folded),
  aggregate: /\b(?:average|mean|avg|total|sum|maximum|minimum|max|min|how much)\b/.test(folded),
  superlative: superlative.test(folded),
  comparison:
    /\b(?:more than|less than|fewer than|greater than|higher than|lower than|larger than|smaller than|at least|at most|between|above|below|over|under|exceeds?|before|after|than)\b/.test(
      folded,
    ),
  date: /\b(?:1[5-9]\d\d|20\d\d|dates?|years?|months?|days?|weeks?|quarters?|when|since|before|after|yesterday|today|recent(?:ly)?|latest|earliest|january|february|march|april|june|july|august|september|october|november|december)\b/.test(
    folded,
  ),
  naming: /\b(?:names?|named|titles?|titled|called|who|whose|whom)\b/.test(folded),
  each: /\b(?:each|every|per|by|for all|group(?:ed)?|most common|most popular|most frequent)\b/.test(folded),
  absence: /\b(?:not|no|never|without|neither|except|don't|doesn't|didn't|haven't|hasn't)\b/.test(folded),
})

const superlatives = adjectives
  .map(({ forms }) => forms.superlative)
  .filter(form => form !== '' && !form.includes(' '))

const superlative = new RegExp(`\\b(?:most|least|top|${superlatives.join('|')})\\b`)

/** Stems to which each word that measures points: `oldest` to age, birth and the words for moments. */
export const measuredBy: ReadonlyMap<string, readonly string[]> = new Map(
  adjectives.flatMap(({ forms, more, less }) =>
    [forms.base, forms.comparative, forms.superlative]
      .filter(form => form !== '')
      .map(form => [form, [...more, ...less]] as const),
  ),
)
