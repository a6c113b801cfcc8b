import type { Catalog, Column, Table } from '../../domain/catalog.ts'
import { splitName } from '../../lib/fold-text.ts'
import { abbreviations, splitCompound } from '../../lib/lexicon/abbreviations.ts'
import { oncePerObject } from '../../lib/once.ts'
import { stemWord } from '../../lib/stem-word.ts'

/** A column with the stems of its name. */
export interface StemmedColumn {
  /** Its place among all columns of the catalog, and its table's among the tables. */
  readonly at: number
  readonly tableAt: number
  readonly table: string
  readonly name: string
  /** Of the column's own name: `singer_name` gives `singer`, `name`. */
  readonly stems: readonly string[]
  /** Of the name without the words of its table, for `singer.singer_name`; all of them where nothing else is left. */
  readonly ownStems: readonly string[]
  readonly tableStems: readonly string[]
  readonly isNumber: boolean
  /** Part of a primary or a foreign key, or named like one. */
  readonly isKey: boolean
  /** Tells people which row it is: a name, a title. */
  readonly isName: boolean
  /** How many columns of the database have the same name. */
  readonly namesakes: number
}

interface StemmedTable {
  readonly name: string
  readonly stems: readonly string[]
}

/** The names of a catalog, cut into stems. */
export interface StemmedCatalog {
  readonly tables: readonly StemmedTable[]
  readonly columns: readonly StemmedColumn[]
  /** Columns by their name in lower case. */
  readonly byName: ReadonlyMap<string, readonly StemmedColumn[]>
}

/** Splits the names of a catalog into stems, once per catalog. */
export const stemCatalog = oncePerObject((catalog: Catalog): StemmedCatalog => readCatalog(catalog))

const readCatalog = (catalog: Catalog): StemmedCatalog => {
  const named = Map.groupBy(
    catalog.tables.flatMap(({ columns }) => columns),
    ({ name }) => name.toLowerCase(),
  )
  const keys = keysOf(catalog)
  const stemsOf = makeStemsOf(catalog)
  let count = 0
  const columns = catalog.tables.flatMap((table, tableAt) => {
    const tableStems = stemsOf(table.name)
    return table.columns.map(column =>
      readColumn(column, table, {
        at: count++,
        tableAt,
        stems: stemsOf(column.name),
        tableStems,
        isKey: keys.has(place(table.name, column.name)),
        namesakes: named.get(column.name.toLowerCase())?.length ?? 1,
      }),
    )
  })
  return {
    tables: catalog.tables.map(({ name }) => ({ name, stems: stemsOf(name) })),
    columns,
    byName: Map.groupBy(columns, ({ name }) => name.toLowerCase()),
  }
}

const readColumn = (
  { name, kind }: Column,
  { name: table }: Table,
  known: Pick<StemmedColumn, 'at' | 'tableAt' | 'stems' | 'tableStems' | 'isKey' | 'namesakes'>,
): StemmedColumn => {
  const own = known.stems.filter(stem => !known.tableStems.includes(stem))
  return {
    ...known,
    table,
    name,
    ownStems: own.length > 0 ? own : known.stems,
    isNumber: kind === 'integer' || kind === 'number',
    isKey: known.isKey || known.stems.at(-1) === 'id',
    isName: /^(?:name|titl)$/.test(known.stems.at(-1) ?? ''),
  }
}

const keysOf = ({ tables, foreignKeys }: Catalog): ReadonlySet<string> =>
  new Set([
    ...tables.flatMap(({ name, primaryKey }) => primaryKey.map(column => place(name, column))),
    ...foreignKeys.flatMap(({ from, to }) =>
      [from, to].flatMap(({ table, columns }) => columns.map(column => place(table, column))),
    ),
  ])

const place = (table: string, column: string): string => `${table}.${column}`.toLowerCase()

/** Cuts words that run together and writes short forms out: `stuLname` gives `student`, `last`, `name`. */
const makeStemsOf = ({ tables }: Catalog) => {
  const vocabulary = new Set(
    tables.flatMap(({ name, columns }) => [name, ...columns.map(column => column.name)].flatMap(splitName)),
  )
  return (name: string): readonly string[] => [
    ...new Set(
      splitName(name)
        .flatMap(word => (abbreviations.has(word) ? [word] : (splitCompound(word, vocabulary) ?? [word])))
        .flatMap(word => abbreviations.get(word)?.[0]?.split(' ') ?? [word])
        .map(stemWord),
    ),
  ]
}
