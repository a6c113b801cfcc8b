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
import { quoteIdentifier, quoteLiteral, quoteSchema } from './quote.ts'

/**
 * Writes a query that we built as text in a dialect: one clause a line, upper-case keywords, names quoted only where
 * they must be. Throws at forms that only parsed text has.
 */
export const renderQuery = (query: QueryTree, dialect: Dialect): string => {
  const named = query.ctes.map(
    ({ name, query }) => `${quoteIdentifier(name, dialect)} AS (\n${indent(renderQuery(query, dialect))}\n)`,
  )
  const body = query.kind === 'select' ? renderSelect(query, dialect) : renderSet(query, dialect)
  return named.length === 0 ? body : `WITH ${named.join(',\n')}\n${body}`
}

const renderSet = (query: Extract<QueryTree, { kind: 'set' }>, dialect: Dialect): string => {
  const operator = `${query.operator.toUpperCase()}${query.all ? ' ALL' : ''}`
  return `${renderQuery(query.left, dialect)}\n${operator}\n${renderQuery(query.right, dialect)}`
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ')

const renderSelect = (query: SelectTree, dialect: Dialect): string => {
  const render = (expression: Expression): string => renderExpression(expression, dialect)
  const clauses = [
    onLines(
      `SELECT${query.distinct ? ' DISTINCT' : ''}`,
      query.outputs.map(output => renderOutput(output, query, dialect)),
      ', ',
    ),
    ...query.from.map(joined => renderJoined(joined, dialect)),
  ]
  if (query.where?.kind === 'and')
    clauses.push(
      onLines(
        'WHERE',
        query.where.operands.map(part => renderOperand(part, dialect)),
        ' AND ',
      ),
    )
  else if (query.where) clauses.push(`WHERE ${render(query.where)}`)
  if (query.groupBy.length > 0) clauses.push(`GROUP BY ${query.groupBy.map(render).join(', ')}`)
  if (query.having) clauses.push(`HAVING ${render(query.having)}`)
  if (query.orderBy.length > 0)
    clauses.push(`ORDER BY ${query.orderBy.map(key => renderOrdering(key, dialect)).join(', ')}`)
  if (query.limit) clauses.push(`LIMIT ${render(query.limit)}`)
  return clauses.join('\n')
}

/** What fits beside each other on a line. */
const LINE_WIDTH = 100

/** What of it a query in brackets can take. */
const LIST_WIDTH = 60

/** A clause on one line if it fits, else with a line for each part. */
const onLines = (keyword: string, parts: readonly string[], separator: ', ' | ' AND '): string => {
  const line = `${keyword} ${parts.join(separator)}`
  if (parts.length === 1 || (line.length <= LINE_WIDTH && !line.includes('\n'))) return line
  if (separator === ' AND ') return indent(`${keyword} ${parts.join('\nAND ')}`).trimStart()
  return `${keyword}\n${indent(parts.join(',\n'))}`
}

/** A list that a query gives: on one line if it is short. */
const inBrackets = (query: string): string => {
  const line = query.replaceAll('\n', ' ')
  return line.length <= LIST_WIDTH && !query.includes('\n ') ? line : `\n${indent(query)}\n`
}

/** Part of an AND or OR: in parentheses if it is one itself. */
const renderOperand = (part: Expression, dialect: Dialect): string => {
  const text = renderExpression(part, dialect)
  return part.kind === 'and' || part.kind === 'or' ? `(${text})` : text
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
  const table = renderSource(source, dialect)
  if (join === null) return `FROM ${table}`
  if (join === 'cross') return `CROSS JOIN ${table}`
  if ((join !== 'inner' && join !== 'left') || on === null) throw new Error(`a ${join} join is not written`)
  return `${join === 'left' ? 'LEFT JOIN' : 'JOIN'} ${table} ON ${renderExpression(on, dialect)}`
}

const renderSource = (source: FromSource, dialect: Dialect): string => {
  if (source.kind === 'derived') {
    const query = `(\n${indent(renderQuery(source.query, dialect))}\n)`
    return source.alias === null ? query : `${query} AS ${quoteIdentifier(source.alias, dialect)}`
  }
  const { schema, name, alias } = tableOf(source)
  const bare = quoteIdentifier(name, dialect)
  const full = schema === null ? bare : `${quoteSchema(schema, dialect)}.${bare}`
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
    case 'date-part': {
      const { part, operand, type, timeZone } = expression
      return databaseDialect(dialect).rendering.datePart(part, render(operand), type, timeZone)
    }
    case 'shift':
      return databaseDialect(dialect).rendering.shift(
        render(expression.operand),
        expression.count,
        expression.unit,
      )
    case 'elapsed': {
      const { unit, from, until, type } = expression
      return databaseDialect(dialect).rendering.elapsed(unit, render(from), render(until), type)
    }
    case 'ratio':
      return databaseDialect(dialect).rendering.ratio(
        renderFactor(expression.numerator, dialect),
        render(expression.denominator),
      )
    case 'percentile': {
      const { percentile } = databaseDialect(dialect).rendering
      if (percentile === null) throw new Error('this dialect has no percentiles')
      return percentile(expression.fraction, render(expression.operand))
    }
    case 'fragment':
      return expression.parts.map(part => (typeof part === 'string' ? part : render(part))).join('')
    case 'paren':
      return `(${render(expression.operand)})`
    case 'call':
      return `${expression.name.toUpperCase()}(${expression.inputs.map(render).join(', ')})`
    case 'window':
      return renderWindow(expression, dialect)
    case 'not':
      return `NOT (${render(expression.operand)})`
    case 'exists':
      return `${not(expression)}EXISTS (\n${indent(renderQuery(expression.query, dialect))}\n)`
    case 'aggregate': {
      const inside = expression.argument === null ? '*' : render(expression.argument)
      if (expression.fn === 'avg' && expression.argument !== null && !expression.distinct)
        return databaseDialect(dialect).rendering.average(inside)
      return `${expression.name.toUpperCase()}(${expression.distinct ? 'DISTINCT ' : ''}${inside})`
    }
    case 'arithmetic':
      return renderArithmetic(expression, dialect)
    case 'compare': {
      const { left, right, variant, details } = expression
      if (variant === 'null-safe')
        return databaseDialect(dialect).rendering.nullSafeEquals(render(left), render(right))
      const [escapedBy] = details
      const { ignoresCase } = databaseDialect(dialect).rendering
      const side = (part: Expression): string =>
        variant === 'no-case' && ignoresCase === 'lower' ? `lower(${render(part)})` : render(part)
      return `${side(left)} ${operatorOf(expression, dialect)} ${side(right)}${escapedBy ? ` ESCAPE ${render(escapedBy)}` : ''}`
    }
    case 'between':
      return `${render(expression.operand)} ${not(expression)}BETWEEN ${render(expression.low)} AND ${render(expression.high)}`
    case 'null-test':
      return `${render(expression.operand)} IS ${not(expression)}NULL`
    case 'in': {
      const { operand, among } = expression
      const inside = 'kind' in among ? inBrackets(renderQuery(among, dialect)) : among.map(render).join(', ')
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
        .map(part => renderOperand(part, dialect))
        .join(` ${expression.kind.toUpperCase()} `)
    default:
      throw new Error(`an expression of the kind ${expression.kind} is not written`)
  }
}

/** A sum of products, quotients and what is left of them needs no parentheses but around a sum that is subtracted. */
const renderArithmetic = (
  { operator, left, right }: Extract<Expression, { kind: 'arithmetic' }>,
  dialect: Dialect,
): string => {
  const isSum = operator === '+' || operator === '-'
  const isProduct = (part: Expression): boolean =>
    part.kind === 'ratio' || (part.kind === 'arithmetic' && (part.operator === '*' || part.operator === '/'))
  const isSumToo = (part: Expression): boolean =>
    part.kind === 'arithmetic' && (part.operator === '+' || part.operator === '-')
  const render = (part: Expression, isBare: boolean): string =>
    isBare ? renderExpression(part, dialect) : renderFactor(part, dialect)
  const [bareLeft, bareRight] = [isSum && (isProduct(left) || isSumToo(left)), isSum && isProduct(right)]
  return `${render(left, bareLeft)} ${operator} ${render(right, bareRight)}`
}

/** Part of a calculation: in parentheses if it is one itself, since the text of another dialect may bind otherwise. */
const renderFactor = (expression: Expression, dialect: Dialect): string => {
  const text = renderExpression(expression, dialect)
  const isCalculation = ['arithmetic', 'ratio', 'fragment', 'elapsed', 'date-part'].includes(expression.kind)
  return isCalculation && !/^[\w.]+$/.test(text) ? `(${text})` : text
}

const renderWindow = (
  { call, partitionBy, orderBy, details }: Extract<Expression, { kind: 'window' }>,
  dialect: Dialect,
): string => {
  const over = [
    ...(partitionBy.length > 0
      ? [`PARTITION BY ${partitionBy.map(part => renderExpression(part, dialect)).join(', ')}`]
      : []),
    ...(orderBy.length > 0
      ? [`ORDER BY ${orderBy.map(key => renderOrdering(key, dialect)).join(', ')}`]
      : []),
    ...details.map(part => renderExpression(part, dialect)),
  ]
  return `${renderExpression(call, dialect)} OVER (${over.join(' ')})`
}

const not = ({ negated }: { readonly negated: boolean }): string => (negated ? 'NOT ' : '')

/** LIKE ignores case for ASCII in SQLite and MySQL by itself; most others have ILIKE. */
const operatorOf = (
  { operator, variant }: Extract<Expression, { kind: 'compare' }>,
  dialect: Dialect,
): string => {
  const written = operator.toUpperCase()
  return variant === 'no-case' && databaseDialect(dialect).rendering.ignoresCase === 'ilike'
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
