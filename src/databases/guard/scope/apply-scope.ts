import type { Catalog, Column, ForeignKey, Table } from '../../../domain/catalog.ts'
import { type ReadScope, unrestrictedScope } from '../../../domain/database.ts'
import { QuerentError } from '../../../domain/errors.ts'
import type { Dialect, Guard, GuardedSql, GuardVerdict } from '../../../domain/sql.ts'
import { functionCalls } from '../../../sql/analyze/function-calls.ts'
import { namedTypes } from '../../../sql/analyze/named-types.ts'
import { sqlScopes } from '../../../sql/analyze/sql-scopes.ts'
import { schemaWithCatalog } from '../../../sql/tree/query-tree.ts'
import { treeOfGuarded } from '../guarded-tree.ts'
import { isCalled } from './copied-columns.ts'
import { scopeRefusal } from './scope-refusal.ts'
import { type ScopedDatabase, scopedDatabase } from './scoped-database.ts'
import { matchesColumn, matchesTable } from './scoped-tables.ts'
import { hideLabels } from './type-labels.ts'
import { scopeMessages } from './visible-sources.ts'

/** A database as it may be seen: its catalog without what is kept, and the guard that keeps it. */
export interface AppliedScope {
  readonly introspect: (signal?: AbortSignal) => Promise<Catalog>
  readonly guard: Guard
}

interface ScopeOptions {
  readonly signal?: AbortSignal
  /** True if more is kept from the person than the scope says, such as rows. */
  readonly restricts?: boolean
  /** The catalog with what rights leave out of it, which lists may name all the same; the same one without rights. */
  readonly wholeCatalog?: () => Catalog | null
}

/**
 * Puts a scope on a database. The catalog is read at once, because without it the guard could tell nothing; whoever
 * reads it again later renews what the guard knows too. Both reject with `QuerentError` when something in the lists means
 * nothing there, and the guard then knows what it knew: a misspelt column would be an open one, and so would one that
 * the database has given another name.
 */
export const applyScope = async (
  { introspect, guard }: AppliedScope,
  scope: ReadScope,
  { signal, restricts = false, wholeCatalog = () => null }: ScopeOptions = {},
): Promise<AppliedScope> => {
  const read = async (signal?: AbortSignal): Promise<{ catalog: Catalog; database: ScopedDatabase }> => {
    const catalog = await introspect(signal)
    const [unmatched] = unmatchedPatterns(wholeCatalog() ?? catalog, scope)
    if (unmatched !== undefined)
      throw new QuerentError(
        'bad-configuration',
        `“${unmatched.pattern}” under ${unmatched.list} means nothing in this database. Correct it, or take it out of the list.`,
      )
    return { catalog, database: scopedDatabase(catalog, scope, { restricts }) }
  }
  let current = await read(signal)
  const { dialect } = current.catalog
  return {
    introspect: async signal => {
      current = await read(signal)
      return scopeCatalog(current.catalog, scope, current.database)
    },
    guard: makeScopedGuard(guard, {
      dialect,
      find: (schema, name) => current.database.find(schema, name),
      callsRefusal: calls => current.database.callsRefusal(calls),
      syntaxRefusal: tree => current.database.syntaxRefusal(tree),
      typesRefusal: types => current.database.typesRefusal(types),
      labelsRefusal: tree => current.database.labelsRefusal(tree),
    }),
  }
}

/**
 * The guard of one database: what `guard` allows, and of that only what reads nothing but the tables and columns that
 * `find` finds open. What cannot be looked up to the end is refused.
 */
export const makeScopedGuard =
  (guard: Guard, { dialect, ...database }: { readonly dialect: Dialect } & LookUps): Guard =>
  (sql, asked) => {
    const verdict = guard(sql, asked)
    if (verdict.verdict === 'refuse') return verdict
    if (asked !== dialect)
      return { verdict: 'refuse', reason: `it is ${asked}, but the database speaks ${dialect}` }
    const reason = reasonOf(verdict.guarded, database)
    return reason === null ? verdict : { verdict: 'refuse', reason }
  }

/** What the guard asks a database under a scope. */
type LookUps = Pick<ScopedDatabase, 'find'> &
  Partial<Pick<ScopedDatabase, 'callsRefusal' | 'syntaxRefusal' | 'typesRefusal' | 'labelsRefusal'>>

