import type { Catalog } from '../../../core/catalog.ts'
import type { GuardVerdict } from '../../../core/guarded-sql.ts'
import { unrestrictedScope } from '../../../core/read-scope.ts'
import { parseSql } from '../../../sql/parse-sql.ts'
import { sqlScopes } from '../../../sql/sql-scopes.ts'
import { foldName } from './fold-name.ts'
import { scopedDatabase } from './scoped-database.ts'

/** The guard of a database, which also refuses tables that its catalog does not have, with the nearest name. */
export const makeKnownTablesGuard = (
  guard: (sql: string) => GuardVerdict,
  catalog: Catalog,
): ((sql: string) => GuardVerdict) => {
  const { find } = scopedDatabase(catalog, unrestrictedScope)
  const fold = (name: string): string => foldName(name, catalog.dialect)
  return sql => {
    const verdict = guard(sql)
    const parsed = verdict.verdict === 'allow' ? parseSql(sql, catalog.dialect) : null
    if (!parsed?.ok) return verdict
    for (const { kind, schema, name } of sqlScopes(parsed.tree).flatMap(scope => scope.sources)) {
      if (kind !== 'table' || name === null) continue
      const found = find(schema === null ? null : fold(schema), fold(name))
      if (!found.ok) return { verdict: 'refuse', reason: found.reason }
    }
    return verdict
  }
}
