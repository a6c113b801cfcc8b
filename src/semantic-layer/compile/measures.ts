import type { DateUnit, DimensionRef, MetricFilter, MetricUse } from '../../domain/metrics/metric-query.ts'
import type { Aggregation, Metric, Unit } from '../../domain/metrics/semantic-layer.ts'
import { aggregateOf, literalOf } from '../../sql/tree/compose-query.ts'
import type { Expression } from '../../sql/tree/query-tree.ts'
import { elapsed, layerExpression, reachDimension, sqlCondition } from './expressions.ts'
import { filterCondition } from './filters.ts'
import { parseFormula } from './formula.ts'
import { dimensionAt, type LayerIndex, timeDimensionOf } from './layer-index.ts'
import { type Scope, UncompilableError } from './scope.ts'

/** One aggregation over the rows of one model. */
export interface Measure {
  readonly model: string
  readonly aggregation: Aggregation
  readonly percentile: number | null
  /** What is aggregated; null for rows. */
  readonly operand: ((scope: Scope) => Expression) | null
  readonly filters: readonly MetricFilter[]
  /** Conditions in the dialect, over the model's own columns. */
  readonly where: readonly string[]
  /** The date that its periods go by. */
  readonly time: DimensionRef | null
  /** A name for its column. */
  readonly name: string
}

/** How a figure is calculated from measures, which are named by their position in a list. */
export type Formula =
  | { readonly kind: 'measure'; readonly at: number }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'ratio'; readonly numerator: Formula; readonly denominator: Formula }
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*' | '/'
      readonly left: Formula
      readonly right: Formula
    }
  /** A figure that adds up over the periods of a query. */
  | { readonly kind: 'running'; readonly of: Formula; readonly running: CumulativeRunning }

/** How a cumulative metric adds up: since ever, since the start of a unit, or over the last periods. */
export type CumulativeRunning =
  | { readonly kind: 'total' }
  | { readonly kind: 'to-date'; readonly unit: DateUnit }
  | { readonly kind: 'window'; readonly count: number; readonly unit: DateUnit }

/** A metric that a query uses, ready to be compiled. */
export interface ResolvedMetric {
  readonly name: string
  readonly label: string
  readonly unit: Unit | null
  readonly goodDirection: 'up' | 'down' | null
  readonly formula: Formula
  /** Whether its groups add up to the total. */
  readonly isAdditive: boolean
}

/** Gathers the measures that metrics need, each once. */
export interface MeasureList {
  readonly measures: readonly Measure[]
  readonly resolve: (use: MetricUse) => ResolvedMetric
}

export const makeMeasureList = (index: LayerIndex): MeasureList => {
  const measures: Measure[] = []
  const positions = new Map<string, number>()
  const add = (key: unknown, make: () => Measure): Formula => {
    const text = JSON.stringify(key)
    const known = positions.get(text)
    if (known !== undefined) return { kind: 'measure', at: known }
    positions.set(text, measures.length)
    measures.push(make())
    return { kind: 'measure', at: measures.length - 1 }
  }

  const formulaOf = (
    name: string,
    filters: readonly MetricFilter[],
    within: readonly string[] = [],
  ): Formula => {
    const metric = index.metrics.get(name)
    if (metric === undefined) throw new UncompilableError(`there is no metric ${name}`)
    if (within.includes(name)) throw new UncompilableError(`${name} is defined by itself`)
    const inner = (other: string): Formula => formulaOf(other, filters, [...within, name])
    switch (metric.kind) {
      case 'simple':
        return add([name, filters], () => simpleMeasure(index, metric, filters))
      case 'ratio':
        return { kind: 'ratio', numerator: inner(metric.numerator), denominator: inner(metric.denominator) }
      case 'derived':
        return parseFormula(metric.formula, inner)
      case 'cumulative':
        return { kind: 'running', of: inner(metric.metric), running: runningOf(metric) }
      default: {
        const never: never = metric
        return never
      }
    }
  }

  const resolve = (use: MetricUse): ResolvedMetric => {
    switch (use.kind) {
      case 'named': {
        const metric = index.metrics.get(use.metric)
        if (metric === undefined) throw new UncompilableError(`there is no metric ${use.metric}`)
        const { name, label, unit, goodDirection } = metric
        return {
          name: use.label === undefined ? name : columnName(use.label),
          label: use.label ?? label,
          unit,
          goodDirection,
          formula: formulaOf(name, use.filters),
          isAdditive: isAdditive(index, metric),
        }
      }
      case 'made':
        return {
          name: columnName(use.label),
          label: use.label,
          unit: unitOfMade(index, use),
          goodDirection: null,
          formula: add(use, () => madeMeasure(index, use)),
          isAdditive: use.aggregation === 'sum' || use.aggregation === 'count',
        }
      case 'ratio': {
        const [numerator, denominator] = [resolve(use.numerator), resolve(use.denominator)]
        return {
          name: columnName(use.label),
          label: use.label,
          unit: use.isShare ? { kind: 'percent', scale: 100 } : ratioUnit(numerator.unit),
          goodDirection: null,
          formula: { kind: 'ratio', numerator: numerator.formula, denominator: denominator.formula },
          isAdditive: false,
        }
      }
      default: {
        const never: never = use
        return never
      }
    }
  }
  return { measures, resolve }
}

