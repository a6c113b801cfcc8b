import type { ColumnMeaning, FigureKind } from '../../domain/metrics/answer-meaning.ts'
import type { GroupKey, MetricOrder, MetricQuery } from '../../domain/metrics/metric-query.ts'
import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { columnOf } from '../../sql/tree/compose-query.ts'
import type { Expression, Ordering, Output } from '../../sql/tree/query-tree.ts'
import { type KeyColumn, uniqueNames } from './keys.ts'
import { type Measure, makeMeasureList, type ResolvedMetric } from './measures.ts'
import { type CompileContext, plainOutput, UncompilableError } from './scope.ts'

/** A query's metrics, with those that only sort or filter. */
export interface UsedMetrics {
  readonly shown: readonly ResolvedMetric[]
  readonly sorted: readonly { readonly order: MetricOrder; readonly metric: ResolvedMetric | null }[]
  readonly kept: readonly {
    readonly metric: ResolvedMetric
    readonly of: 'value' | 'change'
    readonly operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
    readonly value: number
  }[]
  readonly measures: readonly Measure[]
}

/** Resolves all metrics that a query uses. */
export const resolveMetrics = (query: MetricQuery, { index }: CompileContext): UsedMetrics => {
  const list = makeMeasureList(index)
  if (query.compare === null && query.having.some(({ of }) => of === 'change'))
    throw new UncompilableError('a change of what is compared with nothing')
  return {
    shown: uniqueNames(query.metrics.map(list.resolve)),
    sorted: query.order.map(order => ({
      order,
      metric: 'metric' in order ? list.resolve(order.metric) : null,
    })),
    kept: query.having.map(({ metric, of, operator, value }) => ({
      metric: list.resolve(metric),
      of: of ?? ('value' as const),
      operator,
      value,
    })),
    measures: list.measures,
  }
}

/** An output column with what it means. */
export interface MeantColumn {
  readonly name: string
  readonly expression: Expression
  readonly meaning: ColumnMeaning
  /** The metric that it shows, and what of it. */
  readonly figure: { readonly metric: ResolvedMetric; readonly of: FigureKind } | null
  /** The key that it shows. */
  readonly key: GroupKey | null
}

export const keyOutput = ({ name, expression, meaning, key }: KeyColumn): MeantColumn => ({
  name,
  expression,
  meaning,
  figure: null,
  key,
})

export const figureOutput = (
  metric: ResolvedMetric,
  of: FigureKind,
  expression: Expression,
): MeantColumn => ({
  name: of === 'value' ? metric.name : `${metric.name}_${figureSuffix[of]}`,
  expression,
  meaning: {
    label: of === 'value' ? metric.label : labelOfFigure(metric.label, of),
    role: {
      kind: 'figure',
      of,
      goodDirection: metric.goodDirection,
      isAdditive: metric.isAdditive && !['growth', 'running', 'moving-average'].includes(of),
    },
    unit: of === 'growth' || of === 'share' ? { kind: 'percent', scale: 100 } : metric.unit,
  },
  figure: { metric, of },
  key: null,
})

const figureSuffix: Readonly<Record<Exclude<FigureKind, 'value'>, string>> = {
  previous: 'before',
  change: 'change',
  growth: 'growth',
  share: 'share',
  running: 'to_date',
  'moving-average': 'moving_average',
}

/** A heading for what is derived from a figure: `Share of orders`, `Revenue before`. */
const labelOfFigure = (label: string, of: Exclude<FigureKind, 'value'>): string => {
  const noun = /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
  switch (of) {
    case 'previous':
      return `${label} before`
    case 'change':
      return `Change in ${noun}`
    case 'growth':
      return `Growth of ${noun}`
    case 'share':
      return `Share of ${noun}`
    case 'running':
      return `${label} to date`
    case 'moving-average':
      return `Moving average of ${noun}`
    default: {
      const never: never = of
      return never
    }
  }
}

export const columnOutput = ({ name, expression }: MeantColumn): Output =>
  plainOutput({ expression, alias: name })

