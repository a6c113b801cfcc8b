import type { Dialect } from '../../core/dialect.ts'
import type { Expression } from './expression.ts'
import { quoteIdentifier } from './quote-identifier.ts'
import { renderExpression } from './render-expression.ts'
import type { OrderItem, Query, SelectItem, SelectQuery, TableSource } from './select-query.ts'

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
    dialect === 'mysql' &&
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
  const nullsLastAnyway =
    dialect === 'postgres' || dialect === 'duckdb' ? item.direction === 'asc' : item.direction === 'desc'
  if (nullsLastAnyway) return `${text}${direction}`
  return dialect === 'mysql' ? `${text} IS NULL, ${text}${direction}` : `${text}${direction} NULLS LAST`
}
