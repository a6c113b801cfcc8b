import type { MetricOrder, MetricQuery, MetricUse } from '../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { countOf, refOf } from '../interpret/draft/query-draft.ts'
import { baseOf, columnOfFigure, pathBetween } from '../interpret/finish/layer-facts.ts'
import { filtersOfFigures } from './change-filters.ts'
import {
  type Change,
  figureLabel,
  isSamePlace,
  modelsNamed,
  saysCue,
  subjectOfQuery,
} from './changed-query.ts'

type Aggregation = Extract<MetricUse, { kind: 'made' }>['aggregation']

/** Other figures, one figure more, or the same figure taken in another way. */
export const changeFigures = (change: Change, home: SemanticModel): void => {
  const { draft } = change
  const counts = modelsNamed(draft).filter(({ role }) => role === 'counted')
  const named = draft.metrics.filter(({ at }) => !counts.some(one => one.at === at))
  if (named.length > 0) {
    swapFigures(
      change,
      named.map(({ use }) => use),
      home,
    )
    return
  }
  if (changeAggregation(change, home)) return
  const counted =
    counts[0]?.model ??
    (draft.wantsCount ? modelsNamed(draft).find(({ role }) => role !== 'group')?.model : undefined)
  if (counted === undefined && !draft.wantsCount) return
  const isSplit = change.query.rowsOf === null && change.query.groupBy.length > 0
  countInstead(change, counted ?? home, { home, keepsGroups: counted !== undefined && isSplit })
}

/** Figures in place of those before, in all that the query does with them. */
export const swapFigures = (change: Change, uses: readonly MetricUse[], home: SemanticModel): void => {
  const { query, manner, context, draft } = change
  const isRanked =
    query.limit !== null && query.order.some(({ kind }) => kind === 'metric' || kind === 'change')
  const orders = draft.metrics.some(({ isOrder }) => isOrder)
  const isAdded =
    (manner.adds || manner.joins) && !manner.replaces && !isRanked && query.rowsOf === null && !orders
  if (query.rowsOf !== null) {
    // A figure of each row that is listed, or one of all of them.
    const columns = uses.map(use => columnOfFigure(use, home, context))
    if (columns.every(column => column !== null) && (manner.adds || manner.refers)) {
      addShown(
        change,
        columns.map(column => refOf(home, column)),
        columns.map(({ label }) => label.toLowerCase()),
      )
      return
    }
    change.query = { ...query, rowsOf: null, show: [], order: [], limit: null, limitPer: [] }
  }
  const before = change.query.metrics
  const metrics = isAdded ? distinctUses([...before, ...uses]) : distinctUses(uses)
  const [first] = metrics
  const others = change.query.order.filter(({ kind }) => kind !== 'metric' && kind !== 'change')
  const ranks = change.query.order.flatMap((order): readonly MetricOrder[] =>
    (order.kind === 'metric' || order.kind === 'change') && first
      ? [{ ...order, metric: isAdded ? order.metric : first }]
      : [],
  )
  change.query = { ...change.query, metrics, order: [...ranks, ...others] }
  if (!isAdded) measureByOwnDate(change, before[0], first)
  change.score -= uses.filter(use => !isMeasuredPerGroup(use, change)).length
  change.figureIsAsked = true
  // Conditions of the figure before hold for the new one: those of rows that it counts.
  for (const use of isAdded ? metrics.slice(before.length) : metrics)
    change.said.push({ kind: 'metric', label: figureLabel(use, context), isAdded })
}

/** Returns of last month are those that came back then, whenever what they belong to was ordered. */
const measureByOwnDate = (
  change: Change,
  before: MetricUse | undefined,
  now: MetricUse | undefined,
): void => {
  const { query, context } = change
  const [old, fresh] = [before, now].map(use => (use ? baseOf(use, context) : null))
  if (!query.period?.at || !old || !fresh || old.name === fresh.name) return
  if (query.period.at.model === old.name) change.query = { ...query, period: { ...query.period, at: null } }
}

/** Whether each row that a figure is made of belongs to one group: an order has many products, an order line has one. */
const isMeasuredPerGroup = (use: MetricUse, { query, context }: Change): boolean => {
  const base = baseOf(use, context)
  return query.groupBy.every(key => {
    const model = key.kind === 'model' ? key.model : key.kind === 'dimension' ? key.at.model : null
    if (base === null || model === null || model === base.name) return true
    return pathBetween(context, base.name, model)?.every(step => step.isToOne) === true
  })
}

const distinctUses = (uses: readonly MetricUse[]): readonly MetricUse[] =>
  uses.filter((use, at) => uses.findIndex(one => JSON.stringify(one) === JSON.stringify(use)) === at)

