import type { Catalog, Column, Table } from '../../domain/catalog.ts'
import { foldText, splitName } from '../../lib/fold-text.ts'
import { abbreviations, splitCompound } from '../../lib/lexicon/abbreviations.ts'
import { areRelated } from '../../lib/lexicon/synonyms.ts'
import { oncePerObject } from '../../lib/once.ts'
import { stemWord, toSingular } from '../../lib/stem-word.ts'
import type { NameScope } from './name-scope.ts'

/** A table in the singular: `order line`. */
export const tableNoun = (table: Table, { catalog }: NameScope): string => {
  const words = [...makeSplitCatalogName(catalog)(table.name)]
  const last = words.pop() ?? table.name
  return spelledOut([...words, toSingular(last)])
}

/** A table in the plural: `order lines`. */
export const tableNouns = (table: Table, names: NameScope): string => toPlural(tableNoun(table, names))

/** A column in words; of which table is said where the statement reads more than one. */
export const columnNoun = (table: Table, column: Column, names: NameScope): string => {
  const words = spelledOut(makeSplitCatalogName(names.catalog)(column.name))
  const noun = tableNoun(table, names)
  const alone = names.sources.length < 2 && names.sources[0]?.table === table
  return alone || words.startsWith(`${noun} `) || words === noun ? words : `${words} of the ${noun}`
}

/** The plural of an English noun, or of the last word of several. */
const toPlural = (noun: string): string => {
  if (
    /(?:people|children|men|data|series|species|news|info|information|staff|[^s]s)$/.test(noun) &&
    !/(?:us|is|as)$/.test(noun)
  )
    return noun
  if (/person$/.test(noun)) return noun.replace(/person$/, 'people')
  if (/child$/.test(noun)) return `${noun}ren`
  if (/(?:^|\s|wo)man$/.test(noun)) return noun.replace(/man$/, 'men')
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  return `${noun}s`
}

/** The plural of a noun phrase: `name of the singer` gives `names of the singer`. */
export const pluralHead = (words: string): string => {
  const [head = '', ...rest] = words.split(' of ')
  return [toPlural(head), ...rest].join(' of ')
}

/** The words of a name of the catalog, folded, with names that run together taken apart: `pettype` gives pet, type. */
type SplitCatalogName = (name: string) => readonly string[]

/** Splits the names of a catalog into words. The catalog's own words tell where names that run together are cut. */
export const makeSplitCatalogName = oncePerObject((catalog: Catalog): SplitCatalogName => {
  const names = catalog.tables.flatMap(table => [table.name, ...table.columns.map(({ name }) => name)])
  const vocabulary = new Set(names.flatMap(splitName))
  const remembered = new Map<string, readonly string[]>()
  return name => {
    const before = remembered.get(name)
    if (before !== undefined) return before
    const all = splitName(name).flatMap(word => splitCompound(word, vocabulary) ?? [word])
    const kept = all.length > 1 && /^(?:t|tbl|tab|v)$/.test(all[0] ?? '') ? all.slice(1) : all
    remembered.set(name, kept)
    return kept
  }
})

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

/** Stems of a name, short forms spelled out. */
export const stemsOfName = (name: string, catalog: Catalog): readonly string[] =>
  makeSplitCatalogName(catalog)(name).flatMap(word =>
    [word, ...(abbreviations.get(word) ?? [])].map(stemWord),
  )

/** Stems of any text. */
export const stemsOfText = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map(stemWord)

/** How well a word of the question meets one of several stems: 1 for the same, less for a synonym or a shared beginning. */
export const stemSimilarity = (stem: string, stems: Iterable<string>): number => {
  let best = 0
  for (const other of stems) {
    if (stem === other) return 1
    if (areRelated(stem, other)) best = Math.max(best, RELATED)
    else if (shareBeginning(stem, other)) best = Math.max(best, ALIKE)
  }
  return best
}

const RELATED = 0.6

const ALIKE = 0.7

/** `nation` and `nationality`; short words meet by accident. */
const shareBeginning = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 5 && long.startsWith(short)
}
