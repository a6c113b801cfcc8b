import { DateTime } from 'luxon'
import type { DateUnit, MetricQuery, Running } from '../../domain/metrics/metric-query.ts'
import { aggregateOf } from '../../sql/tree/compose-query.ts'
import type { Expression } from '../../sql/tree/query-tree.ts'
import { figureOutput, type MeantColumn, sameKey, type UsedMetrics } from './columns.ts'
import type { KeyColumn } from './keys.ts'
import {
  type CumulativeRunning,
  type Formula,
  formulaExpression,
  type Measure,
  type ResolvedMetric,
  runningsIn,
} from './measures.ts'
import { UncompilableError } from './scope.ts'

/** The figures that windows are laid over. */
export interface Windowed {
  readonly keys: readonly KeyColumn[]
  readonly measures: readonly Measure[]
  readonly measureAt: (at: number) => Expression
  /** The same in the period before. */
  readonly beforeAt: (at: number) => Expression
}

/** The key that figures add up along; null if there are no periods. */
const timeKey = (keys: readonly KeyColumn[]): KeyColumn | null =>
  keys.find(({ key }) => key.kind === 'grain') ?? null

/** A metric's figure in one group; what adds up over time does so along the periods, if there are any. */
export const figureExpression = (windowed: Windowed, { formula }: ResolvedMetric): Expression => {
  const time = timeKey(windowed.keys)
  if (time !== null)
    return formulaExpression(formula, windowed.measureAt, (at, running) => totalOver(windowed, at, running))
  if (runningsIn(formula).some(({ kind }) => kind === 'window'))
    throw new UncompilableError('a total over the last periods without periods')
  return formulaExpression(formula, windowed.measureAt)
}

/** Whether a query has figures that depend on more than one group. */
export const hasWindows = (query: MetricQuery, { shown, sorted, kept }: UsedMetrics): boolean => {
  const metrics = [...shown, ...kept.map(one => one.metric), ...sorted.flatMap(one => one.metric ?? [])]
  return (
    query.share !== null ||
    query.running !== null ||
    (query.groupBy.some(({ kind }) => kind === 'grain') &&
      metrics.some(({ formula }) => runningsIn(formula).length > 0))
  )
}

/** A metric with what is derived from it: compared, as a share, running. */
export const figureColumns = (
  query: MetricQuery,
  windowed: Windowed,
  metric: ResolvedMetric,
): readonly MeantColumn[] => {
  const value = figureExpression(windowed, metric)
  return [
    figureOutput(metric, 'value', value),
    ...(query.compare === null ? [] : comparedColumns(windowed, metric, value)),
    ...(query.share === null ? [] : [shareColumn(windowed, metric, query.share)]),
    ...(query.running === null ? [] : [runningColumn(windowed, metric, query.running)]),
  ]
}

const comparedColumns = (
  { beforeAt }: Windowed,
  metric: ResolvedMetric,
  value: Expression,
): readonly MeantColumn[] => {
  if (runningsIn(metric.formula).length > 0)
    throw new UncompilableError(`a comparison of ${metric.label}, which adds up over time`)
  const before = formulaExpression(metric.formula, beforeAt)
  const change: Expression = { kind: 'arithmetic', operator: '-', left: value, right: before }
  return [
    figureOutput(metric, 'previous', before),
    figureOutput(metric, 'change', change),
    figureOutput(metric, 'growth', {
      kind: 'ratio',
      numerator: { kind: 'paren', operand: change },
      denominator: before,
    }),
  ]
}

const shareColumn = (
  windowed: Windowed,
  metric: ResolvedMetric,
  share: NonNullable<MetricQuery['share']>,
): MeantColumn => {
  const { keys, measures } = windowed
  const own = metric.formula.kind === 'measure' ? measures[metric.formula.at] : undefined
  if (!metric.isAdditive && own?.aggregation !== 'count_distinct')
    throw new UncompilableError(`shares of ${metric.label}, which does not add up`)
  const within = share.kind === 'total' ? [] : keys.filter(({ key }) => sameKey(key, share.by))
  if (share.kind === 'group' && within.length === 0)
    throw new UncompilableError('shares within groups that are not shown')
  const value = figureExpression(windowed, metric)
  const total: Expression = {
    kind: 'window',
    call: aggregateOf('sum', value),
    partitionBy: within.map(({ expression }) => expression),
    orderBy: [],
    details: [],
  }
  return figureOutput(metric, 'share', { kind: 'ratio', numerator: value, denominator: total })
}

