import { brandGuardedSql, type Guard, type GuardVerdict, type ParseDialect } from '../../domain/sql.ts'
import { functionCalls } from '../../sql/function-calls.ts'
import { parseSql } from '../../sql/parse-sql.ts'
import { sqlScopes, type TableReference } from '../../sql/sql-scopes.ts'
import type { SqlTree } from '../../sql/sql-tree.ts'
import { unaccountedToken } from '../../sql/unread-token.ts'
import { callRefusal } from './call-refusal.ts'
import { tokenRefusal, unparsedRefusal } from './token-refusal.ts'
import { polyglotRefusal, postgresRefusal } from './tree-refusal.ts'

/** `allowFunctions`: names that may be called besides the house's lists, with their schema if called with it. */
interface GuardOptions {
  readonly allowFunctions?: readonly string[]
}

/**
 * Makes the guard: SQL text to `GuardedSql`, or a refusal that names the offending part (threats T1 and T2). It
 * reads the text as a tree and lets through only what it knows: one statement, a query, nodes and functions from
 * lists, no system tables. It is the first wall, not the only one: behind it stand a read-only role, a READ ONLY
 * transaction and the statement timeout.
 */
export const makeGuard = (options: GuardOptions = {}): Guard => {
  const extra = new Set(options.allowFunctions ?? [])
  return (sql, dialect) => {
    try {
      const reason = refusal(sql, dialect, extra)
      return reason === null ? { verdict: 'allow', guarded: brandGuardedSql(sql, dialect) } : refuse(reason)
    } catch {
      // Whatever could not be looked at to the end is not let through.
      return refuse('it could not be checked')
    }
  }
}

const refuse = (reason: string): GuardVerdict => ({ verdict: 'refuse', reason })

const refusal = (sql: string, dialect: ParseDialect, extra: ReadonlySet<string>): string | null => {
  const parsed = parseSql(sql, dialect)
  if (!parsed.ok) return unparsedRefusal(sql, dialect, parsed)
  const { tree } = parsed
  if (tree.statements.length === 0) return 'it is empty'
  if (tree.statements.length > 1)
    return `it has ${tree.statements.length} statements; only one may be run at a time`
  return (
    (tree.parser === 'libpg-query' ? postgresRefusal(tree) : polyglotRefusal(tree)) ??
    tokenRefusal(tree) ??
    tableRefusal(tree) ??
    firstOf(functionCalls(tree), call => callRefusal(call, dialect, extra)) ??
    unaccountedRefusal(tree)
  )
}

/** Last, because everything else says more about what is wrong. */
const unaccountedRefusal = (tree: SqlTree): string | null => {
  const lost = unaccountedToken(tree)
  return lost === null
    ? null
    : `it has a part that could not be understood, at "${tree.sql.slice(lost.start, lost.start + 20)}"`
}

const tableRefusal = (tree: SqlTree): string | null =>
  firstOf(
    sqlScopes(tree).flatMap(scope => scope.sources),
    ({ kind, catalog, schema, name }) =>
      kind === 'table' && name !== null ? systemTableRefusal({ catalog, schema, name }, tree.dialect) : null,
  )

const firstOf = <T>(items: readonly T[], reasonOf: (item: T) => string | null): string | null => {
  for (const item of items) {
    const reason = reasonOf(item)
    if (reason !== null) return reason
  }
  return null
}

/**
 * Why a table must not be read, in words; null when it may. System catalogs tell of everything in a server, and in
 * DuckDB a name that looks like a file is a file.
 */
const systemTableRefusal = (
  { catalog, schema, name }: TableReference,
  dialect: ParseDialect,
): string | null => {
  const qualifiers = [catalog, schema].filter(part => part !== null)
  const full = [...qualifiers, name].join('.')
  const rules = systemTables[dialect] ?? otherSystemTables
  const isSystem = qualifiers.some(part => rules.schemas.test(folded(part))) || rules.names.test(folded(name))
  if (isSystem) return `it reads ${full}, a system table`
  if (dialect === 'duckdb' && looksLikeFile(full, name)) return `it reads the file ${full}`
  return null
}

interface SystemTables {
  readonly schemas: RegExp
  readonly names: RegExp
}

const none = /(?!)/

const systemTables: Readonly<Partial<Record<ParseDialect, SystemTables>>> = {
  postgres: { schemas: /^(?:pg_\w*|information_schema)$/, names: /^pg_/ },
  sqlite: {
    schemas: none,
    names: /^(?:sqlite_|pragma_|dbstat$|fsdir$|zipfile$|bytecode$|tables_used$|completion$|csv$)/,
  },
  mysql: { schemas: /^(?:mysql|information_schema|performance_schema|sys|ndbinfo)$/, names: none },
  duckdb: {
    schemas: /^(?:pg_catalog|information_schema|system|temp)$/,
    names: /^(?:duckdb_|sqlite_|pragma_|pg_)/,
  },
}

const otherSystemTables: SystemTables = {
  schemas: /^(?:information_schema|sys|system|pg_catalog|master|msdb|account_usage)$/,
  names: /^(?:sys\w*|information_schema|pg_\w+|__\w+__)$/,
}

/** MySQL finds its schemas without regard to case and accents. */
const folded = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')

const looksLikeFile = (full: string, name: string): boolean =>
  /[/\\*?:]/.test(full) ||
  name.includes('.') ||
  /\.(?:csv|tsv|txt|json|jsonl|ndjson|parquet|pq|db|duckdb|sqlite|sqlite3|xlsx?|arrow|feather|avro|orc|gz|zst|zip|vortex)$/i.test(
    full,
  )
