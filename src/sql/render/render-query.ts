import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../dialects.ts'
import type {
  Expression,
  FromSource,
  JoinedSource,
  MomentType,
  Ordering,
  Output,
  QueryTree,
  SelectTree,
} from '../tree/query-tree.ts'
import { quoteIdentifier, quoteLiteral } from './quote.ts'

/**
 * Writes a query that we built as text in a dialect: one clause a line, upper-case keywords, names quoted only where
 * they must be. Throws at forms that only parsed text has.
 */
export const renderQuery = (query: QueryTree, dialect: Dialect): string => {
  if (query.kind === 'select') return renderSelect(query, dialect)
  const operator = `${query.operator.toUpperCase()}${query.all ? ' ALL' : ''}`
  return `${renderQuery(query.left, dialect)}\n${operator}\n${renderQuery(query.right, dialect)}`
}

const renderSelect = (query: SelectTree, dialect: Dialect): string => {
  const render = (expression: Expression): string => renderExpression(expression, dialect)
  const clauses = [
    `SELECT ${query.distinct ? 'DISTINCT ' : ''}${query.outputs.map(output => renderOutput(output, query, dialect)).join(', ')}`,
    ...query.from.map(joined => renderJoined(joined, dialect)),
  ]
  if (query.where) clauses.push(`WHERE ${render(query.where)}`)
  if (query.groupBy.length > 0) clauses.push(`GROUP BY ${query.groupBy.map(render).join(', ')}`)
  if (query.having) clauses.push(`HAVING ${render(query.having)}`)
  if (query.orderBy.length > 0)
    clauses.push(`ORDER BY ${query.orderBy.map(key => renderOrdering(key, dialect)).join(', ')}`)
  if (query.limit) clauses.push(`LIMIT ${render(query.limit)}`)
  return clauses.join('\n')
}

const renderOutput = (
  { expression, alias }: Output,
  { outputs, from }: SelectTree,
  dialect: Dialect,
): string => {
  // MySQL takes a bare star only in front of everything else.
  if (
    databaseDialect(dialect).rendering.starMustBeFirst &&
    outputs.length > 1 &&
    expression.kind === 'star' &&
    expression.qualifier === null
  )
    return from
      .map(({ source }) => tableOf(source))
      .map(table => `${quoteIdentifier(table.alias ?? table.name, dialect)}.*`)
      .join(', ')
  const text = renderExpression(expression, dialect)
  return alias === null ? text : `${text} AS ${quoteIdentifier(alias, dialect)}`
}

const renderJoined = ({ source, join, on }: JoinedSource, dialect: Dialect): string => {
  const table = renderTable(source, dialect)
  if (join === null) return `FROM ${table}`
  if ((join !== 'inner' && join !== 'left') || on === null) throw new Error(`a ${join} join is not written`)
  return `${join === 'left' ? 'LEFT JOIN' : 'JOIN'} ${table} ON ${renderExpression(on, dialect)}`
}

const renderTable = (source: FromSource, dialect: Dialect): string => {
  const { schema, name, alias } = tableOf(source)
  const bare = quoteIdentifier(name, dialect)
  const full = schema === null ? bare : `${quoteIdentifier(schema, dialect)}.${bare}`
  return alias === null ? full : `${full} AS ${quoteIdentifier(alias, dialect)}`
}

const tableOf = (source: FromSource): Extract<FromSource, { kind: 'table' }> => {
  if (source.kind !== 'table') throw new Error(`a source of the kind ${source.kind} is not written`)
  return source
}

/**
 * Nulls last, in both directions: nobody who asks for the highest wants to see the missing ones first. Postgres puts
 * them first when descending; the other dialects when ascending. MySQL has no NULLS LAST and sorts by `IS NULL` first.
 */
const renderOrdering = ({ expression, direction, nullsLast }: Ordering, dialect: Dialect): string => {
  const text = renderExpression(expression, dialect)
  const key = `${text}${direction === 'desc' ? ' DESC' : ''}`
  const { nullsLastWhen, hasNullsLast } = databaseDialect(dialect).rendering
  if (nullsLast !== true || direction === nullsLastWhen) return key
  return hasNullsLast ? `${key} NULLS LAST` : `${text} IS NULL, ${key}`
}

