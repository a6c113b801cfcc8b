import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../dialects.ts'
import type {
  Expression,
  MomentType,
  OrderItem,
  Query,
  SelectItem,
  SelectQuery,
  TableSource,
} from './query.ts'
import { quoteIdentifier, quoteLiteral } from './quote.ts'

/** Writes a query as text in a dialect: one clause a line, upper-case keywords, names quoted only where they must be. */
export const renderSelect = (query: Query, dialect: Dialect): string => {
  if (query.kind === 'select') return renderOne(query, dialect)
  return `${renderSelect(query.left, dialect)}\n${query.operator.toUpperCase()}\n${renderSelect(query.right, dialect)}`
}

const renderOne = (query: SelectQuery, dialect: Dialect): string => {
  const render = (expression: Expression): string => renderExpression(expression, dialect, renderSelect)
  const clauses = [
    `SELECT ${query.distinct ? 'DISTINCT ' : ''}${query.items.map(item => renderItem(item, query, dialect)).join(', ')}`,
    `FROM ${renderTable(query.from, dialect)}`,
    ...query.joins.map(
      join =>
        `${join.kind === 'left' ? 'LEFT JOIN' : 'JOIN'} ${renderTable(join.table, dialect)} ON ${render(join.on)}`,
    ),
  ]
  if (query.where) clauses.push(`WHERE ${render(query.where)}`)
  if (query.groupBy.length > 0) clauses.push(`GROUP BY ${query.groupBy.map(render).join(', ')}`)
  if (query.having) clauses.push(`HAVING ${render(query.having)}`)
  if (query.orderBy.length > 0)
    clauses.push(`ORDER BY ${query.orderBy.map(item => renderOrder(item, dialect)).join(', ')}`)
  if (query.limit !== null) clauses.push(`LIMIT ${Math.max(0, Math.trunc(query.limit))}`)
  return clauses.join('\n')
}

const renderItem = (item: SelectItem, query: SelectQuery, dialect: Dialect): string => {
  const { expression } = item
  // MySQL takes a bare star only in front of everything else.
  if (
    databaseDialect(dialect).rendering.starMustBeFirst &&
    query.items.length > 1 &&
    expression.kind === 'star' &&
    expression.table === null
  )
    return [query.from, ...query.joins.map(join => join.table)]
      .map(table => `${quoteIdentifier(table.alias ?? table.name, dialect)}.*`)
      .join(', ')
  const text = renderExpression(expression, dialect, renderSelect)
  return item.alias === null ? text : `${text} AS ${quoteIdentifier(item.alias, dialect)}`
}

const renderTable = (table: TableSource, dialect: Dialect): string => {
  const name = quoteIdentifier(table.name, dialect)
  const full = table.schema === null ? name : `${quoteIdentifier(table.schema, dialect)}.${name}`
  return table.alias === null ? full : `${full} AS ${quoteIdentifier(table.alias, dialect)}`
}

/**
 * Nulls last, in both directions: nobody who asks for the highest wants to see the missing ones first. Postgres puts
 * them first when descending; the other dialects when ascending. MySQL has no NULLS LAST and sorts by `IS NULL` first.
 */
const renderOrder = (item: OrderItem, dialect: Dialect): string => {
  const text = renderExpression(item.expression, dialect, renderSelect)
  const direction = item.direction === 'desc' ? ' DESC' : ''
  if (!item.nullable) return `${text}${direction}`
  const { nullsLastWhen, hasNullsLast } = databaseDialect(dialect).rendering
  if (item.direction === nullsLastWhen) return `${text}${direction}`
  return hasNullsLast ? `${text}${direction} NULLS LAST` : `${text} IS NULL, ${text}${direction}`
}

/** How a query inside an expression is written; given in, because queries hold expressions and the other way round. */
type RenderQuery = (query: Query, dialect: Dialect) => string

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
      return databaseDialect(dialect).rendering.truncate(
        expression.unit,
        render(expression.argument),
        expression.type,
        expression.timeZone,
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
  const operator = databaseDialect(dialect).rendering.hasIlike ? 'ILIKE' : 'LIKE'
  // A backslash escapes in all of them but SQLite, unless another character is named.
  const escaping = escaped === match.text && !match.text.includes('\\') ? '' : " ESCAPE '!'"
  return `${argument} ${not(match.negated)}${operator} ${quoteLiteral(pattern, dialect)}${escaping}`
}

/**
 * Midnight of an ISO day in a form that compares with a column of `type`. For a column with a zone it is midnight in
 * `timeZone`; a column without one is taken as it stands.
 */
export const renderMoment = (day: string, type: MomentType, timeZone: string, dialect: Dialect): string => {
  const { quoteText, moment } = databaseDialect(dialect).rendering
  return type === 'text' ? quoteText(day) : moment(day, type, timeZone)
}
