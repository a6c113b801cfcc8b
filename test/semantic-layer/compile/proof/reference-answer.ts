import type {
  DateUnit,
  GroupKey,
  MetricQuery,
  MetricUse,
} from '../../../../src/domain/metrics/metric-query.ts'
import { compareValues, isInPeriod } from './reference-filters.ts'
import { type Group, groupsOf, meetsAll } from './reference-groups.ts'
import {
  type Calculation,
  calculate,
  calculationOf,
  type Measure,
  measuresOf,
  type RunningHow,
  runningsOf,
} from './reference-metrics.ts'
import {
  dateOf,
  dayBefore,
  dimensionOf,
  type ModelName,
  namesOf,
  rowsAlong,
  startOfUnit,
  wayTo,
  world,
} from './reference-world.ts'
import type { Value } from './shop-rows.ts'

/** A row of an answer, with what it is sorted by. Rows are numbered anew within each `per`. */
export interface AnswerRow {
  readonly cells: readonly Value[]
  readonly sort: readonly Value[]
  readonly per: readonly Value[]
}

/** All rows of an answer before any are cut off, in no order. */
export interface Answer {
  readonly rows: readonly AnswerRow[]
  readonly directions: readonly ('asc' | 'desc')[]
  readonly limit: number | null
}

/** The answer to a metric query, computed row by row. */
export const answerOf = (query: MetricQuery): Answer =>
  query.rowsOf !== null
    ? listAnswer(query)
    : query.running?.kind === 'mean'
      ? meanAnswer(query)
      : figuresAnswer(query)

/** The mean of a series, whose periods come first, for each of its other keys. */
const meanAnswer = (query: MetricQuery): Answer => {
  const { rows } = figuresAnswer({ ...query, running: null })
  const groups = Map.groupBy(rows, ({ cells }) => JSON.stringify(cells.slice(1, -1)))
  // Without other keys there is one row, whatever there is.
  if (query.groupBy.length === 1 && groups.size === 0) groups.set('', [])
  return {
    rows: [...groups.values()].map(those => {
      const values = those.map(({ cells }) => cells.at(-1)).filter(value => typeof value === 'number')
      const count = periodsOf(query) ?? values.length
      const mean = values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / count
      return { cells: [...(those[0]?.cells.slice(1, -1) ?? []), mean], sort: [], per: [] }
    }),
    directions: [],
    limit: null,
  }
}

/** How many periods there are between two days; null if one is not given. */
const periodsOf = ({ period, groupBy }: MetricQuery): number | null => {
  const grain = groupBy.find(key => key.kind === 'grain')?.grain
  if (!period?.from || !period.until || grain === undefined) return null
  const starts = new Set<string>()
  for (let day = period.from; day < period.until; day = dayBefore(day, -1, 'day'))
    starts.add(startOfUnit(day, grain))
  return starts.size
}

const seriesKey = (query: MetricQuery): Extract<GroupKey, { kind: 'grain' | 'cohort' }> | undefined =>
  query.groupBy.find(key => key.kind === 'grain' || key.kind === 'cohort')

const grainOf = (query: MetricQuery): DateUnit | undefined =>
  query.groupBy.find(key => key.kind === 'grain')?.grain

const lagOf = (query: MetricQuery): readonly [count: number, unit: DateUnit] => {
  const { grain } = seriesKey(query)!
  if (query.compare?.kind !== 'series' || query.compare.lag === 'previous') return [1, grain]
  return grain === 'week' ? [52, 'week'] : [1, 'year']
}

/** The first day whose rows matter for the figures of a period that begins on `from`. */
const firstDay = (query: MetricQuery, calculations: readonly Calculation[], from: string): string | null => {
  const grain = grainOf(query)
  const days = [from]
  const runnings = grain ? calculations.flatMap(runningsOf) : []
  for (const how of runnings) {
    if (how.kind === 'total') return null
    days.push(how.kind === 'to-date' ? startOfUnit(from, how.unit) : dayBefore(from, how.count - 1, grain!))
  }
  if (query.running?.kind === 'to-date') days.push(startOfUnit(from, query.running.unit))
  if (query.running?.kind === 'moving-average' && grain)
    days.push(dayBefore(from, query.running.count - 1, grain))
  if (query.compare?.kind === 'series') days.push(dayBefore(from, ...lagOf(query)))
  return days.sort()[0]!
}