/** What is needed to sort. */
export interface Sortable {
  readonly keys: readonly KeyColumn[]
  readonly used: UsedMetrics
  readonly figureOf: (metric: ResolvedMetric) => Expression
  readonly columns: readonly MeantColumn[]
  /** False inside of a window, where the headings of its SELECT mean nothing yet. */
  readonly hasHeadings?: boolean
  readonly dialect: Dialect
}

/**
 * As asked; else a series by time, parts of dates in their order, and everything else by its first figure. What is shown
 * is sorted by its heading.
 */
export const orderings = (query: MetricQuery, sortable: Sortable): readonly Ordering[] => {
  const { used } = sortable
  if (used.sorted.length > 0)
    return used.sorted.flatMap(({ order, metric }): readonly Ordering[] => {
      switch (order.kind) {
        case 'metric':
          return metric ? [byFigure(sortable, metric, order.direction)] : []
        case 'change': {
          const of = order.isRelative ? 'growth' : 'change'
          const shown = sortable.columns.find(
            ({ figure }) => figure?.of === of && metric !== null && sameFormula(figure.metric, metric),
          )
          if (shown === undefined) return []
          const isHeading = !testsForNull(sortable, order.direction)
          return [orderBy(isHeading ? headingOf(sortable, shown) : shown.expression, order.direction)]
        }
        case 'dimension':
          return byKey(sortable, { kind: 'dimension', at: order.at }, order.direction)
        case 'key':
          return byKey(sortable, order.key, order.direction)
        default: {
          const never: never = order
          return never
        }
      }
    })
  const [first] = used.shown
  const figure = first && sortable.keys.length > 0 ? [byFigure(sortable, first, 'desc')] : []
  const inOrder = query.groupBy.filter(({ kind }) => kind !== 'dimension' && kind !== 'model')
  if (inOrder.length === 0) return figure
  const byTime = inOrder.flatMap(key => byKey(sortable, key, 'asc'))
  return query.groupBy.length > inOrder.length ? [...byTime, ...figure] : byTime
}

const orderBy = (expression: Expression, direction: 'asc' | 'desc', hasNulls = true): Ordering => ({
  expression,
  direction,
  details: [],
  ...(hasNulls && { nullsLast: true as const }),
})

/** A column that is shown as it is has no heading of its own; joined to itself, its name alone could be either's. */
const headingOf = ({ hasHeadings = true }: Sortable, { name, expression }: MeantColumn): Expression =>
  hasHeadings && expression.kind !== 'column' ? columnOf(name) : expression

/** Where NULLs have to be asked for (MySQL), the heading of a figure cannot be used to ask. */
const testsForNull = ({ dialect }: Sortable, direction: 'asc' | 'desc'): boolean => {
  const { hasNullsLast, nullsLastWhen } = databaseDialect(dialect).rendering
  return !hasNullsLast && direction !== nullsLastWhen
}

const byFigure = (sortable: Sortable, metric: ResolvedMetric, direction: 'asc' | 'desc'): Ordering => {
  const shown = sortable.columns.find(
    ({ figure }) => figure?.of === 'value' && sameFormula(figure.metric, metric),
  )
  const { formula } = metric
  const measure = formula.kind === 'measure' ? sortable.used.measures[formula.at] : undefined
  const isCount = measure?.aggregation === 'count' || measure?.aggregation === 'count_distinct'
  const isHeading = shown !== undefined && (isCount || !testsForNull(sortable, direction))
  return orderBy(isHeading ? headingOf(sortable, shown) : sortable.figureOf(metric), direction, !isCount)
}

export const sameFormula = (a: ResolvedMetric, b: ResolvedMetric): boolean =>
  JSON.stringify(a.formula) === JSON.stringify(b.formula)

const byKey = (sortable: Sortable, wanted: GroupKey, direction: 'asc' | 'desc'): readonly Ordering[] =>
  sortable.keys
    .filter(({ key, isHidden }) => !isHidden && sameKey(key, wanted))
    .map(({ name, expression, mayBeNull }) => {
      const shown = sortable.columns.find(column => column.key !== null && column.name === name)
      return orderBy(shown ? headingOf(sortable, shown) : expression, direction, mayBeNull)
    })

export const sameKey = (a: GroupKey, b: GroupKey): boolean => JSON.stringify(a) === JSON.stringify(b)
