import { DateTime } from 'luxon'
import type { DateUnit, MetricQuery } from '../../domain/metrics/metric-query.ts'
import { aggregateOf, columnOf, literalOf, selectOf } from '../../sql/tree/compose-query.ts'
import type { Expression, Output, QueryTree } from '../../sql/tree/query-tree.ts'
import { inSentence } from '../describe/condition-words.ts'
import type { CompiledQuery } from './compile-metric-query.ts'
import { compileFigures } from './figures.ts'
import { type CompileContext, derivedSource, UncompilableError } from './scope.ts'
import { startOf } from './windows.ts'

/**
 * The mean of a figure over its periods: orders a day, on average. Between two days that are given, periods without rows
 * count as 0; otherwise they are no part of it, since nobody knows how many there are. Of each of the other groups, if there
 * are any.
 */
export const compileMeanPerPeriod = (query: MetricQuery, context: CompileContext): CompiledQuery => {
  const series = query.groupBy.find(key => key.kind === 'grain')
  const isOne = query.metrics.length === 1 && query.compare === null && query.share === null
  if (series === undefined || !isOne || query.limit !== null || query.having.length > 0)
    throw new UncompilableError('a mean of periods that are limited or compared')
  const inner = compileFigures({ ...query, running: null, order: [] }, context)
  const at = inner.columns.findIndex(({ role }) => role.kind === 'figure')
  const figure = inner.columns[at]
  const names = outputsOf(inner.query).map(nameOf)
  const name = names[at]
  if (figure?.role.kind !== 'figure' || name == null || names.includes(null))
    throw new UncompilableError('a mean of figures without names')
  const count = figure.role.isAdditive ? periodsIn(query.period, series.grain) : null
  const mean: Expression =
    count === null
      ? aggregateOf('avg', columnOf(name))
      : { kind: 'ratio', numerator: aggregateOf('sum', columnOf(name)), denominator: literalOf(count) }
  const keys = inner.columns.flatMap(({ role }, place) =>
    place !== at && role.kind !== 'period' ? [columnOf(names[place] ?? '')] : [],
  )
  const tree = selectOf({
    outputs: [
      ...keys.map((expression): Output => ({ expression, alias: null })),
      { expression: mean, alias: `average_${name}_per_${series.grain}` },
    ],
    from: [derivedSource({ ...inner.query, orderBy: [] }, `each_${series.grain}`)],
    groupBy: keys,
  })
  return {
    query: tree,
    columns: [
      ...inner.columns.filter(({ role }, place) => place !== at && role.kind !== 'period'),
      {
        ...figure,
        label: `Average ${inSentence(figure.label)} per ${series.grain}`,
        role: { ...figure.role, isAdditive: false },
      },
    ],
  }
}

/** How many periods have days between the ends; null if there is an end that nobody knows. */
const periodsIn = (period: MetricQuery['period'], grain: DateUnit): number | null => {
  if (!period?.from || !period.until) return null
  const from = startOf(period.from, grain)
  const count = Math.ceil(DateTime.fromISO(period.until).diff(DateTime.fromISO(from), grain).as(grain))
  return count > 0 ? count : null
}

const outputsOf = (query: QueryTree): readonly Output[] =>
  query.kind === 'select' ? query.outputs : outputsOf(query.left)

const nameOf = ({ alias, expression }: Output): string | null =>
  alias ?? (expression.kind === 'column' ? expression.name : null)
