import { brandGuardedSql, type Guard, type GuardVerdict } from '../../domain/sql.ts'
import { functionCalls, type SqlCall } from '../../sql/analyze/function-calls.ts'
import { sqlScopes, type TableReference } from '../../sql/analyze/sql-scopes.ts'
import { unaccountedToken } from '../../sql/analyze/unread-token.ts'
import { wideFold } from '../../sql/analyze/wide-fold.ts'
import { dialectNamed } from '../../sql/dialects.ts'
import { parseSql } from '../../sql/parse/parse-sql.ts'
import { readQuery } from '../../sql/parse/read-statements.ts'
import type { SqlTree } from '../../sql/parse/sql-tree.ts'
import type { GuardRules } from '../../sql/sql-dialect.ts'
import { tablesIn } from '../../sql/tree/tables-in.ts'
import { keepTree } from './guarded-tree.ts'
import { sizeRefusal } from './size-refusal.ts'
import { tokenRefusal, unparsedRefusal } from './token-refusal.ts'
import { polyglotRefusal, postgresRefusal } from './tree-refusal.ts'

/** `allowFunctions`: more functions that can be called, with their schema if they are called with it. */
interface GuardOptions {
  readonly allowFunctions?: readonly string[]
}

/**
 * Makes the guard: SQL text to `GuardedSql`, or a refusal that names the offending part. It parses the text and allows
 * only what it knows: one statement, a query, nodes and functions from lists, no system tables. It is the first of
 * several safeguards: a read-only role, a READ ONLY transaction and the statement timeout follow.
 */
export const makeGuard = (options: GuardOptions = {}): Guard => {
  const extra = new Set(options.allowFunctions ?? [])
  return (sql, dialect) => {
    try {
      const parsed = parseSql(sql, dialect)
      if (!parsed.ok) return refuse(unparsedRefusal(sql, dialect, parsed))
      const reason = refusal(parsed.tree, extra)
      return reason === null
        ? { verdict: 'allow', guarded: keepTree(brandGuardedSql(sql, dialect), parsed.tree) }
        : refuse(reason)
    } catch {
      // What could not be checked completely is refused.
      return refuse('it could not be checked')
    }
  }
}

const refuse = (reason: string): GuardVerdict => ({ verdict: 'refuse', reason })

const refusal = (tree: SqlTree, extra: ReadonlySet<string>): string | null => {
  const rules = dialectNamed(tree.dialect).guard
  if (tree.statements.length === 0) return 'it is empty'
  if (tree.statements.length > 1)
    return `it has ${tree.statements.length} statements; only one may be run at a time`
  const calls = functionCalls(tree)
  return (
    (tree.parser === 'libpg-query' ? postgresRefusal(tree) : polyglotRefusal(tree)) ??
    tokenRefusal(tree) ??
    tableRefusal(tree, rules) ??
    firstOf(calls, call => callRefusal(call, rules, extra)) ??
    sizeRefusal(tree, calls, rules.sizes) ??
    unaccountedRefusal(tree)
  )
}

/** Checked last: every other reason says more about what is wrong. */
const unaccountedRefusal = (tree: SqlTree): string | null => {
  const lost = unaccountedToken(tree)
  return lost === null
    ? null
    : `it has a part that could not be understood, at "${tree.sql.slice(lost.start, lost.start + 20)}"`
}

/**
 * A query of WITH under the name of a system table is refused like the table: which of the two a server means is up to how
 * it compares names.
 */
const tableRefusal = (tree: SqlTree, rules: GuardRules): string | null => {
  const query = readQuery(tree)
  const named = query === null ? [] : tablesIn(query)
  const read = sqlScopes(tree)
    .flatMap(scope => scope.sources)
    .flatMap(({ kind, name, ...source }) => (kind === 'table' && name !== null ? [{ ...source, name }] : []))
  return (
    firstOf([...read, ...named], table => systemTableRefusal(table, rules)) ??
    firstOf(read, table => fileRefusal(table, rules))
  )
}

const firstOf = <T>(items: readonly T[], reasonOf: (item: T) => string | null): string | null => {
  for (const item of items) {
    const reason = reasonOf(item)
    if (reason !== null) return reason
  }
  return null
}

/** System catalogs show everything in a server. */
const systemTableRefusal = (
  table: TableReference,
  { systemTables: { schemas, names } }: Pick<GuardRules, 'systemTables'>,
): string | null => {
  const qualifiers = [table.catalog, table.schema].filter(part => part !== null)
  const isSystem = qualifiers.some(part => schemas.test(wideFold(part))) || names.test(wideFold(table.name))
  return isSystem ? `it reads ${writtenName(table)}, a system table` : null
}

/** DuckDB takes a name that looks like a file for that file. */
const fileRefusal = (
  table: TableReference,
  { readsFilesAsTables }: Pick<GuardRules, 'readsFilesAsTables'>,
): string | null => {
  const full = writtenName(table)
  return readsFilesAsTables && looksLikeFile(full, table.name) ? `it reads the file ${full}` : null
}

const writtenName = ({ catalog, schema, name }: TableReference): string =>
  [catalog, schema, name].filter(part => part !== null).join('.')

const looksLikeFile = (full: string, name: string): boolean =>
  /[/\\*?:]/.test(full) ||
  name.includes('.') ||
  /\.(?:csv|tsv|txt|json|jsonl|ndjson|parquet|pq|db|duckdb|sqlite|sqlite3|xlsx?|arrow|feather|avro|orc|gz|zst|zip|vortex)$/i.test(
    full,
  )

/**
 * Why a call is refused, in words; null if it is allowed. `extra` are names that the owner of the database allows as
 * well, with their schema if they are called with it.
 */
const callRefusal = (
  call: SqlCall,
  rules: Pick<GuardRules, 'functions' | 'isPlainSchema'>,
  extra: ReadonlySet<string>,
): string | null => {
  const full = call.schema === null ? call.name : `${call.schema}.${call.name}`
  if (extra.has(full)) return null
  const isPlain = call.schema === null || rules.isPlainSchema(call.schema)
  return isPlain && rules.functions.has(call.name)
    ? null
    : `it calls ${full}, which is not on the list of allowed functions`
}