/** Writes an expression in a dialect. Parts of AND and OR that are AND or OR themselves stand in parentheses. */
export const renderExpression = (expression: Expression, dialect: Dialect): string => {
  const render = (inner: Expression): string => renderExpression(inner, dialect)
  switch (expression.kind) {
    case 'column':
      return [expression.qualifier, expression.name]
        .filter(name => name !== null)
        .map(name => quoteIdentifier(name, dialect))
        .join('.')
    case 'star':
      return expression.qualifier === null ? '*' : `${quoteIdentifier(expression.qualifier, dialect)}.*`
    case 'text':
      return quoteLiteral(expression.value, dialect)
    case 'number':
      return expression.value
    case 'constant':
      return quoteLiteral(expression.value === 'null' ? null : expression.value === 'true', dialect)
    case 'moment':
      return renderMoment(expression.day, expression.type, expression.timeZone, dialect)
    case 'truncate': {
      const { unit, operand, type, timeZone } = expression
      return databaseDialect(dialect).rendering.truncate(unit, render(operand), type, timeZone)
    }
    case 'aggregate': {
      const inside = expression.argument === null ? '*' : render(expression.argument)
      return `${expression.name.toUpperCase()}(${expression.distinct ? 'DISTINCT ' : ''}${inside})`
    }
    // What is taken away is an aggregate or a column here, so it needs no parentheses.
    case 'arithmetic':
      return `${render(expression.left)} ${expression.operator} ${render(expression.right)}`
    case 'compare': {
      const { left, right, details } = expression
      const [escapedBy] = details
      return `${render(left)} ${operatorOf(expression, dialect)} ${render(right)}${escapedBy ? ` ESCAPE ${render(escapedBy)}` : ''}`
    }
    case 'between':
      return `${render(expression.operand)} ${not(expression)}BETWEEN ${render(expression.low)} AND ${render(expression.high)}`
    case 'null-test':
      return `${render(expression.operand)} IS ${not(expression)}NULL`
    case 'in': {
      const { operand, among } = expression
      const inside = 'kind' in among ? renderQuery(among, dialect) : among.map(render).join(', ')
      return `${render(operand)} ${not(expression)}IN (${inside})`
    }
    case 'subquery':
      return `(${renderQuery(expression.query, dialect)})`
    case 'case': {
      const branches = expression.branches.map(
        ({ when, value }) => `WHEN ${render(when)} THEN ${render(value)}`,
      )
      const otherwise = expression.otherwise === null ? [] : [`ELSE ${render(expression.otherwise)}`]
      return ['CASE', ...branches, ...otherwise, 'END'].join(' ')
    }
    case 'and':
    case 'or':
      return expression.operands
        .map(part => (part.kind === 'and' || part.kind === 'or' ? `(${render(part)})` : render(part)))
        .join(` ${expression.kind.toUpperCase()} `)
    default:
      throw new Error(`an expression of the kind ${expression.kind} is not written`)
  }
}

const not = ({ negated }: { readonly negated: boolean }): string => (negated ? 'NOT ' : '')

/** LIKE ignores case for ASCII in SQLite and MySQL by itself; the others have ILIKE. */
const operatorOf = (
  { operator, variant }: Extract<Expression, { kind: 'compare' }>,
  dialect: Dialect,
): string => {
  const written = operator.toUpperCase()
  return variant === 'no-case' && databaseDialect(dialect).rendering.hasIlike
    ? written.replace('LIKE', 'ILIKE')
    : written
}

/**
 * Midnight of an ISO day in a form that compares with a column of `type`. For a column with a zone it is midnight in
 * `timeZone`; a column without one is taken as it stands.
 */
export const renderMoment = (day: string, type: MomentType, timeZone: string, dialect: Dialect): string => {
  const { quoteText, moment } = databaseDialect(dialect).rendering
  return type === 'text' ? quoteText(day) : moment(day, type, timeZone)
}
