import type { ParseDialect } from '../../core/dialect.ts'
import type { ParsedSql } from '../../sql/parse-sql.ts'
import { sqlTokens } from '../../sql/sql-tokens.ts'
import { describeNode } from './noun-of.ts'
import { tokenRefusal } from './token-refusal.ts'

/**
 * Why a text that could not be parsed is refused, in words. A statement that is no query, or that has a word in it
 * which no query may have, is told so: that says more than the parser's complaint.
 */
export const unparsedRefusal = (
  sql: string,
  dialect: ParseDialect,
  { message, position }: Extract<ParsedSql, { ok: false }>,
): string => {
  if (/^it /.test(message)) return message
  const cut = sqlTokens(sql, dialect)
  const [first] = cut.ok ? cut.tokens : []
  if (!cut.ok || first === undefined) return `it could not be read as ${dialect} SQL: ${message}`
  if (otherStatements.has(first.value)) return `it is no query but ${describeNode('command', first.text)}`
  const rest = position === null || /\bnear\b/.test(message) ? '' : sql.slice(position, position + 20).trim()
  const where = rest === '' ? '' : ` near "${rest}"`
  return tokenRefusal({ ...cut, dialect }) ?? `it could not be read as ${dialect} SQL: ${message}${where}`
}

const otherStatements = new Set(
  `insert update delete merge replace upsert create alter drop truncate attach detach pragma explain describe show set
   use copy call exec execute prepare declare begin commit rollback vacuum analyze reindex grant revoke load install
   export import checkpoint lock unlock kill do handler put`.split(/\s+/),
)
