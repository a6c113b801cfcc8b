import type { ParseDialect } from '../../domain/sql.ts'
import { parseSqlCached } from '../parse-sql.ts'
import { polyglotQuery } from './polyglot-query.ts'
import { postgresQuery } from './postgres-query.ts'
import type { QueryTree } from './query-tree.ts'

/** A single query as a tree that is the same for every dialect; null when it cannot be parsed or is no query. */
export const readQueryTree = (sql: string, dialect: ParseDialect): QueryTree | null => {
  const parsed = parseSqlCached(sql, dialect)
  if (!parsed.ok || parsed.tree.statements.length !== 1) return null
  const [statement] = parsed.tree.statements
  if (parsed.tree.parser === 'libpg-query') return postgresQuery(statement)
  return polyglotQuery(statement, dialect === 'sqlite' ? [...parsed.tree.read] : [])
}