const figuresAnswer = (query: MetricQuery): Answer => {
  const uses = [
    ...query.metrics,
    ...query.having.map(({ metric }) => metric),
    ...query.order.flatMap(order => ('metric' in order ? [order.metric] : [])),
  ]
  const calculations = uses.map(calculationOf)
  const from = query.period?.from ?? null
  const needed = from === null ? null : firstDay(query, calculations, from)
  const groups = groupsOf(calculations.flatMap(measuresOf), {
    ...query,
    period: query.period && { ...query.period, from: needed },
  })
  const figures = makeFigures(query, groups)
  const directions = query.order.map(({ direction }) => direction)
  const sorts = query.order.length > 0 ? null : usualOrder(query)
  const isShown = (group: Group): boolean => {
    const grain = grainOf(query)
    if (from === null || grain === undefined || needed === from) return true
    const own = group.keys.find(({ key }) => key.kind === 'grain')!
    return String(own.shown[0]) >= startOfUnit(from, grain)
  }
  const rows = groups
    .filter(isShown)
    .filter(group =>
      query.having.every(
        ({ metric, operator, value }) =>
          compareValues(figures.value(group, metric), operator, value) === true,
      ),
    )
    .map(group => ({
      cells: [
        ...group.keys.flatMap(({ shown }) => shown),
        ...query.metrics.flatMap(metric => figures.columns(group, metric)),
      ],
      sort: sorts
        ? sorts.flatMap(({ by }) => by(group, figures))
        : query.order.flatMap(order => {
            if (order.kind === 'metric') return [figures.value(group, order.metric)]
            if (order.kind === 'change') return [figures.change(group, order.metric, order.isRelative)]
            const key: GroupKey = order.kind === 'key' ? order.key : { kind: 'dimension', at: order.at }
            return valuesOfKey(group, key)
          }),
      per: query.limitPer.flatMap(key => valuesOfKey(group, key)),
    }))
  return {
    rows,
    directions: sorts ? sorts.map(({ direction }) => direction) : directions,
    limit: query.limit,
  }
}

const valuesOfKey = ({ keys }: Group, wanted: GroupKey): readonly Value[] =>
  keys.filter(({ key }) => JSON.stringify(key) === JSON.stringify(wanted)).flatMap(({ shown }) => shown)

interface Figures {
  readonly value: (group: Group, use: MetricUse) => number | null
  readonly change: (group: Group, use: MetricUse, isRelative: boolean) => number | null
  readonly columns: (group: Group, use: MetricUse) => readonly (number | null)[]
}

/** Time first, then the first figure. */
const usualOrder = (
  query: MetricQuery,
): readonly {
  readonly direction: 'asc' | 'desc'
  readonly by: (group: Group, figures: Figures) => readonly Value[]
}[] => {
  const times = query.groupBy.filter(({ kind }) => kind !== 'dimension' && kind !== 'model')
  const [first] = query.metrics
  const byFigure =
    first && query.groupBy.length > 0 && (times.length === 0 || query.groupBy.length > 1)
      ? [
          {
            direction: 'desc' as const,
            by: (group: Group, figures: Figures) => [figures.value(group, first)],
          },
        ]
      : []
  return [
    ...times.map(key => ({ direction: 'asc' as const, by: (group: Group) => valuesOfKey(group, key) })),
    ...byFigure,
  ]
}

const minus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b)
const over = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b === 0 ? null : a / b

