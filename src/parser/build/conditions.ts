import type { Expression } from '../../sql/render/query.ts'
import type { Condition } from '../frame.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { columnExpression, combineWithAnd, momentType, simpleQuery, tableSource } from './expressions.ts'
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
      return {
        kind: 'compare',
        operator: negated ? negatedOperators[test.operator] : test.operator,
        left,
        right: { kind: 'literal', value: literalFor(column, test.value) },
      }
    case 'compare-column':
      return {
        kind: 'compare',
        operator: test.operator,
        left,
        right: columnExpression(test.other, qualified),
      }
    case 'compare-aggregate': {
      const argument = columnExpression(column, false)
      const aggregate: Expression = { kind: 'aggregate', fn: test.fn, argument, distinct: false }
      const query = simpleQuery({
        from: tableSource(column.table),
        items: [{ expression: aggregate, alias: null }],
      })
      return { kind: 'compare', operator: test.operator, left, right: { kind: 'subquery', query } }
    }
    case 'between':
      return {
        kind: 'between',
        argument: left,
        low: { kind: 'literal', value: literalFor(column, test.low) },
        high: { kind: 'literal', value: literalFor(column, test.high) },
        negated,
      }
    case 'matches':
      return { kind: 'matches', argument: left, place: test.place, text: test.text, negated }
    case 'missing':
      return { kind: 'is-null', argument: left, negated }
    case 'period': {
      const bound = (operator: '>=' | '<', day: string | null): readonly Expression[] =>
        day === null
          ? []
          : [
              {
                kind: 'compare',
                operator,
                left,
                right: { kind: 'moment', day, type: momentType(column), timeZone },
              },
            ]
      const parts = [...bound('>=', test.span.from), ...bound('<', test.span.until)]
      const [only] = parts
      return parts.length === 1 && only ? only : { kind: 'and', parts }
    }
  }
}

const negatedOperators = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const

/** Text is compared with text; only SQLite accepts a number next to a text column. */
const literalFor = (column: ColumnEntry, value: string | number | boolean): string | number | boolean =>
  typeof value === 'number' && column.column.kind === 'text' ? String(value) : value

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
    return group.length === 1 && only ? only : { kind: 'or', parts: group }
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
    options.negated && inner.column.nullable ? [{ kind: 'is-null', argument: selected, negated: true }] : []
  return {
    kind: 'in',
    argument: columnExpression(outer, options.qualified),
    among: simpleQuery({
      items: [{ expression: selected, alias: null }],
      from: tableSource(inner.table),
      joins: rest.map(joinExpression),
      where: combineWithAnd([...(own ? [own] : []), ...notNull]),
    }),
    negated: options.negated,
  }
}
