import { aggregateOf, literalOf, matchOf, selectOf, tableSource } from '../../sql/tree/compose-query.ts'
import { compareOf, type Expression } from '../../sql/tree/query-tree.ts'
import type { Condition } from '../frame.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { columnExpression, combineWithAnd, momentType } from './expressions.ts'
import { joinExpression, joinTrees, type KeyPreference } from './join-tree.ts'

/** One condition as SQL. Negation becomes part of the operator if there is one for it. */
export const conditionExpression = (
  condition: Condition,
  qualified: boolean,
  timeZone: string,
): Expression => {
  const { column, test, negated } = condition
  const left = columnExpression(column, qualified)
  switch (test.kind) {
    case 'compare':
      return compareOf(
        negated ? negatedOperators[test.operator] : test.operator,
        left,
        literalFor(column, test.value),
      )
    case 'compare-column':
      return compareOf(test.operator, left, columnExpression(test.other, qualified))
    case 'compare-aggregate': {
      const query = selectOf({
        from: [tableSource(column.table.table)],
        outputs: [{ expression: aggregateOf(test.fn, columnExpression(column, false)), alias: null }],
      })
      return compareOf(test.operator, left, { kind: 'subquery', query })
    }
    case 'between':
      return {
        kind: 'between',
        operand: left,
        low: literalFor(column, test.low),
        high: literalFor(column, test.high),
        negated,
      }
    case 'matches':
      return matchOf(left, { place: test.place, text: test.text, negated })
    case 'missing':
      return { kind: 'null-test', operand: left, negated }
    case 'period': {
      const bound = (operator: '>=' | '<', day: string | null): readonly Expression[] =>
        day === null
          ? []
          : [compareOf(operator, left, { kind: 'moment', day, type: momentType(column), timeZone })]
      const operands = [...bound('>=', test.span.from), ...bound('<', test.span.until)]
      const [only] = operands
      return operands.length === 1 && only ? only : { kind: 'and', operands }
    }
  }
}

const negatedOperators = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const

/** Text is compared with text; only SQLite accepts a number next to a text column. */
const literalFor = (column: ColumnEntry, value: string | number | boolean): Expression =>
  literalOf(typeof value === 'number' && column.column.kind === 'text' ? String(value) : value)

/** Joins conditions in order; those with `or` are joined to the one before. Null if there are none. */
export const allOf = (
  conditions: readonly Condition[],
  qualified: boolean,
  timeZone: string,
): Expression | null => {
  const groups: Expression[][] = []
  for (const condition of conditions) {
    const expression = conditionExpression(condition, qualified, timeZone)
    const last = groups.at(-1)
    if (condition.or && last) last.push(expression)
    else groups.push([expression])
  }
  const parts = groups.map((group): Expression => {
    const [only] = group
    return group.length === 1 && only ? only : { kind: 'or', operands: group }
  })
  return combineWithAnd(parts)
}

/**
 * `entity.key [NOT] IN (SELECT ... FROM the path to other WHERE conditions)`: whether a row of `entity` has a row of
 * `other` that meets the conditions. Null if no path begins with a single-column key, or if a condition compares with
 * a column of a table that is not on the path.
 */
export const membershipExpression = (
  schema: SchemaIndex,
  entity: TableEntry,
  other: TableEntry,
  conditions: readonly Condition[],
  options: { negated: boolean; qualified: boolean; timeZone: string; prefer: KeyPreference },
): Expression | null => {
  const [tree] = joinTrees(schema, [entity, other], options.prefer)
  const [first, ...rest] = tree?.joins ?? []
  if (first?.edge.from.columns.length !== 1) return null
  const { from, to } = first.edge
  const [outer] = from.table === entity.id ? from.columns : to.columns
  const [inner] = from.table === entity.id ? to.columns : from.columns
  if (!outer || !inner) return null
  const within = new Set([
    inner.table,
    ...rest.flatMap(({ edge }) => [...edge.from.columns, ...edge.to.columns].map(({ table }) => table)),
  ])
  if (conditions.some(({ test }) => test.kind === 'compare-column' && !within.has(test.other.table)))
    return null
  const many = rest.length > 0
  const own = allOf(
    conditions.map(condition => ({ ...condition, negated: false })),
    many,
    options.timeZone,
  )
  const selected = columnExpression(inner, many)
  // NOT IN is never true once the list holds a null.
  const notNull: readonly Expression[] =
    options.negated && inner.column.nullable ? [{ kind: 'null-test', operand: selected, negated: true }] : []
  return {
    kind: 'in',
    operand: columnExpression(outer, options.qualified),
    among: selectOf({
      outputs: [{ expression: selected, alias: null }],
      from: [tableSource(inner.table.table), ...rest.map(joinExpression)],
      where: combineWithAnd([...(own ? [own] : []), ...notNull]),
    }),
    negated: options.negated,
    bare: false,
    details: [],
  }
}