const makeFigures = (query: MetricQuery, groups: readonly Group[]): Figures => {
  const { compare, share, running } = query
  const time = query.groupBy.find(key => key.kind === 'grain')
  const timeOf = (group: Group): string => String(group.keys.find(({ key }) => key === time)?.shown[0])
  const restOf = (group: Group): string =>
    JSON.stringify(group.keys.filter(({ key }) => key !== time).map(({ shown, hidden }) => [shown, hidden]))
  /** The groups of the same other keys until this one, in order. */
  const until = (group: Group): readonly Group[] =>
    groups
      .filter(other => restOf(other) === restOf(group) && timeOf(other) <= timeOf(group))
      .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
  const added = (group: Group, measure: Measure, how: RunningHow): number | null => {
    let those = until(group)
    if (how.kind === 'to-date')
      those = those.filter(
        other => startOfUnit(timeOf(other), how.unit) === startOfUnit(timeOf(group), how.unit),
      )
    if (how.kind === 'window') those = those.slice(-how.count)
    const values = those.map(other => other.value(measure)).filter(value => value !== null)
    if (values.length === 0) return null
    if (measure.aggregation === 'min') return Math.min(...values)
    if (measure.aggregation === 'max') return Math.max(...values)
    return values.reduce((a, b) => a + b, 0)
  }
  const value = (group: Group, use: MetricUse): number | null =>
    calculate(
      calculationOf(use),
      group.value,
      time ? (measure, how) => added(group, measure, how) : group.value,
    )
  const series = compare?.kind === 'series' ? seriesKey(query) : undefined
  const earlier = (group: Group): Group | undefined => {
    const [count, unit] = lagOf(query)
    const keys = group.keys.map(({ key, shown, hidden }) => [
      key === series ? [dayBefore(String(shown[0]), count, unit)] : shown,
      hidden,
    ])
    return groups.find(({ id }) => id === JSON.stringify(keys))
  }
  const before = (group: Group, use: MetricUse): number | null => {
    if (!series) return calculate(calculationOf(use), group.before)
    const other = earlier(group)
    return other ? calculate(calculationOf(use), other.value) : null
  }
  const change = (group: Group, use: MetricUse, isRelative: boolean): number | null => {
    const difference = minus(value(group, use), before(group, use))
    return isRelative ? over(difference, before(group, use)) : difference
  }
  const shareOf = (group: Group, use: MetricUse): number | null => {
    const within = (other: Group): string =>
      share?.kind === 'group'
        ? JSON.stringify(
            other.keys
              .filter(({ key }) => JSON.stringify(key) === JSON.stringify(share.by))
              .map(({ shown, hidden }) => [shown, hidden]),
          )
        : ''
    const values = groups
      .filter(other => within(other) === within(group))
      .map(other => value(other, use))
      .filter(one => one !== null)
    return over(value(group, use), values.length === 0 ? null : values.reduce((a, b) => a + b, 0))
  }
  const runningOf = (group: Group, use: MetricUse): number | null => {
    if (running === null || running.kind === 'mean') throw new Error('nothing runs here')
    if (running.kind !== 'moving-average')
      return calculate(calculationOf(use), measure => added(group, measure, running))
    const values = until(group)
      .slice(-running.count)
      .map(other => value(other, use))
      .filter(one => one !== null)
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
  }
  return {
    value,
    change,
    columns: (group, use) => [
      value(group, use),
      ...(compare === null ? [] : [before(group, use), change(group, use, false), change(group, use, true)]),
      ...(share === null ? [] : [shareOf(group, use)]),
      ...(running === null ? [] : [runningOf(group, use)]),
    ],
  }
}

/** A list of rows, with the figures of each. */
const listAnswer = (query: MetricQuery): Answer => {
  const model = query.rowsOf!
  const uses = [
    ...query.metrics,
    ...query.having.map(({ metric }) => metric),
    ...query.order.flatMap(order => ('metric' in order ? [order.metric] : [])),
  ]
  const groups = groupsOf(uses.map(calculationOf).flatMap(measuresOf), {
    groupBy: [{ kind: 'model', model, via: null }],
    filters: [],
    period: query.period,
    compare: null,
  })
  const holds = (left: number, operator: MetricQuery['having'][number]['operator'], right: number): boolean =>
    compareValues(left, operator, right) === true
  const keepsEmpty = query.having.some(({ operator, value }) => holds(0, operator, value))
  const at = (row: (typeof world)[ModelName][number], ref: MetricQuery['show'][number]): Value => {
    const [partner] = rowsAlong(row, wayTo(model, ref.model, ref.via))
    return partner ? dimensionOf(ref.model, ref.dimension, partner) : null
  }
  const names = namesOf(model)
  const shown = query.show.filter(
    ref => !(ref.model === model && names.includes(ref.dimension) && (ref.via ?? []).length === 0),
  )
  const date = query.period?.at ?? dateOf[model] ?? null
  const rows = world[model as ModelName].flatMap(row => {
    if (!meetsAll(model, row, query.filters)) return []
    if (query.period !== null && uses.length === 0 && isInPeriod(at(row, date!), query.period) !== true)
      return []
    const group = groups.find(({ keys }) => keys[0]!.hidden[0] === row.id)
    const value = (use: MetricUse): number | null =>
      calculate(calculationOf(use), measure => {
        const isTotal = ['sum', 'count', 'count_distinct'].includes(measure.aggregation)
        return group?.value(measure) ?? (isTotal && keepsEmpty ? 0 : null)
      })
    if (uses.length > 0 && group === undefined && !keepsEmpty) return []
    if (
      query.having.some(
        ({ metric, operator, value: limit }) => compareValues(value(metric), operator, limit) !== true,
      )
    )
      return []
    return [
      {
        cells: [
          ...names.map(name => dimensionOf(model, name, row)),
          ...shown.map(ref => at(row, ref)),
          ...query.metrics.map(value),
        ],
        sort: query.order.flatMap(order =>
          'metric' in order ? [value(order.metric)] : order.kind === 'dimension' ? [at(row, order.at)] : [],
        ),
        per: [],
      },
    ]
  })
  return { rows, directions: query.order.map(({ direction }) => direction), limit: query.limit }
}
