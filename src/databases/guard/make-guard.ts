import type { ParseDialect } from '../../core/dialect.ts'
import { brandGuardedSql, type Guard, type GuardVerdict } from '../../core/guarded-sql.ts'
import { functionCalls } from '../../sql/function-calls.ts'
import { parseSql } from '../../sql/parse-sql.ts'
import { sqlScopes } from '../../sql/sql-scopes.ts'
import type { SqlTree } from '../../sql/sql-tree.ts'
import { unaccountedToken } from '../../sql/unread-token.ts'
import { callRefusal } from './call-refusal.ts'
import { polyglotRefusal } from './polyglot-refusal.ts'
import { postgresRefusal } from './postgres-refusal.ts'
import { systemTableRefusal } from './system-table-refusal.ts'
import { tokenRefusal } from './token-refusal.ts'
import { unparsedRefusal } from './unread-refusal.ts'

/** `allowFunctions`: names that may be called besides the house's lists, with their schema if called with it. */
export interface GuardOptions {
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