const aggregationLabels: Readonly<Record<Aggregation, string>> = {
  sum: 'Total',
  avg: 'Average',
  median: 'Median',
  percentile: 'Percentile of',
  min: 'Lowest',
  max: 'Highest',
  count: 'Number of',
  count_distinct: 'Number of',
}

/** "The median instead": the same column, aggregated in another way. Whether there was such a change. */
const changeAggregation = (change: Change, home: SemanticModel): boolean => {
  const { draft, manner, context, query } = change
  const wanted = draft.aggregate
  // "In percent of the total" says what the share is of.
  if (wanted === null || saysCue(change, 'share', 'percent') || query.rowsOf !== null) return false
  const [figure] = query.metrics
  const fn: Aggregation = wanted.fn
  const changed = figure && reaggregated(figure, fn, wanted.fraction, change)
  // "The average per charge" is that of the rows themselves.
  const groups = draft.groups.filter(({ key }) => key.kind === 'model' && key.model === home.name)
  for (const group of groups) draft.groups.splice(draft.groups.indexOf(group), 1)
  if (!changed) {
    change.score -= 1
    change.unused.push(wanted.fn === 'avg' ? 'average' : wanted.fn)
    return true
  }
  const isAdded = manner.joins && !manner.replaces && groups.length === 0
  const metrics = isAdded ? distinctUses([...query.metrics, changed]) : [changed]
  const order = query.order.map(one =>
    !isAdded && (one.kind === 'metric' || one.kind === 'change') ? { ...one, metric: changed } : one,
  )
  change.query = { ...query, metrics, order }
  change.figureIsAsked = true
  change.said.push({ kind: 'metric', label: figureLabel(changed, context), isAdded })
  return true
}

/** A figure's column under another aggregation; null if it has no column. */
const reaggregated = (
  use: MetricUse,
  fn: Aggregation,
  percentile: number | null,
  change: Change,
): MetricUse | null => {
  const { index } = change.context
  if (use.kind === 'ratio') {
    // Revenue per invoice is the mean of the invoices' amounts.
    const numerator = baseOf(use.numerator, change.context)
    const denominator = baseOf(use.denominator, change.context)
    return numerator !== null && numerator.name === denominator?.name
      ? reaggregated(use.numerator, fn, percentile, change)
      : null
  }
  const prefix =
    fn === 'percentile' ? `${Math.round((percentile ?? 0.5) * 100)}th percentile of` : aggregationLabels[fn]
  if (use.kind === 'made') {
    if (use.of === null || use.aggregation === 'count_distinct') return null
    const plain = use.label.replace(/^(?:Total|Average|Median|Lowest|Highest|\d+th percentile of) /, '')
    return {
      ...use,
      aggregation: fn,
      percentile,
      label: `${prefix} ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`,
    }
  }
  const metric = index.metrics.get(use.metric)
  if (metric?.kind === 'ratio') {
    const part = (metric_: string): MetricUse => ({ kind: 'named', metric: metric_, filters: use.filters })
    const asRatio = {
      label: metric.label,
      numerator: part(metric.numerator),
      denominator: part(metric.denominator),
    }
    return reaggregated({ kind: 'ratio', isShare: false, ...asRatio }, fn, percentile, change)
  }
  if (metric?.kind !== 'simple' || metric.expression?.kind !== 'column') return null
  if (metric.aggregation === fn) return use
  const sum = [...index.metrics.values()].find(
    one =>
      one.kind === 'simple' &&
      one.model === metric.model &&
      one.aggregation === fn &&
      one.expression?.kind === 'column' &&
      metric.expression?.kind === 'column' &&
      one.expression.column === metric.expression.column,
  )
  if (sum && metric.filters.length === 0) return { kind: 'named', metric: sum.name, filters: use.filters }
  const plain = metric.label.replace(/^(?:Total|Average) /, '')
  return {
    kind: 'made',
    label: `${prefix} ${/^[A-Z][A-Z]/.test(plain) ? plain : plain.charAt(0).toLowerCase() + plain.slice(1)}`,
    model: metric.model,
    aggregation: fn,
    of: { model: metric.model, dimension: metric.expression.column, via: null },
    percentile,
    filters: use.filters,
  }
}

/** The highest or lowest value of a figure's column. */
export const extremeInstead = (change: Change, fn: 'max' | 'min'): boolean => {
  const [figure] = change.query.metrics
  const use = figure && reaggregated(figure, fn, null, change)
  if (!use || change.query.rowsOf !== null) return false
  const isAdded = change.manner.joins && !change.manner.replaces
  change.query = { ...change.query, metrics: isAdded ? [...change.query.metrics, use] : [use], order: [] }
  change.said.push({ kind: 'metric', label: figureLabel(use, change.context), isAdded })
  return true
}

