import type { Catalog } from '../../../src/core/catalog.ts'
import type { Understanding } from '../../../src/core/understanding.ts'
import type { ValueMatch } from '../../../src/core/value-match.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import type { AnswerDeps } from '../deps.ts'

/** A match at least so good says what its words are. */
const GOOD_MATCH = 0.8

/** Phrases of a question that good matches of values, or periods, account for. */
export const explainedPhrases = (
  { spans }: Pick<Understanding, 'spans'>,
  matches: readonly ValueMatch[],
): readonly string[] => [
  ...matches.filter(({ score }) => score >= GOOD_MATCH).map(({ keyword }) => keyword),
  ...spans.map(({ phrase }) => phrase),
]

/**
 * Words of a question for which nothing in the database stands: the leading statement leaves them out (`unused`; everything
 * where there is no statement), and they name a thing that the database does not have.
 */
export const findMissing = (
  unused: readonly string[] | 'everything',
  {
    understanding,
    matches,
    catalog,
  }: {
    readonly understanding: Understanding
    readonly matches: readonly ValueMatch[]
    readonly catalog: Catalog
  },
  { findUnknownThings }: Pick<AnswerDeps, 'findUnknownThings'>,
): readonly string[] => {
  if (unused.length === 0 || !findUnknownThings) return []
  const accounted = explainedPhrases(understanding, matches)
  const unknown = findUnknownThings(understanding.text, catalog, accounted)
  if (unused === 'everything') return unknown
  const left = new Set(unused.map(foldText))
  return unknown.filter(word => left.has(foldText(word)))
}
