import type { Column, Table } from '../../core/catalog.ts'
import { toSingular } from '../../lib/to-singular.ts'
import { makeSplitCatalogName, spelledOut } from './catalog-words.ts'
import type { NameScope } from './names.ts'

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
export const toPlural = (noun: string): string => {
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
