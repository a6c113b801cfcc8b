import { distance } from 'fastest-levenshtein'
import type { Catalog, Table } from '../../../domain/catalog.ts'
import type { ReadScope } from '../../../domain/database.ts'
import { functionCalls, type SqlCall } from '../../../sql/analyze/function-calls.ts'
import { bareType, type NamedType, namedTypes } from '../../../sql/analyze/named-types.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { parseSql } from '../../../sql/parse/parse-sql.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import { foldName, makeNameLookup } from './name-lookup.ts'
import { makeIsOwnFunction, makeOwnSyntaxRefusal } from './own-calls.ts'
import { scopeRefusal } from './scope-refusal.ts'
import { type KnownColumn, type ScopedTable, scopedTables, stricter } from './scoped-tables.ts'
import { makeLabelsRefusal } from './type-labels.ts'
import { type FindTable, type FoundTable, scopeMessages } from './visible-sources.ts'

/** A catalog under a scope: how a statement finds its tables, and which tables are open at all. */
export interface ScopedDatabase {
  readonly find: FindTable
  readonly isOpen: (table: Table) => boolean
  /** Why these calls may not be made: one may mean a function that somebody made in the database. */
  readonly callsRefusal: (calls: readonly SqlCall[]) => string | null
  /** Why the syntax of a statement may not be used: an operator, a cast or a field may call such a function. */
  readonly syntaxRefusal: (tree: SqlTree) => string | null
  /** Why these types may not be named: one may be a table's, or look names up. */
  readonly typesRefusal: (types: readonly NamedType[]) => string | null
  /** Why the labels of its types may not be asked for. */
  readonly labelsRefusal: (tree: SqlTree) => string | null
  /** True if the scope hides or masks anything. */
  readonly restricts: boolean
  readonly tables: readonly ScopedTable[]
}

/**
 * Looks into views too: one that reads what is not open is closed, unless it is named in the list of tables, and so
 * is one whose query the database does not tell. With `restricts` something is kept from the person even if the scope
 * keeps nothing, such as rows: then functions of the database may read it too.
 */
