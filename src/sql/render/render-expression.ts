import type { Dialect } from '../../core/dialect.ts'
import type { Expression } from './expression.ts'
import { quoteIdentifier } from './quote-identifier.ts'
import { quoteLiteral } from './quote-literal.ts'
import { renderMoment } from './render-moment.ts'
import { renderTruncate } from './render-truncate.ts'
import type { Query } from './select-query.ts'

/** How a query inside an expression is written; given in, because queries hold expressions and the other way round. */
export type RenderQuery = (query: Query, dialect: Dialect) => string

/** Writes an expression in a dialect. Parts of AND and OR that are AND or OR themselves stand in parentheses. */
export const renderExpression = (
  expression: Expression,
  dialect: Dialect,
  renderQuery: RenderQuery,
): string => {
  const render = (inner: Expression): string => renderExpression(inner, dialect, renderQuery)
  switch (expression.kind) {
    case 'column':
      return expression.table === null
        ? quoteIdentifier(expression.name, dialect)
        : `${quoteIdentifier(expression.table, dialect)}.${quoteIdentifier(expression.name, dialect)}`
    case 'literal':
      return quoteLiteral(expression.value, dialect)
    case 'moment':
      return renderMoment(expression.day, expression.type, expression.timeZone, dialect)
    case 'star':
      return expression.table === null ? '*' : `${quoteIdentifier(expression.table, dialect)}.*`
    case 'aggregate':
      return `${expression.fn.toUpperCase()}(${expression.distinct ? 'DISTINCT ' : ''}${render(expression.argument)})`
    case 'truncate':
      return renderTruncate(
        expression.unit,
        render(expression.argument),
        expression.type,
        expression.timeZone,
        dialect,
      )
    case 'compare':
      return `${render(expression.left)} ${expression.operator} ${render(expression.right)}`
    case 'between':
      return `${render(expression.argument)} ${not(expression.negated)}BETWEEN ${render(expression.low)} AND ${render(expression.high)}`
    case 'matches':
      return renderMatches(render(expression.argument), expression, dialect)
    case 'is-null':
      return `${render(expression.argument)} IS ${not(expression.negated)}NULL`
    case 'in':
      return `${render(expression.argument)} ${not(expression.negated)}IN (${renderAmong(expression.among, dialect, renderQuery)})`
    case 'subquery':
      return `(${renderQuery(expression.query, dialect)})`
    case 'case': {
      const otherwise = expression.otherwise === null ? '' : ` ELSE ${render(expression.otherwise)}`
      return `CASE WHEN ${render(expression.when)} THEN ${render(expression.result)}${otherwise} END`
    }
    // What is taken away is an aggregate or a column here, so it needs no parentheses.
    case 'minus':
      return `${render(expression.left)} - ${render(expression.right)}`
    case 'and':
    case 'or':
      return expression.parts
        .map(part => (part.kind === 'and' || part.kind === 'or' ? `(${render(part)})` : render(part)))
        .join(` ${expression.kind.toUpperCase()} `)
  }
}

const not = (negated: boolean): string => (negated ? 'NOT ' : '')

const renderAmong = (
  among: readonly Expression[] | Query,
  dialect: Dialect,
  renderQuery: RenderQuery,
): string =>
  'kind' in among
    ? renderQuery(among, dialect)
    : among.map(one => renderExpression(one, dialect, renderQuery)).join(', ')

/** LIKE ignores case for ASCII in SQLite and MySQL by itself; the others have ILIKE. */
const renderMatches = (
  argument: string,
  match: Extract<Expression, { kind: 'matches' }>,
  dialect: Dialect,
): string => {
  const escaped = match.text.replace(/[%_!]/g, '!$&')
  const pattern =
    match.place === 'start' ? `${escaped}%` : match.place === 'end' ? `%${escaped}` : `%${escaped}%`
  const operator = dialect === 'postgres' || dialect === 'duckdb' ? 'ILIKE' : 'LIKE'
  // A backslash escapes in all of them but SQLite, unless another character is named.
  const escaping = escaped === match.text && !match.text.includes('\\') ? '' : " ESCAPE '!'"
  return `${argument} ${not(match.negated)}${operator} ${quoteLiteral(pattern, dialect)}${escaping}`
}