/** "How many are there?", "how many customers is that?": rows are counted, or the different things behind them. */
export const countInstead = (
  change: Change,
  counted: SemanticModel,
  { home, keepsGroups = false }: { readonly home: SemanticModel; readonly keepsGroups?: boolean },
): void => {
  const { query, context } = change
  const isHome = counted.name === home.name
  const path = isHome ? [] : pathBetween(context, home.name, counted.name)
  const [key] = counted.primaryKey
  if (path === null || (!isHome && (key === undefined || !path.every(step => step.isToOne)))) {
    // Of another kind: counted by itself, under the same conditions.
    swapFigures(change, [countOf(counted)], home)
    return
  }
  const figures = filtersOfFigures(query)
  const use: MetricUse = isHome
    ? countOf(home)
    : {
        kind: 'made',
        label: countOf(counted).kind === 'made' ? capitalize(counted.plural) : '',
        model: home.name,
        aggregation: 'count_distinct',
        of: { model: counted.name, dimension: key ?? '', via: null },
        percentile: null,
        filters: [],
      }
  change.query = {
    ...query,
    rowsOf: null,
    show: [],
    metrics: [use],
    filters: [...query.filters, ...figures],
    groupBy: keepsGroups ? query.groupBy : [],
    order: keepsGroups ? query.order.filter(({ kind }) => kind === 'key') : [],
    limit: null,
    limitPer: [],
    having: [],
    share: null,
    running: null,
  }
  change.figureIsAsked = true
  change.said.push({ kind: 'metric', label: `number of ${counted.plural}`, isAdded: false })
}

/** "Which ones?": the rows that were counted or added up. Whether there are such. */
export const listInstead = (change: Change): boolean => {
  const { query, context } = change
  if (query.rowsOf !== null) return true
  const home = subjectOfQuery(query, context)
  if (home === null) return false
  change.query = {
    ...query,
    rowsOf: home.name,
    filters: [...query.filters, ...filtersOfFigures(query)],
    metrics: [],
    groupBy: [],
    order: [],
    limit: null,
    limitPer: [],
    having: [],
    share: null,
    running: null,
    compare: null,
  }
  change.figureIsAsked = true
  change.said.push({ kind: 'list', table: home.label.toLowerCase() })
  return true
}

/** Columns to show beside the rows that are listed. */
export const addShown = (
  change: Change,
  refs: readonly MetricQuery['show'][number][],
  labels: readonly string[],
): void => {
  const fresh = refs.filter(ref => !change.query.show.some(one => isSamePlace(one, ref)))
  if (fresh.length === 0) return
  change.query = { ...change.query, show: [...change.query.show, ...fresh] }
  change.said.push({ kind: 'show', labels: [...new Set(labels)] })
}

/** What a list shows of each row: "their emails", "add the artist", "when were they hired". */
export const changeShown = (change: Change, home: SemanticModel): void => {
  const { draft, context, query } = change
  if (query.rowsOf === null) return
  for (const { model, dimension, role } of draft.dimensions) {
    if (role !== 'asked') continue
    const path = pathBetween(context, home.name, model.name)
    if (path?.every(step => step.isToOne) !== true) change.score -= 0.8
    else if (model.name !== home.name) change.score -= 0.15 * path.length
    addShown(change, [refOf(model, dimension)], [dimension.label.toLowerCase()])
  }
  for (const { model, join } of draft.roles) {
    const target = context.index.models.get(join.to)?.model
    if (!target || pathBetween(context, home.name, model.name)?.length !== 0) continue
    const via = [join.name]
    const refs = target.nameDimensions.map(dimension => ({ model: target.name, dimension, via }))
    addShown(change, refs, [join.name.replaceAll('_', ' ')])
    change.score += 0.3
  }
  for (const { model } of modelsNamed(change.draft)) {
    if (model.name === home.name) continue
    const path = pathBetween(context, home.name, model.name)
    if (path?.every(step => step.isToOne) !== true) {
      change.score -= 1
      continue
    }
    const refs = model.nameDimensions.map(dimension => ({ model: model.name, dimension, via: null }))
    addShown(change, refs, [model.label.toLowerCase()])
  }
  for (const { model, dimension, isUsed } of draft.events) {
    if (isUsed) continue
    if (model.name !== home.name) change.score -= 0.5
    addShown(change, [refOf(model, dimension)], [dimension.label.toLowerCase()])
  }
}
