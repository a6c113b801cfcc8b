import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Catalog, Column, ForeignKey, Table } from '../../../domain/catalog.ts'
import { cutTokens, type SqlToken } from '../../../sql/parse/cut-tokens.ts'
import { fingerprintCatalog, viewDefinition } from '../catalog.ts'
import { quoteName } from '../standard-sql.ts'
import { lexical } from './lexical.ts'
import { declaredKind } from './values.ts'

/** Counting reads a whole table, which is quick enough up to this size of the file. */
const countableFileBytes = 128 * 1024 * 1024

interface ListedTable {
  readonly name: string
  readonly type: string
}

interface ListedColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
  readonly hidden: number
}

interface ListedKeyColumn {
  readonly id: number
  readonly seq: number
  readonly table: string
  readonly from: string
  readonly to: string | null
}

type Ask = <Row>(sql: string, ...parameters: string[]) => Row[]

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Null if it cannot be read: a view over a table that is gone, or a virtual table whose module is not built in. */
const readColumns = (ask: Ask, table: string): ListedColumn[] | null => {
  try {
    // hidden: 1 is a virtual table's own, 2 and 3 are generated columns, which can be read like any other.
    return ask<ListedColumn>(
      'select name, type, "notnull", pk, hidden from pragma_table_xinfo(?) order by cid',
      table,
    )
  } catch {
    return null
  }
}

const countRows = (ask: Ask, table: string, countable: boolean): number | null => {
  try {
    if (countable) return ask<{ n: number }>(`select count(*) as n from ${quote(table)}`)[0]?.n ?? null
    // Written by ANALYZE, if someone ran it: "<rows> <rows per key> ...".
    const [statistics] = ask<{ stat: string }>('select stat from sqlite_stat1 where tbl = ? limit 1', table)
    const estimate = Number.parseInt(statistics?.stat ?? '', 10)
    return Number.isNaN(estimate) ? null : estimate
  } catch {
    return null
  }
}

const toColumn = (listed: ListedColumn, statement: string): Column => ({
  name: listed.name,
  type: listed.type,
  kind: declaredKind(listed.type),
  nullable: listed.notnull === 0 && listed.pk === 0,
  comment: null,
  profile: null,
  ...(listed.hidden > 1 && { generatedFrom: generatedFrom(statement, listed.name) }),
})

