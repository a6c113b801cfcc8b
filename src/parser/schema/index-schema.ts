import type { Catalog, Table } from '../../domain/catalog.ts'
import { countJoins, makeKeyGraph } from '../../domain/key-graph.ts'
import { foldText, splitName } from '../../lib/fold-text.ts'
import { abbreviations, splitCompound } from '../../lib/lexicon/abbreviations.ts'
import { oncePerObject } from '../../lib/once.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { columnTraits } from './column-traits.ts'
import type { ColumnEntry, NameWord, SchemaIndex, TableEntry } from './schema-index.ts'

/** The parser's index of a catalog, built once per catalog. */
export const indexSchema = oncePerObject((catalog: Catalog): SchemaIndex => makeIndex(catalog))

const makeIndex = (catalog: Catalog): SchemaIndex => {
  const vocabulary = new Set(
    catalog.tables.flatMap(table => [
      ...splitName(table.name),
      ...table.columns.flatMap(column => (/[_ ]|[a-z][A-Z]/.test(column.name) ? splitName(column.name) : [])),
    ]),
  )
  let nextColumn = 0
  const tables = catalog.tables.map((table, id) => {
    const entry = makeTable(table, id, nextColumn, catalog, vocabulary)
    nextColumn += table.columns.length
    return entry
  })
  const columns = tables.flatMap(table => table.columns)
  const keys = makeKeyGraph(catalog, (table, column) => tables[table]!.columns[column]!)
  const columnsByStem = groupByStem(columns)
  const tablesByStem = groupByStem(tables)
  return {
    tables,
    columns,
    keys,
    distance: countJoins(keys),
    columnsByStem,
    tablesByStem,
    stems: [...new Set([...columnsByStem.keys(), ...tablesByStem.keys()])],
  }
}

const makeTable = (
  table: Table,
  id: number,
  firstColumn: number,
  catalog: Catalog,
  vocabulary: ReadonlySet<string>,
): TableEntry => {
  const foreign = new Set(
    catalog.foreignKeys.filter(key => key.from.table === table.name).flatMap(key => key.from.columns),
  )
  const columns: ColumnEntry[] = []
  const entry = {
    id,
    table,
    words: nameWords(table.name, vocabulary),
    commentStems: commentStems(table.comment),
    columns,
    primaryKey: [] as ColumnEntry[],
    display: [] as ColumnEntry[],
  }
  for (const [index, column] of table.columns.entries()) {
    const key = table.primaryKey.includes(column.name) || foreign.has(column.name)
    const words = keyWords(nameWords(column.name, vocabulary), key)
    columns.push({
      id: firstColumn + index,
      table: entry,
      column,
      words,
      commentStems: commentStems(column.comment),
      traits: columnTraits(column, words, {
        key,
        foreign: foreign.has(column.name),
      }),
    })
  }
  entry.primaryKey = columns.filter(column => table.primaryKey.includes(column.column.name))
  entry.display = displayColumns(entry)
  return entry
}

/** A key such as `eid` is an id with a few letters before it. */
const keyWords = (words: readonly NameWord[], key: boolean): readonly NameWord[] => {
  const [only] = words
  const short = words.length === 1 && only?.stems[0]?.match(/^([a-z]{1,5})id$/)?.[1]
  if (!key || !short) return words
  return [
    { stems: [short], weight: 0.4 },
    { stems: ['id'], weight: 0.5 },
  ]
}

/**
 * The columns that name a row: its own name; else first and last name; else a title, the column named like its table,
 * a text, or the key.
 */
const displayColumns = (table: TableEntry): ColumnEntry[] => {
  const own = (column: ColumnEntry): number =>
    column.words.filter(
      word => !word.stems.includes('name') && !table.words.some(other => sharesStem(word, other)),
    ).length
  const names = table.columns.filter(column => column.traits.name && !column.traits.foreign)
  const plain = names.filter(column => own(column) === 0)
  if (plain[0]) return [plain[0]]
  const halves = names.filter(column =>
    column.words.some(word => word.stems.includes('first') || word.stems.includes('last')),
  )
  if (halves.length >= 2) return halves.slice(0, 2)
  const closest = [...names].sort((a, b) => own(a) - own(b))[0]
  if (closest) return [closest]
  const sameName = table.columns.find(
    column =>
      !column.traits.foreign &&
      column.words.length > 0 &&
      column.words.every(word => table.words.some(other => sharesStem(word, other))),
  )
  const text = table.columns.find(column => column.traits.text && !column.traits.key)
  const found = sameName ?? text ?? table.primaryKey[0] ?? table.columns[0]
  return found ? [found] : []
}

const sharesStem = (a: NameWord, b: NameWord): boolean => a.stems.some(stem => b.stems.includes(stem))

const MAX_COMMENT_WORDS = 24

const commentStems = (comment: string | null): readonly string[] =>
  comment === null
    ? []
    : (foldText(comment).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_COMMENT_WORDS).map(stemWord)

const groupByStem = <Entry extends { readonly words: readonly NameWord[] }>(
  entries: readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> => {
  const map = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const stem of new Set(entry.words.flatMap(word => word.stems))) {
      map.set(stem, [...(map.get(stem) ?? []), entry])
    }
  }
  return map
}

/** Qualifying words, which questions often leave out. */
const qualifiers = new Set(
  'id code name number text value date type the of in for and to by is no title detail description'
    .split(' ')
    .map(stemWord),
)

/**
 * The words of a table's or column's name, with abbreviations spelled out and run-together names split if all parts
 * are words of the catalog or of everyday English (`pettype`: pet, type).
 */
const nameWords = (name: string, vocabulary: ReadonlySet<string>): readonly NameWord[] =>
  splitName(name).flatMap(word => {
    const long = abbreviations.get(word)
    const parts = long ? null : splitCompound(word, vocabulary)
    if (parts) return parts.flatMap(part => expandAbbreviations(part))
    return expandAbbreviations(word)
  })

const expandAbbreviations = (word: string): readonly NameWord[] => {
  const long = abbreviations.get(word)
  if (!long || long.length === 1) {
    const stems = long ? [stemWord(long[0] ?? word), stemWord(word)] : [stemWord(word)]
    return [{ stems: [...new Set(stems)], weight: weightOf(stems) }]
  }
  return long.map((part, index) => {
    const stems = index === 0 ? [stemWord(part), stemWord(word)] : [stemWord(part)]
    return { stems, weight: index === 0 ? weightOf(stems) : 0.4 }
  })
}

const weightOf = (stems: readonly string[]): number => (stems.some(stem => qualifiers.has(stem)) ? 0.5 : 1)
