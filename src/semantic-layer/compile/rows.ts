import type { GroupKey, MetricQuery } from '../../domain/metrics/metric-query.ts'
import { columnOf, literalOf, selectOf } from '../../sql/tree/compose-query.ts'
import { callOf, compareOf, type Expression, type Ordering } from '../../sql/tree/query-tree.ts'
import { columnOutput, figureOutput, keyOutput, resolveMetrics, type UsedMetrics } from './columns.ts'
import { combineFacts, figureOutputs } from './combine-facts.ts'
import type { CompiledQuery } from './compile-metric-query.ts'
import { pathTo, reachDimension } from './expressions.ts'
import { groupFacts } from './facts.ts'
import { filterCondition, periodCondition } from './filters.ts'
import { type KeyColumn, keyAlong, keyColumns, uniqueNames } from './keys.ts'
import { timeDimensionOf } from './layer-index.ts'
import { formulaExpression, isTotal, type ResolvedMetric } from './measures.ts'
import {
  allOf,
  type CompileContext,
  derivedSource,
  makeScope,
  type Scope,
  UncompilableError,
} from './scope.ts'
import { withShortNames } from './short-names.ts'

/** A list of the rows of one model, by name, with figures measured for each where the query needs them. */
export const compileRows = (query: MetricQuery, context: CompileContext): CompiledQuery => {
  const base = context.index.models.get(query.rowsOf ?? '')
  if (base === undefined) throw new UncompilableError(`there is no model ${query.rowsOf}`)
  const scope = makeScope(base, context)
  const used = resolveMetrics(query, context)
  const keys = rowKeys(scope, query)
  const figureOf = attachFigures(scope, query, used, context)
  const columns = uniqueNames([
    ...keys.map(keyOutput),
    ...used.shown.map(metric => figureOutput(metric, 'value', figureOf(metric))),
  ])
  const kept = used.kept.map(({ metric, operator, value }) =>
    compareOf(operator, figureOf(metric), literalOf(value)),
  )
  const where = [
    ...query.filters.map(filter => filterCondition(scope, filter)),
    ...(used.measures.length > 0 ? [] : inPeriod(scope, query)),
    ...kept,
  ]
  const orderBy = rowOrder(scope, used, figureOf)
  if (query.limitPer.length > 0) return firstPerGroup(query, { scope, columns, where: allOf(where), orderBy })
  const tree = selectOf({
    outputs: columns.map(columnOutput),
    from: scope.sources(),
    where: allOf(where),
    orderBy,
    limit: query.limit === null ? null : literalOf(query.limit),
  })
  return { query: withShortNames(tree), columns: columns.map(({ meaning }) => meaning) }
}

/** The first rows of each group: rows are numbered within their group, and the first are kept. */
const firstPerGroup = (
  query: MetricQuery,
  {
    scope,
    columns,
    where,
    orderBy,
  }: {
    readonly scope: Scope
    readonly columns: readonly ReturnType<typeof keyOutput>[]
    readonly where: Expression | null
    readonly orderBy: readonly Ordering[]
  },
): CompiledQuery => {
  const groups = query.limitPer.flatMap(key => keyColumns(scope, key, null))
  const shown = groups.filter(({ isHidden }) => !isHidden).map(keyOutput)
  const all = uniqueNames([...shown, ...columns])
  const place: Expression = {
    kind: 'window',
    call: callOf('row_number'),
    partitionBy: groups.map(({ expression }) => expression),
    orderBy,
    details: [],
  }
  const ranked = selectOf({
    outputs: [...all.map(columnOutput), { expression: place, alias: 'place' }],
    from: scope.sources(),
    where,
  })
  const tree = selectOf({
    outputs: all.map(({ name }) => ({ expression: columnOf(name), alias: null })),
    from: [derivedSource(withShortNames(ranked), 'ranked')],
    where: compareOf('<=', columnOf('place'), literalOf(query.limit ?? 1)),
    orderBy: [...shown.map(({ name }) => name), 'place'].map(name => ({
      expression: columnOf(name),
      direction: 'asc' as const,
      details: [],
    })),
  })
  return { query: tree, columns: all.map(({ meaning }) => meaning) }
}

/** Names, then what else is to be shown; a row without the partner that it is about is shown too. */
const rowKeys = (scope: Scope, { show }: MetricQuery): readonly KeyColumn[] => {
  const { name } = scope.base.model
  const names = keyColumns(scope, { kind: 'model', model: name, via: null }, null)
  const shown = show.flatMap(at => keyColumns(scope.joining('left'), { kind: 'dimension', at }, null))
  const seen = new Set(names.map(({ expression }) => JSON.stringify(expression)))
  return uniqueNames([
    ...names.filter(({ isHidden }) => !isHidden),
    ...shown.filter(({ expression }) => !seen.has(JSON.stringify(expression))),
  ])
}