const runningOf = ({ window, toDate }: Extract<Metric, { kind: 'cumulative' }>): CumulativeRunning => {
  if (window !== null) return { kind: 'window', ...window }
  return toDate === null ? { kind: 'total' } : { kind: 'to-date', unit: toDate }
}

/** How the figures of a formula add up over time, for those that do. */
export const runningsIn = (formula: Formula): readonly CumulativeRunning[] => {
  switch (formula.kind) {
    case 'measure':
    case 'number':
      return []
    case 'ratio':
      return [...runningsIn(formula.numerator), ...runningsIn(formula.denominator)]
    case 'arithmetic':
      return [...runningsIn(formula.left), ...runningsIn(formula.right)]
    case 'running':
      return [formula.running, ...runningsIn(formula.of)]
    default: {
      const never: never = formula
      return never
    }
  }
}

/** An amount over a count is an amount; a count over a count is a plain number. */
const ratioUnit = (unit: Unit | null): Unit | null => (unit?.kind === 'count' ? null : unit)

const isAdditive = (index: LayerIndex, metric: Metric): boolean => {
  if (metric.kind === 'simple') return metric.aggregation === 'sum' || metric.aggregation === 'count'
  if (metric.kind === 'derived') return !/[*/]/.test(metric.formula)
  if (metric.kind === 'cumulative') {
    const inner = index.metrics.get(metric.metric)
    return inner !== undefined && isAdditive(index, inner)
  }
  return false
}

/** A label as the name of a column: `Average weight` becomes `average_weight`. */
export const columnName = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || 'value'

const simpleMeasure = (
  index: LayerIndex,
  metric: Metric & { readonly kind: 'simple' },
  filters: readonly MetricFilter[],
): Measure => {
  const model = index.models.get(metric.model)
  if (model === undefined) throw new UncompilableError(`there is no model ${metric.model}`)
  const { expression } = metric
  return {
    model: metric.model,
    aggregation: metric.aggregation,
    percentile: metric.percentile,
    operand: expression && (scope => layerExpression(scope, expression)),
    filters,
    where: metric.filters,
    time: timeDimensionOf(index, model, metric.timeDimension ?? model.model.timeDimension),
    name: metric.name,
  }
}

const madeMeasure = (index: LayerIndex, use: Extract<MetricUse, { kind: 'made' }>): Measure => {
  const model = index.models.get(use.model)
  if (model === undefined) throw new UncompilableError(`there is no model ${use.model}`)
  const { of } = use
  return {
    model: use.model,
    aggregation: use.aggregation,
    percentile: use.percentile,
    operand:
      of &&
      (scope =>
        'dimension' in of
          ? reachDimension(scope, of).expression
          : elapsed(of.unit, reachDimension(scope, of.from), reachDimension(scope, of.until))),
    filters: use.filters,
    where: [],
    time: timeDimensionOf(index, model, model.model.timeDimension),
    name: columnName(use.label),
  }
}