const readTable = (ask: Ask, listed: ListedTable, countable: boolean): Table | null => {
  const all = readColumns(ask, listed.name)
  const columns = all?.filter(column => column.hidden !== 1) ?? []
  if (all === null || columns.length === 0) return null
  const hiddenColumns = all.filter(column => column.hidden === 1).map(({ name }) => name)
  const statement = readStatement(ask, listed.name)
  const isView = listed.type === 'view'
  return {
    schema: null,
    name: listed.name,
    type: isView ? 'view' : 'table',
    comment: null,
    rowCount: isView ? null : countRows(ask, listed.name, countable),
    columns: columns.map(column => toColumn(column, statement)),
    primaryKey: columns
      .filter(column => column.pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(column => column.name),
    ...(hiddenColumns.length > 0 && { hiddenColumns }),
    ...readDefinition(listed, statement, columns),
  }
}

/** The statement that made a table or view. */
const readStatement = (ask: Ask, name: string): string =>
  ask<{ sql: string | null }>(
    `select sql from sqlite_schema where type in ('table', 'view') and name = ?`,
    name,
  )[0]?.sql ?? ''

const readDefinition = (
  { type }: ListedTable,
  statement: string,
  columns: readonly ListedColumn[],
): Pick<Table, 'definition'> => {
  const definition =
    type === 'view'
      ? viewDefinition(statement, lexical)
      : type === 'virtual'
        ? shownByVirtualTable(
            statement,
            columns.map(({ name }) => name),
          )
        : null
  return definition === null ? {} : { definition }
}

/**
 * One declared key, with names in the tables' spelling: SQLite accepts any case, lets the referenced columns be
 * left out (then the primary key is meant), and never checks that any of it exists. Null if it does not.
 */
const resolveKey = (
  tables: readonly Table[],
  from: Table,
  parts: readonly ListedKeyColumn[],
): ForeignKey | null => {
  const to = tables.find(table => sameName(table.name, parts[0]?.table ?? ''))
  if (to === undefined) return null
  const declared = parts.map(part => part.to)
  const wanted = declared.every(name => name === null) ? to.primaryKey : declared
  if (wanted.length !== parts.length) return null
  const spelled = (table: Table, name: string | null): string | undefined =>
    name === null ? undefined : table.columns.find(column => sameName(column.name, name))?.name
  const fromColumns = parts.map(part => spelled(from, part.from)).filter(name => name !== undefined)
  const toColumns = wanted.map(name => spelled(to, name)).filter(name => name !== undefined)
  if (fromColumns.length !== parts.length || toColumns.length !== parts.length) return null
  return {
    from: { table: from.name, columns: fromColumns },
    to: { table: to.name, columns: toColumns },
    source: 'declared',
    inclusion: null,
  }
}

const readKeys = (ask: Ask, tables: readonly Table[], from: Table): ForeignKey[] => {
  const rows = ask<ListedKeyColumn>(
    'select id, seq, "table", "from", "to" from pragma_foreign_key_list(?) order by id desc, seq',
    from.name,
  )
  const ids = [...new Set(rows.map(row => row.id))]
  const keys = ids.map(id =>
    resolveKey(
      tables,
      from,
      rows.filter(row => row.id === id),
    ),
  )
  const distinct = new Map(keys.filter(key => key !== null).map(key => [JSON.stringify(key), key]))
  return [...distinct.values()]
}

/** Reads the catalog of a file. Shadow tables of virtual tables and SQLite's own tables are left out. */
export const introspect = (database: DatabaseSync, file: string): Catalog => {
  const ask: Ask = <Row>(sql: string, ...parameters: string[]) =>
    database.prepare(sql).all(...parameters) as Row[]
  const countable = statSync(file).size <= countableFileBytes
  const tables = ask<ListedTable>(
    `select name, type from pragma_table_list where schema = 'main' and type <> 'shadow' order by name`,
  )
    .filter(listed => !listed.name.toLowerCase().startsWith('sqlite_'))
    .map(listed => readTable(ask, listed, countable))
    .filter(table => table !== null)
  const foreignKeys = tables
    .filter(table => table.type === 'table')
    .flatMap(from => readKeys(ask, tables, from))
  const catalog = { dialect: 'sqlite', tables, foreignKeys } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

/** The virtual tables that hold what was put into them and nothing else. */
const ownData = /^(?:rtree|rtree_i32|geopoly|fts[345])$/

/**
 * For a virtual table, a query for what it shows of other tables: null if it shows only its own rows, empty if nobody
 * can tell. `statement` is its CREATE VIRTUAL TABLE.
 */
const shownByVirtualTable = (
  statement: string,
  columns: readonly string[],
): NonNullable<Table['definition']> | null => {
  const cut = cutTokens(statement, lexical)
  const using = cut.ok ? cut.tokens.findIndex(({ kind, value }) => kind === 'word' && value === 'using') : -1
  const module = cut.ok ? cut.tokens[using + 1]?.value.toLowerCase() : undefined
  if (!cut.ok || using < 0 || module === undefined) return ''
  const args = itemsIn(cut.tokens.slice(using + 2))
  // The words of a full-text table, whichever column each is from.
  if (module === 'fts5vocab' || module === 'fts4aux') {
    const table = (args.length > 2 || (module === 'fts4aux' && args.length > 1) ? args[1] : args[0])?.[0]
      ?.value
    return table === undefined ? '' : `SELECT * FROM ${quoteName(table)}`
  }
  if (!ownData.test(module)) return ''
  // An index over the rows of another table, which gives those rows.
  const content = args.find(
    ([option, sign]) => option?.value.toLowerCase() === 'content' && sign?.text === '=',
  )
  const source = content?.[2]?.value ?? ''
  if (source === '') return null
  const names = columns.map(name => `source.${quoteName(name)}`)
  return `SELECT ${names.join(', ')} FROM ${quoteName(source)} AS source`
}

/**
 * What a generated column is made from: its part of CREATE TABLE, which names the columns that it reads. The whole
 * statement if the part is not found.
 */
const generatedFrom = (statement: string, column: string): string => {
  const cut = cutTokens(statement, lexical)
  const open = cut.ok ? cut.tokens.findIndex(({ text }) => text === '(') : -1
  if (!cut.ok || open < 0) return statement
  const item = itemsIn(cut.tokens.slice(open)).find(
    ([name]) => name?.value.toLowerCase() === column.toLowerCase(),
  )
  const [, first] = item ?? []
  const last = item?.at(-1)
  return first === undefined || last === undefined ? statement : statement.slice(first.start, last.end)
}

/** What stands between commas in the brackets that these tokens begin with. */
const itemsIn = (tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] => {
  const items: SqlToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.text === ')') depth -= 1
    if (depth === 1 && token.text === ',') items.push([])
    else if (depth > 0) items.at(-1)?.push(token)
    if (token.text === '(') depth += 1
    if (depth === 0) break
  }
  return items
}
