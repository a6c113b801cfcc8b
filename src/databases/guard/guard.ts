import { brandGuardedSql, type Guard, type GuardVerdict, type ParseDialect } from '../../domain/sql.ts'
import { sqlScopes, type TableReference } from '../../sql/analyze/sql-scopes.ts'
import { dialectNamed } from '../../sql/dialects.ts'
import { functionCalls } from '../../sql/function-calls.ts'
import { parseSql } from '../../sql/parse-sql.ts'
import type { GuardRules } from '../../sql/sql-dialect.ts'
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
 * Makes the guard: SQL text to `GuardedSql`, or a refusal that names the offending part. It
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
  const rules = dialectNamed(dialect).guard
  if (tree.statements.length === 0) return 'it is empty'
  if (tree.statements.length > 1)
    return `it has ${tree.statements.length} statements; only one may be run at a time`
  return (
    (tree.parser === 'libpg-query' ? postgresRefusal(tree) : polyglotRefusal(tree)) ??
    tokenRefusal(tree) ??
    tableRefusal(tree, rules) ??
    firstOf(functionCalls(tree), call => callRefusal(call, rules, extra)) ??
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

const tableRefusal = (tree: SqlTree, rules: GuardRules): string | null =>
  firstOf(
    sqlScopes(tree).flatMap(scope => scope.sources),
    ({ kind, catalog, schema, name }) =>
      kind === 'table' && name !== null ? systemTableRefusal({ catalog, schema, name }, rules) : null,
  )

const firstOf = <T>(items: readonly T[], reasonOf: (item: T) => string | null): string | null => {
  for (const item of items) {
    const reason = reasonOf(item)
    if (reason !== null) return reason
  }
  return null
}

/**
 * Why a table must not be read, in words; null if it can be. System catalogs show everything in a server, and DuckDB
 * takes a name that looks like a file for that file.
 */
const systemTableRefusal = (
  { catalog, schema, name }: TableReference,
  rules: Pick<GuardRules, 'systemTables' | 'readsFilesAsTables'>,
): string | null => {
  const qualifiers = [catalog, schema].filter(part => part !== null)
  const full = [...qualifiers, name].join('.')
  const { schemas, names } = rules.systemTables
  const isSystem = qualifiers.some(part => schemas.test(folded(part))) || names.test(folded(name))
  if (isSystem) return `it reads ${full}, a system table`
  if (rules.readsFilesAsTables && looksLikeFile(full, name)) return `it reads the file ${full}`
  return null
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