export const scopedDatabase = (
  catalog: Catalog,
  scope: ReadScope,
  options: { readonly restricts?: boolean } = {},
): ScopedDatabase => {
  const { dialect } = catalog
  const tables = scopedTables(catalog, scope)
  const known = new Map<ScopedTable, boolean>()
  const restricts =
    options.restricts === true ||
    tables.some(one => !one.isListed || one.columns.some(({ access }) => access !== 'open'))

  const isOpen = (scoped: ScopedTable): boolean => {
    const before = known.get(scoped)
    if (before !== undefined) return before
    // A view that reads itself is none; while one is looked at, it is closed.
    known.set(scoped, false)
    const open = scoped.isListed && readsOpenTables(scoped)
    known.set(scoped, open)
    return open
  }

  const readsOpenTables = ({ table, isNamed }: ScopedTable): boolean => {
    if ((table.type !== 'view' && table.definition === undefined) || isNamed || !restricts) return true
    if (table.definition === undefined || table.callsOwn) return false
    try {
      const parsed = parseSql(table.definition, dialect)
      return (
        parsed.ok &&
        parsed.tree.statements.length === 1 &&
        readsOnlyItsTables(parsed.tree) &&
        typesRefusal(namedTypes(parsed.tree)) === null &&
        scopeRefusal(parsed.tree, dialect, find) === null
      )
    } catch {
      return false
    }
  }

  const lookup = makeNameLookup(dialect)
  const { guard, scope: rules } = databaseDialect(dialect)
  const implied = (catalog.functions ?? []).map(name => name.toLowerCase()).find(rules.isImplied)
  const isOwn = makeIsOwnFunction(catalog)
  const readsOnlyItsTables = makeReadsOnlyItsTables(catalog)

  const callsRefusal = (calls: readonly SqlCall[]): string | null => {
    if (!restricts) return null
    if (implied !== undefined) return scopeMessages.replaced(implied)
    // Others, the guard has refused, or the owner of the database allows them.
    const meant = calls.find(call => guard.functions.has(call.name) && isOwn(call))
    return meant === undefined ? null : scopeMessages.call(meant.name)
  }

  const ownSyntaxRefusal = makeOwnSyntaxRefusal(catalog)
  const syntaxRefusal = (tree: SqlTree): string | null => (restricts ? ownSyntaxRefusal(tree) : null)

  const tableNames = new Set(tables.map(({ table }) => table.name))
  // What an open column is made of, unless that is a table.
  const columnTypes = new Set(
    tables
      .filter(one => one.isListed)
      .flatMap(({ table, columns }) => table.columns.filter((_, at) => columns[at]?.access === 'open'))
      .map(({ type }) => bareType(type))
      .filter(name => !tableNames.has(name)),
  )
  const typesRefusal = (types: readonly NamedType[]): string | null => {
    const { types: plain } = rules
    if (plain === null || !restricts) return null
    const odd = types.find(({ schema, name }) => {
      // `_text` is a list of texts.
      const element = name.replace(/^_/, '')
      const isPlain =
        plain.has(element) && (schema === null || schema === 'pg_catalog' || !tableNames.has(element))
      return !isPlain && !columnTypes.has(element)
    })
    return odd === undefined
      ? null
      : scopeMessages.type(odd.schema === null ? odd.name : `${odd.schema}.${odd.name}`)
  }

  const refuseLabels = makeLabelsRefusal(catalog)
  const labelsRefusal = (tree: SqlTree): string | null => (restricts ? refuseLabels(tree) : null)

  const byName = Map.groupBy(tables, ({ table }) => foldName(table.name, dialect))

  const find: FindTable = (schema, name) => {
    const alike = byName.get(foldName(name, dialect)) ?? []
    const meant = candidates(lookup.named(alike, one => one.table.name, name, 'table').items, schema)
    const [first] = meant
    if (first === undefined || !meant.every(isOpen)) {
      const full = schema === null ? name : `${schema}.${name}`
      return { ok: false, nearest: nearest(full, tables.filter(isOpen)) }
    }
    return allOf(first, meant)
  }

  /** A name without a schema means what is found without one; a schema that is not listed may be the plain one. */
  const candidates = (named: readonly ScopedTable[], schema: string | null): readonly ScopedTable[] => {
    const plain = named.filter(({ table }) => table.schema === null)
    if (schema === null) return plain.length > 0 ? plain : named
    const isCalled = (name: string): boolean => lookup.same(name, schema, 'table') !== 'no'
    const own = named.filter(({ table }) => table.schema !== null && isCalled(table.schema))
    const home = ({ table }: ScopedTable): string =>
      table.home ?? databaseDialect(dialect).names.defaultSchema
    return own.length > 0 ? own : plain.filter(one => isCalled(home(one)))
  }

  return {
    find,
    callsRefusal,
    syntaxRefusal,
    typesRefusal,
    labelsRefusal,
    restricts,
    tables,
    isOpen: table => {
      const scoped = tables.find(one => one.table === table)
      return scoped !== undefined && isOpen(scoped)
    },
  }
}

/**
 * Whether a query of the database, such as a view's, shows nothing but the tables that it names. A function that is not
 * known to read nothing but its arguments may read any table, and labels of a type may be values of one.
 */
export const makeReadsOnlyItsTables = (catalog: Catalog): ((tree: SqlTree) => boolean) => {
  const { guard } = databaseDialect(catalog.dialect)
  const isOwn = makeIsOwnFunction(catalog)
  const labelsRefusal = makeLabelsRefusal(catalog)
  return tree =>
    functionCalls(tree).every(
      call =>
        guard.functions.has(call.name) &&
        !isOwn(call) &&
        (call.schema === null || guard.isPlainSchema(call.schema)),
    ) && labelsRefusal(tree) === null
}

const titleOf = ({ schema, name }: Table): string => (schema === null ? name : `${schema}.${name}`)

/** Tables that only the server can tell apart are read as the strictest of them. */
const allOf = (first: ScopedTable, meant: readonly ScopedTable[]): FoundTable => {
  const columns = new Map<string, KnownColumn>()
  for (const { name, access, unlisted } of meant.flatMap(one => one.columns))
    columns.set(name, {
      name,
      access: stricter(columns.get(name)?.access, access),
      ...(unlisted && { unlisted }),
    })
  return { ok: true, title: titleOf(first.table), columns: [...columns.values()] }
}

/** The open table that an unknown name was most likely meant to be. */
const nearest = (name: string, open: readonly ScopedTable[]): string | null => {
  const near = open
    .map(({ table }) => ({
      title: titleOf(table),
      edits: distance(name.toLowerCase(), titleOf(table).toLowerCase()),
    }))
    .filter(({ edits }) => edits <= Math.max(1, name.length / 3))
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.title ?? null
}
