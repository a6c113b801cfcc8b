import type { ParseDialect } from '../core/dialect.ts'
import { parseSql } from './parse-sql.ts'
import { foldPolyglot } from './polyglot-fold.ts'
import { generatePolyglot } from './polyglot-parser.ts'
import { deparsePostgres } from './postgres-deparser.ts'
import { foldPostgres } from './postgres-fold.ts'

/**
 * One way of writing for statements that differ in case, white space, comments, aliases, headings and a final
 * semicolon only. Literals, quoted names and the order of clauses stay. For comparing, never for executing. Null
 * when the text is not one statement that can be parsed and written back.
 */
export const normaliseSql = (sql: string, dialect: ParseDialect): string | null => {
  const parsed = parseSql(sql, dialect)
  const [statement, second] = parsed.ok ? parsed.tree.statements : []
  if (!parsed.ok || statement === undefined || second !== undefined) return null
  return parsed.tree.parser === 'libpg-query'
    ? deparsePostgres(foldPostgres(statement))
    : generatePolyglot(foldPolyglot(statement, parsed.tree), dialect)
}
