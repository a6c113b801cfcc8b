import type { ChangedFilter } from '../../domain/interpretation.ts'
import type { MetricFilter, MetricQuery, MetricUse } from '../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { countOf, refOf, scaled } from '../interpret/draft/query-draft.ts'
import { joinValues } from '../interpret/finish/compare.ts'
import { settleSegment } from '../interpret/finish/conditions.ts'
import {
  amountDimension,
  distanceTo,
  type FinishContext,
  modelNamed,
  unitOfUse,
} from '../interpret/finish/layer-facts.ts'
import { type Change, dimensionAt, isSamePlace, mapFilters, modelsNamed, saysCue } from './changed-query.ts'

/** What speaks for a value of a dimension that was filtered by before, and of one that is grouped by. */
const SAME_DIMENSION = 1

const GROUPED_DIMENSION = 0.5

/** Conditions on rows and on figures: added, or in place of those about the same thing. */
export const changeFilters = (change: Change, home: SemanticModel): void => {
  const { draft, context } = change
  const settled = draft.filters.map(({ filter, at }) => ({
    filter: asKnown(asValue(settleSegment({ context }, filter, home), context), change),
    at,
  }))
  const joined = joinValues(settled).map(({ filter }) => filter)
  if (isContradictory(joined)) change.score -= 2
  for (const filter of joined) {
    change.score -= distanceTo(context, home.name, modelOf(filter, home, context))
    if ('at' in filter && modelsNamed(change.draft).some(({ model }) => model.name === filter.at.model))
      change.score += 0.25
    if (filter.kind === 'values') changeValues(change, filter)
    else if (filter.kind === 'compare') changeBound(change, filter)
    else if (filter.kind === 'segment') changeSegment(change, filter)
    else addFilter(change, filter)
  }
  for (const { model, negated, filters } of draft.clauses) {
    change.score += 0.3
    addFilter(change, { kind: 'related', model: model.name, filters, negated })
  }
  changeMeasured(change, home)
}

const asKnown = (filter: MetricFilter, { manner }: Change): MetricFilter =>
  filter.kind === 'missing' && manner.negatesTwice ? { ...filter, negated: true } : filter

/** "Without planned maintenance" cut in two: without what is planned, and only maintenance. */
const isContradictory = (filters: readonly MetricFilter[]): boolean => {
  const values = filters.filter(filter => filter.kind === 'values')
  return values.some(
    one =>
      one.negated &&
      values.some(
        other =>
          !other.negated &&
          isSamePlace(one.at, other.at) &&
          other.values.some(value => one.values.includes(value)),
      ),
  )
}

