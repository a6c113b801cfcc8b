import type { ParseDialect } from '../core/dialect.ts'
import { normalizePolyglot } from './polyglot-fold.ts'
import { maskPolyglot } from './polyglot-mask.ts'
import { generatePolyglot } from './polyglot-parser.ts'
import { deparsePostgres } from './postgres-deparser.ts'
import { normalizePostgres } from './postgres-fold.ts'
import { maskedLiteral, maskPostgres } from './postgres-mask.ts'
import { parseSqlCached } from './read-sql.ts'

/**
 * The shape of a statement: names as `_`, literals as `?`, functions and clauses as they are. Statements that ask
 * the same of other tables have the same skeleton (DAIL-SQL, section 3.2). Comparable within one dialect. Null when
 * the text is not one statement that can be parsed and written back.
 */
export const sqlSkeleton = (sql: string, dialect: ParseDialect): string | null => {
  const parsed = parseSqlCached(sql, dialect)
  const [statement, second] = parsed.ok ? parsed.tree.statements : []
  if (!parsed.ok || statement === undefined || second !== undefined) return null
  return parsed.tree.parser === 'libpg-query'
    ? (deparsePostgres(maskPostgres(normalizePostgres(statement)))?.replaceAll(maskedLiteral, '?') ?? null)
    : generatePolyglot(maskPolyglot(normalizePolyglot(statement, parsed.tree)), dialect)
}
