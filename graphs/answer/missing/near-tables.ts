import type { Catalog } from '../../../src/core/catalog.ts'
import type { ValueMatch } from '../../../src/core/value-match.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { relatedTo } from '../../../src/lib/lexicon/related-words.ts'
import { splitName } from '../../../src/lib/split-name.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'

/**
 * Tables that a question is near to, nearest first: whose own name it says, whose columns it says, whose values it
 * names. Empty where it has no word in common with any.
 */
export const nearTables = (
  text: string,
  { catalog, matches }: { readonly catalog: Catalog; readonly matches: readonly ValueMatch[] },
): readonly string[] => {
  const said = new Set((foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord))
  const isSaid = (stem: string): boolean =>
    said.has(stem) || [...relatedTo(stem)].some(other => said.has(other))
  const share = (name: string): number => {
    const stems = splitName(name).map(stemWord)
    return stems.length === 0 ? 0 : stems.filter(isSaid).length / stems.length
  }
  return catalog.tables
    .map(({ name, columns }) => ({
      name,
      score:
        2 * share(name) +
        columns.reduce((sum, column) => sum + (share(column.name) > 0.5 ? 0.5 : 0), 0) +
        Math.max(
          0,
          ...matches.filter(({ table }) => table === name).map(({ score }) => (score > 0.8 ? score : 0)),
        ),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name)
}
