import type { Catalog } from '../../core/catalog.ts'
import { abbreviations } from '../../lib/lexicon/abbreviations.ts'
import { splitCompound } from '../../lib/lexicon/take-apart.ts'
import { splitName } from '../../lib/split-name.ts'

/** The words of a name of the catalog, folded, with names that run together taken apart: `pettype` gives pet, type. */
export type SplitCatalogName = (name: string) => readonly string[]

const known = new WeakMap<Catalog, SplitCatalogName>()

/** How names of this catalog are read. Made once for a catalog: its own words tell where names are to be cut. */
export const makeSplitCatalogName = (catalog: Catalog): SplitCatalogName => {
  const made = known.get(catalog)
  if (made !== undefined) return made
  const names = catalog.tables.flatMap(table => [table.name, ...table.columns.map(({ name }) => name)])
  const vocabulary = new Set(names.flatMap(splitName))
  const remembered = new Map<string, readonly string[]>()
  const words: SplitCatalogName = name => {
    const before = remembered.get(name)
    if (before !== undefined) return before
    const all = splitName(name).flatMap(word => splitCompound(word, vocabulary) ?? [word])
    const kept = all.length > 1 && /^(?:t|tbl|tab|v)$/.test(all[0] ?? '') ? all.slice(1) : all
    remembered.set(name, kept)
    return kept
  }
  known.set(catalog, words)
  return words
}

/** The words of a name with its short forms spelled out, for a person to read. */
export const spelledOut = (words: readonly string[]): string =>
  words
    .map(word => {
      const [long, ...more] = abbreviations.get(word) ?? [word]
      // A form of several words is often read in one way of many; only the sure ones are spelled out.
      return more.length > 0 && !sure.has(word) ? word : [long, ...more].join(' ')
    })
    .join(' ')

const sure: ReadonlySet<string> = new Set('fname lname firstname lastname'.split(' '))
