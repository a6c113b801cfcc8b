import type { Catalog, Column, Table } from '../../../../src/domain/catalog.ts'
import type { Database } from '../../../../src/domain/database.ts'
import type { ResultTable } from '../../../../src/domain/result.ts'
import type { SchemaSnapshot, SnapshotColumn } from '../../../../src/domain/schema-drift.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import type { ColumnUse } from '../../../../src/sql/analyze/query-scope.ts'
import { touchedTables } from '../../verified/read-verified.ts'
import type { SelectBlock } from '../select-blocks.ts'
import { nameOfSource, type Statement, tableNamed, visibleSources } from '../statement.ts'

/** A table as it was when the statement was written. */
export interface PastTable {
  readonly schema: string | null
  readonly name: string
  readonly columns: readonly SnapshotColumn[]
  /** Whether all its columns are known: of others only those that the statement names. */
  readonly isWhole: boolean
}

/**
 * The tables that a statement stood on: as they were kept, else as its text says. A column without a table that nobody has
 * any more is then one of the only table that may have had it.
 */
export const pastTables = (statement: Statement, known: SchemaSnapshot | null): readonly PastTable[] => {
  const names = new Set(
    statement.scopes.flatMap(({ sources }) =>
      sources.flatMap(({ kind, name }) => (kind === 'table' && name !== null ? [name.toLowerCase()] : [])),
    ),
  )
  const kept = (name: string): SchemaSnapshot['tables'][number] | null =>
    known?.tables.find(table => table.name.toLowerCase() === name) ?? null
  const nowOf = (name: string): Table | null => tableNamed(name, statement)
  const hasNow = (name: string, column: string): boolean =>
    (kept(name) ?? nowOf(name))?.columns.some(own => own.name.toLowerCase() === column.toLowerCase()) ?? false
  const named = new Map<string, Map<string, string>>()
  for (const block of statement.blocks)
    for (const use of block.scope?.columns ?? [])
      for (const name of mayOwn(use, block, hasNow).filter(name => names.has(name) && !kept(name)))
        named.set(name, (named.get(name) ?? new Map()).set(use.column.toLowerCase(), use.column))
  return [...names].map(name => {
    const before = kept(name)
    if (before) return { ...before, isWhole: true }
    const now = nowOf(name)
    const columns = (now?.columns ?? []).map(knownColumn)
    const gone = [...(named.get(name)?.values() ?? [])].filter(column => !hasNow(name, column))
    return {
      schema: now?.schema ?? null,
      name: now?.name ?? name,
      columns: [...columns, ...gone.map(column => ({ ...unknownColumn, name: column }))],
      isWhole: false,
    }
  })
}

/** Names, in lower case, of the tables of which a column may have been. */
const mayOwn = (
  use: ColumnUse,
  block: SelectBlock,
  hasNow: (table: string, column: string) => boolean,
): readonly string[] => {
  if (use.column === '*' || use.mayBeText) return []
  if (use.mayBeOutput && block.scope?.outputs.has(use.column.toLowerCase())) return []
  const sources = visibleSources(block).flatMap(source =>
    source.name === null
      ? []
      : [{ name: source.name.toLowerCase(), called: nameOfSource(source)?.toLowerCase() }],
  )
  if (use.qualifier !== null) {
    const qualifier = use.qualifier.toLowerCase()
    return sources.filter(({ called }) => called === qualifier).map(({ name }) => name)
  }
  return sources.some(({ name }) => hasNow(name, use.column)) || sources.length > 1
    ? []
    : sources.map(({ name }) => name)
}

/** A column of a catalog without its values. */
export const knownColumn = ({ name, type, kind, profile }: Column): SnapshotColumn => ({
  name,
  type,
  kind,
  profile: profile && {
    nullShare: profile.nullShare,
    distinctCount: profile.distinctCount,
    meanLength: profile.meanLength,
    pattern: profile.format?.pattern ?? null,
  },
})

const unknownColumn = { type: '', kind: 'unknown', profile: null } as const

/** The catalog as it was, as far as the statement goes: with it the statement can be read. */
export const pastCatalog = (
  tables: readonly PastTable[],
  { catalog }: Pick<Database, 'catalog'>,
): Database['catalog'] => ({
  ...catalog,
  tables: tables.map(({ schema, name, columns }) => ({
    ...{ schema, name, type: 'table', comment: null, rowCount: null, primaryKey: [] },
    columns: columns.map(({ name, type, kind }) => ({
      ...{ name, type, kind, nullable: true, comment: null, profile: null },
    })),
  })),
})

/** Other tables whose names are kept; of more it is not known later which are new. */
const MOST_OTHERS = 500

/** Wider tables are kept up to here: what a statement stands on must stay small. */
const MOST_COLUMNS = 300

/** The part of the schema that a statement uses, and its result columns; null if it cannot be parsed. */
export const takeSchemaSnapshot = (
  sql: string,
  { catalog, dialect }: { readonly catalog: Catalog; readonly dialect: Dialect },
  result: Pick<ResultTable, 'columns' | 'rows'> | null,
): SchemaSnapshot | null => {
  const touched = touchedTables(sql, { catalog, dialect })
  if (touched === null) return null
  const isRead = ({ schema, name }: { readonly schema: string | null; readonly name: string }): boolean =>
    touched.some(table => table.schema === schema && table.name === name)
  const read = catalog.tables.filter(isRead)
  const names = new Set(read.map(({ name }) => name))
  const others = catalog.tables.filter(table => !isRead(table)).map(({ name }) => name)
  return {
    tables: read.map(({ schema, name, columns }) => ({
      ...{ schema, name },
      columns: columns.slice(0, MOST_COLUMNS).map(knownColumn),
    })),
    foreignKeys: catalog.foreignKeys
      .filter(({ from, to }) => names.has(from.table) || names.has(to.table))
      .map(({ from, to }) => ({ from, to })),
    others: others.length > MOST_OTHERS ? null : others,
    result: result && { columns: result.columns, rows: result.rows.length },
  }
}