const oneValue = /^["`]?(\w+)["`]?\s*=\s*'([^']*)'$/

/** "Canceled" as the value of a column that it is; a segment that says more stays what it is. */
const asValue = (filter: MetricFilter, { index }: FinishContext): MetricFilter => {
  if (filter.kind !== 'segment') return filter
  const segment = index.segments.get(filter.segment)
  const model = segment && index.models.get(segment.model)?.model
  const [condition, ...others] = segment?.conditions ?? []
  const [, column, value] = (condition?.kind === 'sql' && oneValue.exec(condition.text)) || []
  const dimension = model?.dimensions.find(
    ({ expression }) => expression.kind === 'column' && expression.column === column,
  )
  return model && dimension && value !== undefined && others.length === 0
    ? { kind: 'values', at: refOf(model, dimension), values: [value], negated: filter.negated }
    : filter
}

const modelOf = (filter: MetricFilter, home: SemanticModel, { index }: FinishContext): string =>
  'at' in filter
    ? filter.at.model
    : filter.kind === 'segment'
      ? (index.segments.get(filter.segment)?.model ?? home.name)
      : home.name

const addFilter = (change: Change, filter: MetricFilter, how: 'only' | 'now' = 'only'): void => {
  change.query = { ...change.query, filters: [...change.query.filters, filter] }
  const said = filterSaid(filter, change.context)
  if (said !== null) change.said.push({ kind: 'filter', how, filter: said })
}

/** A value in place of another one of its dimension; one more value; or a value that does not count. */
const changeValues = (change: Change, filter: Extract<MetricFilter, { kind: 'values' }>): void => {
  const { query, manner, context } = change
  const isRival = (other: MetricFilter): other is typeof filter =>
    other.kind === 'values' && isSamePlace(other.at, filter.at) && other.negated === filter.negated
  let rivals = 0
  mapFilters(query, other => {
    if (other.kind === 'values' && isSamePlace(other.at, filter.at)) rivals++
    return other
  })
  if (rivals > 0) change.score += SAME_DIMENSION
  else if (query.groupBy.some(key => key.kind === 'dimension' && isSamePlace(key.at, filter.at)))
    change.score += GROUPED_DIMENSION
  else if (query.groupBy.some(key => key.kind === 'model' && key.model === filter.at.model))
    change.score += GROUPED_DIMENSION
  const isCompared = saysCue(change, 'versus', 'compare') && !filter.negated && rivals > 0
  if (isCompared) {
    for (const kind of ['versus', 'compare'] as const) change.used.add(kind)
    if (!query.groupBy.some(key => key.kind === 'dimension' && isSamePlace(key.at, filter.at)))
      change.query = { ...query, groupBy: [...query.groupBy, { kind: 'dimension', at: filter.at }] }
  }
  const unites = manner.adds || isCompared || filter.negated
  let isReplaced = false
  change.query = mapFilters(change.query, other => {
    if (other.kind !== 'values' || !isSamePlace(other.at, filter.at)) return other
    if (filter.negated && !other.negated) {
      // "Without Germany" of Germany and France leaves France.
      const left = other.values.filter(value => !filter.values.includes(value))
      if (left.length === other.values.length || left.length === 0) return other
      isReplaced = true
      return { ...other, values: left }
    }
    if (!filter.negated && other.negated) {
      // Asking for what was left out brings it back.
      return other.values.every(value => filter.values.includes(value)) ? null : other
    }
    if (!isRival(other)) return other
    isReplaced = true
    const values = unites ? [...new Set([...other.values, ...filter.values])] : filter.values
    return { ...other, values }
  })
  if (!isReplaced) {
    addFilter(change, filter)
    return
  }
  const said = filterSaid(filter, context)
  if (said !== null)
    change.said.push({ kind: 'filter', how: unites && !filter.negated ? 'also' : 'now', filter: said })
}

/** "Over 500" in place of another bound on the same side. */
const changeBound = (change: Change, filter: Extract<MetricFilter, { kind: 'compare' }>): void => {
  let isReplaced = false
  change.query = mapFilters(change.query, other => {
    const isRival =
      other.kind === 'compare' &&
      isSamePlace(other.at, filter.at) &&
      other.operator.charAt(0) === filter.operator.charAt(0)
    isReplaced ||= isRival
    return isRival ? { ...filter, at: other.at } : other
  })
  if (!isReplaced) {
    addFilter(change, filter)
    return
  }
  const said = filterSaid(filter, change.context)
  if (said !== null) change.said.push({ kind: 'filter', how: 'now', filter: said })
}

/** "And the inactive ones?" in place of the active ones; else one condition more. */
const changeSegment = (change: Change, filter: Extract<MetricFilter, { kind: 'segment' }>): void => {
  const { query, manner, context } = change
  const model = context.index.segments.get(filter.segment)?.model
  const rival = query.filters.find(
    other => other.kind === 'segment' && context.index.segments.get(other.segment)?.model === model,
  )
  const replaces = rival !== undefined && (manner.joins || manner.replaces) && !manner.adds
  if (replaces) change.query = { ...query, filters: query.filters.filter(other => other !== rival) }
  addFilter(change, filter, replaces ? 'now' : 'only')
}

/** "More than 3": the bound on the figure that was asked about, or a new one. */
const changeMeasured = (change: Change, home: SemanticModel): void => {
  const { draft, context } = change
  for (const { condition, metric, model } of draft.measured) {
    const { operator } = condition
    const isListed = change.query.rowsOf !== null
    const own = metric ?? (model && !(isListed && model.name === home.name) ? countOf(model) : null)
    const measured = change.query.filters.find(filter => filter.kind === 'measured')
    const isSame = measured !== undefined && (own === null || modelOfUse(own) === modelOfUse(measured.metric))
    const [having] = change.query.having
    const [figure] = change.query.metrics
    change.said.push({ kind: 'having', operator, number: condition.value })
    if (measured !== undefined && isSame) {
      const value = scaled(condition.value, { unit: unitOfUse(measured.metric, context) })
      const filters = change.query.filters.map(filter =>
        filter === measured ? { ...measured, operator, value } : filter,
      )
      change.query = { ...change.query, filters }
      change.score += SAME_DIMENSION
      continue
    }
    if (isListed) {
      const amount = own === null ? amountDimension(home, context.layer) : null
      const value = condition.value
      if (amount)
        addQuietly(change, {
          kind: 'compare',
          at: refOf(home, amount),
          operator,
          value: scaled(value, amount),
        })
      else if (own)
        addQuietly(change, {
          kind: 'measured',
          of: home.name,
          metric: own,
          operator,
          value: scaled(value, { unit: unitOfUse(own, context) }),
          period: null,
        })
      else change.score -= 1
      continue
    }
    const target = own ?? having?.metric ?? figure
    if (target === undefined || change.query.groupBy.length === 0) {
      change.score -= 1
      continue
    }
    const value = scaled(condition.value, { unit: unitOfUse(target, context) })
    const others = change.query.having.filter(
      one =>
        JSON.stringify(one.metric) !== JSON.stringify(target) ||
        one.operator.charAt(0) !== operator.charAt(0),
    )
    change.query = { ...change.query, having: [...others, { metric: target, operator, value }] }
  }
}

const modelOfUse = (use: MetricUse): string =>
  use.kind === 'made' ? use.model : use.kind === 'named' ? use.metric : use.label

const addQuietly = (change: Change, filter: MetricFilter): void => {
  change.query = { ...change.query, filters: [...change.query.filters, filter] }
}

/** A condition for the words of an answer; null for one that has none. */
const filterSaid = (filter: MetricFilter, context: FinishContext): ChangedFilter | null => {
  const label = (at: Extract<MetricFilter, { kind: 'values' }>['at']): string =>
    dimensionAt(at, context)?.label.toLowerCase() ?? at.dimension
  switch (filter.kind) {
    case 'values': {
      const { at, values, negated } = filter
      return { kind: 'compare', column: label(at), operator: '=', value: values.join(', '), negated }
    }
    case 'compare':
      return {
        kind: 'compare',
        column: label(filter.at),
        operator: filter.operator,
        value: filter.value,
        negated: false,
      }
    case 'missing':
      return { kind: 'missing', column: label(filter.at), negated: filter.negated }
    case 'segment': {
      const segment = context.index.segments.get(filter.segment)
      return {
        kind: 'segment',
        label: segment?.label.toLowerCase() ?? filter.segment,
        negated: filter.negated,
      }
    }
    case 'related': {
      const plural = modelNamed(context, filter.model)?.plural ?? filter.model
      return { kind: 'segment', label: `with ${plural}`, negated: filter.negated }
    }
    default:
      return null
  }
}

/** Filters of figures belong to rows when the rows themselves are asked for. */
export const filtersOfFigures = ({ metrics }: MetricQuery): readonly MetricFilter[] =>
  metrics.flatMap(use => (use.kind === 'ratio' ? [] : use.filters))
