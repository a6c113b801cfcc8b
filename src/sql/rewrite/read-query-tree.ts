import type { ParseDialect } from '../../domain/sql.ts'
import { parseSqlCached } from '../parse/parse-sql.ts'
import { readQuery } from '../parse/read-statements.ts'
import type { QueryTree } from '../tree/query-tree.ts'
import { plainQuery } from './plain-query.ts'

/** A single query as a plain tree, the same for every dialect; null if it cannot be parsed or is no query. */
export const readQueryTree = (sql: string, dialect: ParseDialect): QueryTree | null => {
  const parsed = parseSqlCached(sql, dialect)
  const query = parsed.ok ? readQuery(parsed.tree) : null
  return query === null ? null : plainQuery(query)
}