const runningColumn = (windowed: Windowed, metric: ResolvedMetric, running: Running): MeantColumn => {
  if (runningsIn(metric.formula).length > 0)
    throw new UncompilableError(`a running total of ${metric.label}, which is one already`)
  if (running.kind === 'moving-average') {
    const value = figureExpression(windowed, metric)
    return figureOutput(metric, 'moving-average', over(windowed, aggregateOf('avg', value), running.count))
  }
  if (running.kind === 'mean') throw new UncompilableError('a mean of periods beside each of them')
  return figureOutput(
    metric,
    'running',
    formulaExpression(metric.formula, at => totalOver(windowed, at, running)),
  )
}

/** The totals of measures over several periods: ratios are then ratios of totals. */
const totalOver = (windowed: Windowed, at: number, running: CumulativeRunning): Expression => {
  const { keys, measures, measureAt } = windowed
  const { aggregation, name } = measures[at]!
  const fn = aggregation === 'count' ? 'sum' : aggregation
  if (fn !== 'sum' && fn !== 'min' && fn !== 'max')
    throw new UncompilableError(`a running total of ${name}, which does not add up`)
  const call = aggregateOf(fn, measureAt(at))
  const time = timeKey(keys)
  switch (running.kind) {
    case 'total':
      return over(windowed, call, null)
    case 'to-date': {
      if (time === null) throw new UncompilableError('a running total without periods')
      const start: Expression = {
        kind: 'truncate',
        unit: running.unit,
        operand: time.expression,
        type: 'date',
        timeZone: 'UTC',
      }
      return over(windowed, call, null, [start])
    }
    case 'window':
      if (time?.key.kind === 'grain' && time.key.grain !== running.unit)
        throw new UncompilableError(
          `a total over ${running.count} ${running.unit}s in periods of a ${time.key.grain}`,
        )
      return over(windowed, call, running.count)
    default: {
      const never: never = running
      return never
    }
  }
}

/** An aggregate over the last so many periods, or all until this one, of the same group. */
const over = (
  { keys }: Windowed,
  call: Expression,
  count: number | null,
  within: readonly Expression[] = [],
): Expression => {
  const time = timeKey(keys)
  if (time === null) throw new UncompilableError('a running total without periods')
  const others = keys.filter(key => key !== time).map(({ expression }) => expression)
  const rows = count === null ? 'UNBOUNDED PRECEDING' : `${count - 1} PRECEDING`
  return {
    kind: 'window',
    call,
    partitionBy: [...others, ...within],
    orderBy: [{ expression: time.expression, direction: 'asc', details: [] }],
    details: [{ kind: 'fragment', parts: [`ROWS BETWEEN ${rows} AND CURRENT ROW`] }],
  }
}

/** The first day that figures of a query need rows of; null for all there are. */
export const firstDayNeeded = (
  query: MetricQuery,
  { shown, sorted, kept }: UsedMetrics,
  from: string,
): string | null => {
  const grain = query.groupBy.find(key => key.kind === 'grain')?.grain
  const formulas = [...shown, ...kept.map(one => one.metric), ...sorted.flatMap(one => one.metric ?? [])].map(
    ({ formula }): Formula => formula,
  )
  const runnings = grain === undefined ? [] : formulas.flatMap(runningsIn)
  if (runnings.some(({ kind }) => kind === 'total')) return null
  const needed = [from]
  const addStart = (unit: DateUnit): void => void needed.push(startOf(from, unit))
  const addBefore = (count: number, unit: DateUnit): void => void needed.push(daysBefore(from, count, unit))
  for (const running of runnings) {
    if (running.kind === 'to-date') addStart(running.unit)
    if (running.kind === 'window') addBefore(running.count - 1, running.unit)
  }
  if (query.running?.kind === 'to-date') addStart(query.running.unit)
  if (query.running?.kind === 'moving-average' && grain) addBefore(query.running.count - 1, grain)
  if (query.compare?.kind === 'series') {
    const { count, unit } = lagOf(query)
    addBefore(count, unit)
  }
  return needed.reduce((a, b) => (a < b ? a : b))
}

/** How far back a series looks. A year of weeks is 52 of them, so that weeks meet weeks. */
export const lagOf = ({
  groupBy,
  compare,
}: MetricQuery): { readonly count: number; readonly unit: DateUnit } => {
  const key = groupBy.find(one => one.kind === 'grain' || one.kind === 'cohort')
  if (key === undefined) throw new UncompilableError('a series without periods')
  const isYear = compare?.kind === 'series' && compare.lag === 'year'
  if (!isYear) return { count: 1, unit: key.grain }
  return key.grain === 'week' ? { count: 52, unit: 'week' } : { count: 1, unit: 'year' }
}

const isoDay = (day: string): DateTime => DateTime.fromISO(day, { zone: 'utc' })

/** The first day of the unit that a day lies in. */
export const startOf = (day: string, unit: DateUnit): string => isoDay(day).startOf(unit).toISODate() ?? day

const daysBefore = (day: string, count: number, unit: DateUnit): string =>
  isoDay(day)
    .minus({ [unit]: count })
    .toISODate() ?? day