const reasonOf = (guarded: GuardedSql, { find, ...database }: LookUps): string | null => {
  const unread = 'it has a form in which nobody can tell which tables and columns it reads'
  try {
    const tree = treeOfGuarded(guarded)
    if (tree === null) return unread
    return (
      database.callsRefusal?.(functionCalls(tree)) ??
      database.syntaxRefusal?.(tree) ??
      database.typesRefusal?.(namedTypes(tree)) ??
      database.labelsRefusal?.(tree) ??
      scopeRefusal(tree, guarded.dialect, find)
    )
  } catch {
    return unread
  }
}

/**
 * The catalog that everything but the guard sees: closed tables and hidden columns are not in it, nor keys over them.
 * Masked columns stay by name and type, with a mark, without a profile or labels. Views have no definition any more, because
 * it may name what is hidden.
 */
const scopeCatalog = (
  catalog: Catalog,
  scope: ReadScope,
  database: ScopedDatabase = scopedDatabase(catalog, scope),
): Catalog => {
  const open = database.tables.filter(({ table }) => database.isOpen(table))
  const tables = open.map(({ table, columns }): Table => {
    const seen = table.columns.flatMap(({ generatedFrom: _generatedFrom, ...column }, at): Column[] => {
      switch (columns[at]?.access) {
        case 'open':
          return [column]
        case 'masked':
          return [{ ...column, profile: null, masked: true }]
        default:
          return []
      }
    })
    const {
      definition: _definition,
      hiddenColumns: _hidden,
      parents: _parents,
      callsOwn: _calls,
      ...rest
    } = table
    const isWhole = table.primaryKey.every(name => seen.some(column => column.name === name))
    return { ...rest, columns: seen, primaryKey: isWhole ? table.primaryKey : [] }
  })
  const named = new Map(open.map(({ table }, index) => [table, tables[index] as Table]))
  const isSeen = (side: ForeignKey['from']): boolean => {
    const meant = catalog.tables.filter(table => isCalled(table, side.table))
    return meant.every(table => {
      const columns = named.get(table)?.columns ?? []
      return side.columns.every(name => columns.some(column => column.name === name))
    })
  }
  const { functions: _functions, types: _types, ownSyntax: _ownSyntax, ...others } = catalog
  const seen = {
    ...others,
    tables: tables.filter(table => table.columns.length > 0),
    foreignKeys: catalog.foreignKeys.filter(key => isSeen(key.from) && isSeen(key.to)),
  }
  return database.restricts ? hideLabels(seen, ({ masked }) => masked === true) : seen
}

/** Patterns that mean nothing in this catalog, with the list that each stands in. */
const unmatchedPatterns = (
  { tables, dialect }: Catalog,
  scope: ReadScope,
): readonly { readonly list: string; readonly pattern: string }[] => {
  const hasTable = (pattern: string): boolean => tables.some(table => matchesTable(pattern, table, dialect))
  const hasColumn = (pattern: string): boolean =>
    tables.some(table => table.columns.some(column => matchesColumn(pattern, table, column, dialect)))
  const lists = [
    ['tables.include', scope.tables.include, hasTable],
    ['tables.include', scope.tables.within ?? [], hasTable],
    ['tables.exclude', scope.tables.exclude, hasTable],
    ['columns.exclude', scope.columns.exclude, hasColumn],
    ['columns.mask', scope.columns.mask, hasColumn],
  ] as const
  return lists.flatMap(([list, patterns, has]) =>
    patterns.filter(pattern => !has(pattern)).map(pattern => ({ list, pattern })),
  )
}

/** The guard of a database, which also refuses tables that its catalog does not have, with the nearest name. */
export const makeKnownTablesGuard = (
  guard: (sql: string) => GuardVerdict,
  catalog: Catalog,
): ((sql: string) => GuardVerdict) => {
  const { find } = scopedDatabase(catalog, unrestrictedScope)
  return sql => {
    const verdict = guard(sql)
    const tree = verdict.verdict === 'allow' ? treeOfGuarded(verdict.guarded) : null
    if (tree === null) return verdict
    for (const source of sqlScopes(tree).flatMap(scope => scope.sources)) {
      const { kind, name } = source
      if (kind !== 'table' || name === null) continue
      const schema = schemaWithCatalog(source)
      const found = find(schema, name)
      if (!found.ok)
        return {
          verdict: 'refuse',
          reason: scopeMessages.table(schema === null ? name : `${schema}.${name}`, found.nearest),
        }
    }
    return verdict
  }
}