/** A list without figures shows the rows of the period. */
const inPeriod = (scope: Scope, { period }: MetricQuery): readonly Expression[] => {
  if (period === null) return []
  const { model } = scope.base
  const time = period.at ?? timeDimensionOf(scope.context.index, scope.base, model.timeDimension)
  if (time === null) throw new UncompilableError(`${model.name} has no date`)
  return [periodCondition(scope, reachDimension(scope, time), period)]
}

const rowOrder = (
  scope: Scope,
  { sorted }: UsedMetrics,
  figureOf: (metric: ResolvedMetric) => Expression,
): readonly Ordering[] =>
  sorted.flatMap(({ order, metric }): readonly Ordering[] => {
    const at = (expression: Expression): readonly Ordering[] => [
      {
        expression,
        direction: order.direction,
        details: [],
        // A total of nothing is 0.
        ...(expression.kind !== 'call' && { nullsLast: true as const }),
      },
    ]
    if (metric !== null) return at(figureOf(metric))
    if (order.kind === 'dimension') return at(reachDimension(scope.joining('left'), order.at).expression)
    if (order.kind !== 'key') return []
    return keyColumns(scope.joining('left'), order.key, null)
      .filter(({ isHidden }) => !isHidden)
      .flatMap(({ expression }) => at(expression))
  })

/**
 * Joins the figures, aggregated by the key of the listed model. Rows that nothing is measured for are left out, unless
 * what a count or total of nothing is, 0, meets the conditions.
 */
const attachFigures = (
  scope: Scope,
  query: MetricQuery,
  { measures, kept }: UsedMetrics,
  context: CompileContext,
): ((metric: ResolvedMetric) => Expression) => {
  const { model } = scope.base
  if (measures.length > 0 && model.primaryKey.length === 0)
    throw new UncompilableError(`${model.name} has no key`)
  const keepsEmpty = kept.some(({ operator, value }) => holds(0, operator, value))
  if (measures.length === 0) return ({ formula }) => formulaExpression(formula, () => literalOf(null))
  const facts = groupFacts(measures, { period: query.period, groupBy: [] }, context)
  const more = (inner: Scope): readonly KeyColumn[] => idsOf(inner, model.name)
  const asked = { groupBy: [], filters: [], period: query.period, compare: null, more }
  const figures = combineFacts(facts, asked, context)
  const alias = scope.freeAlias('figures')
  const links = figures.keys.map(({ name }, at) =>
    compareOf('=', columnOf(name, alias), scope.column([], model.primaryKey[at]!)),
  )
  const outputs = figureOutputs(figures, figures.names)
  scope.add(
    derivedSource(withShortNames(selectOf({ ...figures.select, outputs })), alias, {
      join: keepsEmpty ? 'left' : 'inner',
      on: allOf(links),
    }),
  )
  const figureAt = (at: number): Expression => {
    const column = columnOf(figures.names.get(at)!, alias)
    return keepsEmpty && isTotal(measures[at]!) ? callOf('coalesce', [column, literalOf(0)]) : column
  }
  return ({ formula }) => formulaExpression(formula, figureAt)
}

/** Whether a number meets a condition. */
export const holds = (figure: number, operator: string, value: number): boolean => {
  switch (operator) {
    case '<':
      return figure < value
    case '<=':
      return figure <= value
    case '>':
      return figure > value
    case '>=':
      return figure >= value
    case '=':
      return figure === value
    default:
      return figure !== value
  }
}

/** The key of a model as the columns that figures are grouped by. */
export const idsOf = (scope: Scope, model: string): readonly KeyColumn[] => {
  const target = scope.context.index.models.get(model)
  if (target === undefined) throw new UncompilableError(`there is no model ${model}`)
  const path = pathTo(scope, { model, via: null })
  const key: GroupKey = { kind: 'model', model, via: null }
  return target.model.primaryKey.map(column => {
    const expression = path.every(step => step.isToOne)
      ? keyAlong(scope, path, column)
      : scope.each(path, at => at.column([], column), column)
    return {
      name: expression.kind === 'column' ? expression.name : column,
      expression,
      meaning: { label: column, role: { kind: 'detail' }, unit: null },
      isHidden: true,
      mayBeNull: !path.every(step => step.isTotal),
      present: null,
      key,
    }
  })
}
