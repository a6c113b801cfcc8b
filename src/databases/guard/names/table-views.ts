import type { DataRights } from '../../../domain/access/data-rights.ts'
import type { Catalog, Table } from '../../../domain/catalog.ts'
import type { ReadScope } from '../../../domain/database.ts'
import type { Dialect } from '../../../domain/sql.ts'
import { unaccountedToken } from '../../../sql/analyze/unread-token.ts'
import { wideFold } from '../../../sql/analyze/wide-fold.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { maxRenderedLength, parseSql } from '../../../sql/parse/parse-sql.ts'
import { readQuery } from '../../../sql/parse/read-statements.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import { fullName } from '../../../sql/render/quote.ts'
import { tablesIn } from '../../../sql/tree/tables-in.ts'
import {
  findRestrictedTables,
  type RestrictedTable,
  type RestrictedTables,
} from '../rights/restricted-tables.ts'
import { foldName } from '../scope/name-lookup.ts'
import { scopedDatabase } from '../scope/scoped-database.ts'
import { makeLabelsRefusal } from '../scope/type-labels.ts'
import { starColumns } from '../scope/visible-sources.ts'
import type { FindStandIns, StandIn } from './resolve-names.ts'

/** What a person may see of the tables of a database, as SQL that stands in place of each. */
export interface TableViews {
  readonly catalog: Catalog
  readonly restricted: RestrictedTables
  readonly find: FindStandIns
  /** Why a statement may not ask a type for its labels, which may be values that are hidden. */
  readonly labelsRefusal: (tree: SqlTree) => string | null
  readonly readTables: ReadTables
  /** The names, in their widest form, of tables that may be read in part or not at all. */
  readonly secretNames: ReadonlySet<string>
  /** Columns with names such as we make ourselves, in lower case. */
  readonly takenNames: ReadonlySet<string>
}

const nothingRestricted: RestrictedTables = { tables: [], closed: new Set() }

/**
 * Works out what may be seen of each table under the lists of a database and the rights of a person. Throws
 * `QuerentError` if a rule of the rights means nothing.
 */
export const makeTableViews = (
  catalog: Catalog,
  { scope, rights }: { readonly scope: ReadScope; readonly rights: DataRights | null },
): TableViews => {
  const restricted = rights === null ? nothingRestricted : findRestrictedTables(catalog, rights)
  const byTable = new Map(restricted.tables.map(one => [one.table, one]))
  const scoped = scopedDatabase(catalog, scope)
  const standIns = new Map<Table, StandIn | null>()
  for (const one of scoped.tables) {
    const { table } = one
    const restriction = byTable.get(table)
    const madeFromMasked = new Set([...(restriction?.hidden ?? [])].map(({ name }) => name))
    const columns = starColumns({ columns: one.columns.filter(({ access }) => access !== 'hidden') }).filter(
      name => !madeFromMasked.has(name),
    )
    const isOpen = scoped.isOpen(table) && !restricted.closed.has(table) && columns.length > 0
    standIns.set(table, isOpen ? makeStandIn(table, columns, restriction, catalog) : null)
  }
  const isWhole = (standIn: StandIn | null): boolean => standIn !== null && !standIn.sql.startsWith('(')
  return {
    catalog,
    restricted,
    labelsRefusal: makeLabelsRefusal(catalog),
    readTables: makeReadTables(catalog.dialect),
    find: makeFind(catalog, table => standIns.get(table) ?? null),
    takenNames: takenNames(catalog),
    secretNames: new Set(
      [...standIns].flatMap(([{ name }, standIn]) => (isWhole(standIn) ? [] : [wideFold(name)])),
    ),
  }
}

/** The tables that a name can mean, of all that the database has. */
const makeFind = (
  { dialect, tables }: Catalog,
  standInOf: (table: Table) => StandIn | null,
): FindStandIns => {
  const { same, defaultSchema } = databaseDialect(dialect).names
  const byFold = Map.groupBy(tables, ({ name }) => foldName(name, dialect))
  const isSchemaOf = (schema: string, table: Table): boolean =>
    same(table.schema ?? table.home ?? defaultSchema, schema, 'table') !== 'no'
  return (schema, name) => {
    const alike = (byFold.get(foldName(name, dialect)) ?? []).filter(
      table => same(table.name, name, 'table') !== 'no',
    )
    const plain = alike.filter(table => table.schema === null)
    const inSchema =
      schema === null ? (plain.length > 0 ? plain : alike) : alike.filter(table => isSchemaOf(schema, table))
    return inSchema.map(standInOf)
  }
}

const takenNames = ({ tables }: Catalog): ReadonlySet<string> =>
  new Set(
    tables
      .flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase()))
      .filter(name => /^q+\d+$/.test(name)),
  )

/** The full name of a table of which everything may be seen, else a query in brackets with the columns that may be. */
const makeStandIn = (
  table: Table,
  columns: readonly string[],
  restriction: RestrictedTable | undefined,
  { dialect }: Catalog,
): StandIn => {
  const { quote } = databaseDialect(dialect).names
  const isWhole = columns.length === table.columns.length - (restriction?.hidden.size ?? 0)
  const list = columns.map(quote).join(', ')
  if (restriction !== undefined) {
    const { query } = restriction
    return { sql: isWhole ? `(${query})` : `(SELECT ${list} FROM (${query}) AS q)`, name: null, columns }
  }
  const name = fullName(table, dialect)
  return { sql: isWhole ? name : `(SELECT ${list} FROM ${name})`, name, columns }
}

/** The tables that SQL reads in FROM, each as often as it is named; null if it cannot be read to the end. */
export interface ReadTables {
  readonly ofStatement: (sql: string) => readonly string[] | null
  /** Of an item of FROM: a name, or a query in brackets. Remembered, since there are few of them. */
  readonly ofSource: (sql: string) => readonly string[] | null
}

/** Makes the reader of a dialect. */
const makeReadTables = (dialect: Dialect): ReadTables => {
  const ofStatement: ReadTables['ofStatement'] = sql => {
    const parsed = parseSql(sql, dialect, maxRenderedLength)
    const query = parsed.ok && unaccountedToken(parsed.tree) === null ? readQuery(parsed.tree) : null
    return query === null
      ? null
      : tablesIn(query).map(({ catalog, schema, name }) => JSON.stringify([catalog, schema, name]))
  }
  const sources = new Map<string, readonly string[] | null>()
  return {
    ofStatement,
    ofSource: sql => {
      const known = sources.get(sql)
      if (known !== undefined) return known
      const read = ofStatement(`SELECT 1 FROM ${sql}${sql.startsWith('(') ? ' AS q0' : ''}`)
      sources.set(sql, read)
      return read
    },
  }
}