const unitOfMade = (
  index: LayerIndex,
  { aggregation, of }: Extract<MetricUse, { kind: 'made' }>,
): Unit | null => {
  if (of === null || aggregation === 'count' || aggregation === 'count_distinct') return { kind: 'count' }
  return 'dimension' in of
    ? (dimensionAt(index, of)?.dimension.unit ?? null)
    : { kind: 'duration', unit: of.unit }
}

/** Conditions under which a row counts for a measure. */
export const measureConditions = (
  scope: Scope,
  { filters, where }: Pick<Measure, 'filters' | 'where'>,
): readonly Expression[] => [
  ...where.map(text => sqlCondition(scope, text)),
  ...filters.map(filter => filterCondition(scope, filter)),
]

/** Whether a total of no rows is 0, rather than nothing. */
export const isTotal = ({ aggregation }: Measure): boolean =>
  aggregation === 'sum' || aggregation === 'count' || aggregation === 'count_distinct'

/**
 * A measure as an aggregate; rows that do not meet `condition` are left out. `key` is what to count if rows may repeat.
 */
export const aggregateMeasure = (
  scope: Scope,
  measure: Measure,
  condition: Expression | null,
  key: Expression | null,
): Expression => {
  // Rows count whether or not they have a partner that the operand is about.
  const operand = measure.operand?.(scope.joining('left')) ?? null
  const counted = (value: Expression, otherwise: Expression | null = null): Expression =>
    condition === null
      ? value
      : { kind: 'case', operand: null, branches: [{ when: condition, value }], otherwise }
  switch (measure.aggregation) {
    case 'count': {
      if (key !== null) return aggregateOf('count', counted(key), true)
      return operand === null && condition === null
        ? aggregateOf('count')
        : aggregateOf('count', counted(operand ?? literalOf(1)))
    }
    case 'count_distinct':
      return aggregateOf('count', counted(operand ?? literalOf(1)), true)
    case 'median':
    case 'percentile':
      return {
        kind: 'percentile',
        fraction: measure.percentile ?? 0.5,
        operand: counted(operand ?? literalOf(1)),
      }
    case 'sum':
      return aggregateOf('sum', counted(operand ?? literalOf(1), literalOf(0)))
    case 'avg':
    case 'min':
    case 'max':
      return aggregateOf(measure.aggregation, counted(operand ?? literalOf(1)))
    default: {
      const never: never = measure.aggregation
      return never
    }
  }
}

/**
 * A formula over the expressions of its measures. `runningAt` gives those of a figure that adds up over time; without it,
 * the figure is that of all rows.
 */
export const formulaExpression = (
  formula: Formula,
  measureAt: (at: number) => Expression,
  runningAt: ((at: number, running: CumulativeRunning) => Expression) | null = null,
): Expression => {
  const part = (inner: Formula): Expression => formulaExpression(inner, measureAt, runningAt)
  switch (formula.kind) {
    case 'measure':
      return measureAt(formula.at)
    case 'number':
      return literalOf(formula.value)
    case 'ratio':
      return { kind: 'ratio', numerator: part(formula.numerator), denominator: part(formula.denominator) }
    case 'arithmetic': {
      const [left, right] = [part(formula.left), part(formula.right)]
      return formula.operator === '/'
        ? { kind: 'ratio', numerator: left, denominator: right }
        : { kind: 'arithmetic', operator: formula.operator, left, right }
    }
    case 'running':
      return runningAt === null
        ? part(formula.of)
        : formulaExpression(formula.of, at => runningAt(at, formula.running))
    default: {
      const never: never = formula
      return never
    }
  }
}
