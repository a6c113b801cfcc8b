import { distance } from 'fastest-levenshtein'
import type { Catalog, Table } from '../../../domain/catalog.ts'
import type { ReadScope } from '../../../domain/database.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { parseSql } from '../../../sql/parse-sql.ts'
import { foldName } from './query-shape.ts'
import { scopeRefusal } from './scope-refusal.ts'
import { type Access, type ScopedTable, scopedTables, stricter } from './scoped-tables.ts'
import { type FindTable, type FoundTable, scopeMessages } from './visible-sources.ts'

/** A catalog under a scope: how a statement finds its tables, and which tables are open at all. */
export interface ScopedDatabase {
  readonly find: FindTable
  /** Null when the table is open, else why it is not. */
  readonly closedBecause: (table: Table) => string | null
  readonly tables: readonly ScopedTable[]
}

/**
 * Looks into views too: one that reads what is not open is closed, unless it is named in the list of tables, and so
 * is one whose query the database does not tell.
 */
export const scopedDatabase = (catalog: Catalog, scope: ReadScope): ScopedDatabase => {
  const { dialect } = catalog
  const tables = scopedTables(catalog, scope)
  const reasons = new Map<ScopedTable, string | null>()
  const restricts = tables.some(
    one => !one.isListed || [...one.columns.values()].some(access => access !== 'open'),
  )

  const closedBecause = (scoped: ScopedTable): string | null => {
    const known = reasons.get(scoped)
    if (known !== undefined) return known
    // A view that reads itself is none; while one is looked at, it is closed.
    reasons.set(scoped, scopeMessages.view(titleOf(scoped.table), null))
    const reason = scoped.isListed ? viewReason(scoped) : scopeMessages.table(titleOf(scoped.table))
    reasons.set(scoped, reason)
    return reason
  }

  const viewReason = ({ table, isNamed }: ScopedTable): string | null => {
    if (table.type !== 'view' || isNamed || !restricts) return null
    const title = titleOf(table)
    if (table.definition === undefined) return scopeMessages.view(title, null)
    try {
      const parsed = parseSql(table.definition, dialect)
      if (!parsed.ok || parsed.tree.statements.length !== 1) return scopeMessages.view(title, null)
      const reason = scopeRefusal(parsed.tree, dialect, find)
      return reason === null ? null : scopeMessages.view(title, reason)
    } catch {
      return scopeMessages.view(title, null)
    }
  }

  const byName = Map.groupBy(tables, ({ table }) => foldName(table.name, dialect))

  const find: FindTable = (schema, name) => {
    const meant = candidates(byName.get(name) ?? [], schema)
    const [first] = meant
    if (first === undefined) {
      const full = schema === null ? name : `${schema}.${name}`
      return { ok: false, reason: scopeMessages.unknownTable(full, nearest(full, tables)) }
    }
    const reason = meant.map(closedBecause).find(one => one !== null)
    return reason == null ? allOf(first, meant) : { ok: false, reason }
  }

  /** A name without a schema means what is found without one; a schema that is not listed may be the plain one. */
  const candidates = (named: readonly ScopedTable[], schema: string | null): readonly ScopedTable[] => {
    const plain = named.filter(({ table }) => table.schema === null)
    if (schema === null) return plain.length > 0 ? plain : named
    const own = named.filter(
      ({ table }) => table.schema !== null && foldName(table.schema, dialect) === schema,
    )
    const home = ({ table }: ScopedTable): string =>
      foldName(table.home ?? databaseDialect(dialect).names.defaultSchema, dialect)
    return own.length > 0 ? own : plain.filter(one => home(one) === schema)
  }

  return {
    find,
    tables,
    closedBecause: table => {
      const scoped = tables.find(one => one.table === table)
      return scoped === undefined ? scopeMessages.unknownTable(table.name, null) : closedBecause(scoped)
    },
  }
}

const titleOf = ({ schema, name }: Table): string => (schema === null ? name : `${schema}.${name}`)

/** Tables that only the server can tell apart are read as the strictest of them. */
const allOf = (first: ScopedTable, meant: readonly ScopedTable[]): FoundTable => {
  const columns = new Map<string, Access>(first.columns)
  for (const other of meant)
    for (const [name, access] of other.columns) columns.set(name, stricter(columns.get(name), access))
  return { ok: true, title: titleOf(first.table), columns }
}

/** The open table that an unknown name was most likely meant to be. */
const nearest = (name: string, tables: readonly ScopedTable[]): string | null => {
  const near = tables
    .filter(one => one.isListed)
    .map(({ table }) => ({
      title: titleOf(table),
      edits: distance(name.toLowerCase(), titleOf(table).toLowerCase()),
    }))
    .filter(({ edits }) => edits <= Math.max(1, name.length / 3))
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.title ?? null
}
