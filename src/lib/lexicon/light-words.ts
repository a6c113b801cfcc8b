/**
 * Verbs that tie one thing to another and say no more than that they belong together ("the invoices that correspond to an
 * order"), and words that answers have no use for.
 */
const lightWords = new Set(
  `correspond corresponds corresponding involve involves involved offer offers offered produce produces produced belong
  belongs belonging contain contains contained own owns owned provide provides provided give gives given participate
  participates participated assign assigned hold holds held host hosts hosted use uses used associated located
  appear appears appeared available received receive receives exist exists together alphabetical alphabetically overall
  existing respective particular specific actual certain mentioned related`.split(/\s+/),
)

/** Whether a reading leaves out a word that changes what is asked. */
export const leavesOutWeight = (unused: readonly string[]): boolean =>
  unused.some(word => !lightWords.has(word.toLowerCase()))

const comparingWords: ReadonlySet<string> = new Set(['vs', 'vs.', 'versus', 'compare', 'compared'])

/** Whether a word sets two things side by side: without it, one of them is half an answer. */
export const isComparingWord = (word: string): boolean => comparingWords.has(word.toLowerCase())
