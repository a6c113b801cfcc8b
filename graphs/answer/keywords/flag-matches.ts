import type { Catalog, Column } from '../../../src/core/catalog.ts'
import type { ValueMatch } from '../../../src/core/value-match.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { codeValues } from '../../../src/lib/lexicon/code-values.ts'
import { splitName } from '../../../src/lib/split-name.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'

/** A flag says yes or no, and perhaps that it is not known. */
const MOST_VALUES = 3

const SCORE = 0.7
const LEAST_NAMED = 0.5
const SHORTEST_PREFIX = 4

/** Words of names of flags that do not say what is flagged. */
const flagWords: ReadonlySet<string> = new Set(
  'is if has was can yn flag ind indicator or not on in of for with'.split(' '),
)

const yes: ReadonlySet<string> = new Set(codeValues.get('yes'))
const no: ReadonlySet<string> = new Set(codeValues.get('no'))
const negation = /(?:^|[^\p{L}])(?:no|not|non|never|without|neither|nor)(?![\p{L}])|n['’]t(?![\p{L}])/iu

/**
 * Values of flags that the question names: of a column `on_scholarship` that holds only `Y` and `N`, the `Y` for
 * "students on scholarship", and the `N` too where the question says "not" somewhere. Nothing in the question is
 * spelled like these values, so no lookup finds them.
 */
export const flagMatches = (text: string, catalog: Catalog): readonly ValueMatch[] => {
  const words = foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const said = words.map(stemWord)
  const isNegated = negation.test(text)
  return catalog.tables.flatMap(table =>
    table.columns.flatMap(column => {
      const values = flagValues(column)
      const named = values.length === 0 ? null : phraseForColumn(column.name, words, said)
      if (named === null) return []
      const match = { keyword: named.words, table: table.name, column: column.name }
      return values
        .filter(value => isNegated || yes.has(foldText(value)))
        .map(value => ({ ...match, value, score: SCORE * named.share }))
    }),
  )
}

/** The values of a column that holds nothing but a yes and a no, as texts; empty for any other. */
const flagValues = ({ kind, profile }: Column): readonly string[] => {
  if (kind !== 'text' || !profile || profile.distinctCount < 1 || profile.distinctCount > MOST_VALUES)
    return []
  const values = profile.mostFrequent.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  const flags = values.filter(value => yes.has(foldText(value)) || no.has(foldText(value)))
  const others = values.filter(value => !flags.includes(value) && value.trim() !== '')
  return flags.length > 0 && others.length === 0 ? flags : []
}

/** How the question says the name of a column, and which share of its words, by their stems or beginnings. */
const phraseForColumn = (
  name: string,
  words: readonly string[],
  said: readonly string[],
): { readonly words: string; readonly share: number } | null => {
  const parts = splitName(name).filter(part => part.length > 1 && !flagWords.has(part))
  const joined = said.indexOf(stemWord(parts.join('')))
  const at =
    joined >= 0
      ? [joined]
      : parts.flatMap(part => said.findIndex(word => isAlike(word, stemWord(part)))).filter(at => at >= 0)
  const share = joined >= 0 ? 1 : at.length / parts.length
  if (at.length === 0 || share < LEAST_NAMED) return null
  return { words: words.slice(Math.min(...at), Math.max(...at) + 1).join(' '), share }
}

const isAlike = (a: string, b: string): boolean =>
  a === b ||
  (Math.min(a.length, b.length) >= SHORTEST_PREFIX &&
    Math.abs(a.length - b.length) <= 2 &&
    (a.startsWith(b) || b.startsWith(a)))
