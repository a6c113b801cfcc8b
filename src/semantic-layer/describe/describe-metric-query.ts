import type {
  AnswerCondition,
  AnswerOrder,
  AnswerPeriod,
  AnswerSubject,
  ColumnMeaning,
  RowNoun,
} from '../../domain/metrics/answer-meaning.ts'
import {
  type DimensionRef,
  emptyMetricQuery,
  type MetricFilter,
  type MetricQuery,
  type MetricUse,
} from '../../domain/metrics/metric-query.ts'
import type { AnswerMeaning } from '../../domain/metrics/metric-reading.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { foldText } from '../../lib/fold-text.ts'
import { formatDays, formatFigure } from '../../lib/format-figure.ts'
import { toSingular } from '../../lib/stem-word.ts'
import type { CompileMetricQuery } from '../compile/compile-metric-query.ts'
import { dimensionAt, type IndexedModel, type LayerIndex, timeDimensionOf } from '../compile/layer-index.ts'
import {
  comparisonWords,
  inSentence,
  isParticiple,
  matchWords,
  missingWords,
  pluralOf,
  relatedWords,
  valueWords,
} from './condition-words.ts'

/** What an answer shows that was read as a metric query. */
export const describeMetricQuery = (
  { query, columns, isYesNo }: AnswerMeaning,
  {
    index,
    compile,
    today,
    timeZone,
  }: {
    readonly index: LayerIndex
    readonly compile: CompileMetricQuery
    readonly today: string
    readonly timeZone: string
  },
): AnswerSubject => {
  const { names, others } = splitNames(query, index)
  const conditions = [...names, ...others.map(filter => filterWords(filter, index))]
  const { limit, compare } = query
  const order = orderOf(query, columns, index)
  return {
    columns: nameShares(asFigure(columns, order), query, index),
    rowsOf: nounOf(query.rowsOf === null ? undefined : index.models.get(query.rowsOf)),
    groupsOf: groupNoun(query, index, columns),
    countsOf: nounOf(index.models.get(modelOf(query.metrics[0], index) ?? '')),
    period: periodOf(query, index),
    conditions: conditions.filter(condition => condition !== null),
    isComplete: !conditions.includes(null) && query.having.length === 0,
    order,
    limit,
    limitsGroups: query.limitPer.length > 0,
    compare,
    isYesNo,
    extent: extentOf(query, index, sql => compile(sql, { timeZone, today })),
  }
}

/**
 * A share by what it is the share of: "Share" of orders becomes "Share of canceled orders". A rate has the name of its
 * part: "Refund rate of payments".
 */
const nameShares = (
  columns: readonly ColumnMeaning[],
  { metrics, compare }: MetricQuery,
  index: LayerIndex,
): readonly ColumnMeaning[] => {
  const [use, ...others] = metrics
  if (use?.kind !== 'ratio' || !use.isShare || others.length > 0 || compare !== null) return columns
  const named = nameOfShare(use.label, use.numerator, index)
  if (named === null) return columns
  return columns.map(column => (column.label === use.label ? { ...column, label: named } : column))
}

/** "Share of canceled orders", "Share of customers without orders"; null if what makes the part has no short words. */
const nameOfShare = (label: string, use: MetricUse, index: LayerIndex): string | null => {
  const plural = index.models.get(modelOf(use, index) ?? '')?.model.plural
  const filters = use.kind === 'ratio' ? [] : use.filters
  const [condition, ...others] = filters.map(filter => filterWords(filter, index))
  if (!plural || !condition || others.length > 0) return null
  const { words, kind } = condition
  switch (kind) {
    case 'adjective':
      return `${label} of ${words} ${plural}`
    case 'place':
    case 'person':
      return `${label} of ${plural} from ${words}`
    case 'clause':
      return `${label} of ${plural} ${words}`
    case 'value':
      return /^rate$/i.test(label)
        ? `${capitalize(words)} ${label.toLowerCase()} of ${plural}`
        : `${label} of ${plural} (${words})`
    case 'measure':
      return `${label} of ${plural} with ${words}`
    default: {
      const never: never = kind
      return never
    }
  }
}

const nounOf = (model: IndexedModel | undefined): RowNoun | null =>
  model ? { singular: inSentence(model.model.label), plural: model.model.plural } : null

const groupNoun = (
  { groupBy }: MetricQuery,
  index: LayerIndex,
  columns: readonly ColumnMeaning[],
): RowNoun | null => {
  const [first] = groupBy
  if (first === undefined) return null
  if (first.kind === 'model') return nounOf(index.models.get(first.model))
  const label = columns.find(({ role }) => role.kind === 'name' || role.kind === 'category')?.label
  return label === undefined ? null : { singular: inSentence(label), plural: pluralOf(inSentence(label)) }
}

/** What ranks: the figure, or the column of a list that was cut. Null if nothing does. */
const orderOf = (
  { order: [order], limit, rowsOf }: MetricQuery,
  columns: readonly ColumnMeaning[],
  index: LayerIndex,
): AnswerOrder | null => {
  if (order?.kind === 'metric' || order?.kind === 'change')
    return {
      label: columns.find(({ role }) => role.kind === 'figure')?.label ?? '',
      direction: order.direction,
      column: null,
      isChange: order.kind === 'change',
    }
  const label = order?.kind === 'dimension' ? dimensionAt(index, order.at)?.dimension.label : undefined
  const column = columns.findIndex(one => one.label === label)
  if (!order || label === undefined || column === -1 || limit === null || rowsOf === null) return null
  return { label, direction: order.direction, column, isChange: false }
}

/** The number that rows are ranked by is what was asked for. */
const asFigure = (columns: readonly ColumnMeaning[], order: AnswerOrder | null): readonly ColumnMeaning[] =>
  columns.map((column, at) =>
    at === order?.column && column.role.kind === 'category' && column.role.isOrdered
      ? { ...column, role: { kind: 'figure', of: 'value', goodDirection: null, isAdditive: false } }
      : column,
  )

const periodOf = ({ period, rowsOf, metrics }: MetricQuery, index: LayerIndex): AnswerPeriod | null => {
  if (period === null) return null
  const { from, until, phrase } = period
  const base = index.models.get(rowsOf ?? modelOf(metrics[0], index) ?? '')
  const at = period.at ?? (base ? timeDimensionOf(index, base, base.model.timeDimension) : null)
  const label = at && inSentence(dimensionAt(index, at)?.dimension.label ?? '')
  // Employees are counted by when they were hired, unless it is by when they left.
  const [metric] = metrics
  const isOther =
    period.at !== null &&
    metric?.kind === 'made' &&
    metric.aggregation === 'count' &&
    metric.model === period.at.model &&
    base?.model.timeDimension !== period.at.dimension
  const isTold = rowsOf === null ? isOther : at?.model === rowsOf
  return {
    from,
    until,
    phrase: phrase === '' ? null : phrase,
    verb: isTold && label && isParticiple(label) ? label : null,
  }
}

/** The model whose rows a metric counts; null for one made of several. */
const modelOf = (use: MetricUse | undefined, index: LayerIndex): string | null => {
  if (use === undefined || use.kind === 'ratio') return null
  if (use.kind === 'made') return use.model
  const metric = index.metrics.get(use.metric)
  return metric?.kind === 'simple' ? metric.model : null
}

/** First and last name as one: rows "from Ada Alm", or those "called Ada Alm". */
const splitNames = (
  { filters, rowsOf, metrics }: MetricQuery,
  index: LayerIndex,
): { readonly names: readonly AnswerCondition[]; readonly others: readonly MetricFilter[] } => {
  const own = rowsOf ?? modelOf(metrics[0], index)
  const parts = [...index.models.values()].flatMap(({ model }) => {
    const said = model.nameDimensions.map(name =>
      filters.find(
        filter =>
          filter.kind === 'values' &&
          !filter.negated &&
          filter.at.model === model.name &&
          filter.at.dimension === name &&
          new Set(filter.values.map(value => foldText(String(value)).trim())).size === 1,
      ),
    )
    return said.length > 1 && said.every(one => one !== undefined) ? [{ name: model.name, said }] : []
  })
  const names = parts.map(({ name, said }): AnswerCondition => {
    const words = said.map(one => (one.kind === 'values' ? String(one.values[0]).trim() : '')).join(' ')
    return name === own ? { words: `called ${words}`, kind: 'clause' } : { words, kind: 'person' }
  })
  const taken = new Set<MetricFilter>(parts.flatMap(({ said }) => said))
  return { names, others: filters.filter(filter => !taken.has(filter)) }
}

/** A filter in words; null if it has no short ones. */
const filterWords = (filter: MetricFilter, index: LayerIndex): AnswerCondition | null => {
  const at = (ref: DimensionRef) => dimensionAt(index, ref)
  switch (filter.kind) {
    case 'values': {
      const compared = at(filter.at)
      return compared && valueWords(compared, filter.values, filter.negated)
    }
    case 'compare': {
      const compared = at(filter.at)
      return compared && comparisonWords(compared, filter.operator, filter.value)
    }
    case 'match': {
      const compared = at(filter.at)
      return compared && matchWords(compared, filter.text, filter)
    }
    case 'missing': {
      const compared = at(filter.at)
      return compared && missingWords(compared, filter.negated)
    }
    case 'segment':
      return segmentWords(filter, index)
    case 'related': {
      const target = index.models.get(filter.model)
      const inner = filter.filters.map(one => filterWords(one, index))
      return target && !inner.includes(null)
        ? relatedWords(
            target,
            inner.filter(one => one !== null),
            filter.negated,
          )
        : null
    }
    case 'any': {
      const inner = filter.filters.map(one => filterWords(one, index))
      return inner.includes(null) ? null : { words: inner.map(one => one?.words).join(' or '), kind: 'value' }
    }
    case 'period':
      return filter.negated ? null : periodWords(filter, at(filter.at))
    case 'measured':
      return measuredWords(filter, index)
    default:
      return null
  }
}

/** `opened before Nov 21, 2026`. */
const periodWords = (
  { from, until }: Extract<MetricFilter, { kind: 'period' }>,
  compared: ReturnType<typeof dimensionAt>,
): AnswerCondition => {
  const label = inSentence(compared?.dimension.label ?? '')
  const days = formatDays(from, until)
  return { words: `${label} ${days}`.trim(), kind: isParticiple(label) ? 'clause' : 'value' }
}

/** `more than 5 orders`, `revenue over €1,000`, `time from booked to check in over 60 days`. */
const measuredWords = (
  { metric, operator, value, period }: Extract<MetricFilter, { kind: 'measured' }>,
  index: LayerIndex,
): AnswerCondition | null => {
  if (metric.kind === 'ratio') return null
  const named = metric.kind === 'named' ? index.metrics.get(metric.metric) : undefined
  const label = inSentence(named?.label ?? (metric.kind === 'made' ? metric.label : ''))
  if (label === '' || (operator === '=' && metric.kind === 'named')) return null
  const isCounted = metric.kind === 'made' && metric.aggregation.startsWith('count')
  const days = period === null ? '' : ` (${formatDays(period.from, period.until)})`
  if (isCounted) {
    const counted =
      value === 1
        ? `one ${label.replace(/\S+$/, word => toSingular(word))}`
        : `${value.toLocaleString('en-US')} ${label}`
    return { words: `${countWords[operator]} ${counted}${days}`, kind: 'measure' }
  }
  const unit =
    metric.kind === 'made' && metric.of && 'from' in metric.of
      ? ({ kind: 'duration', unit: metric.of.unit } as const)
      : (named?.unit ?? null)
  const own =
    metric.kind === 'made' && metric.of && 'from' in metric.of ? label.replace(/^average /, '') : label
  return { words: `${own} ${figureWords[operator]} ${formatFigure(value, unit)}${days}`, kind: 'measure' }
}

const countWords = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'fewer than',
  '<=': 'at most',
  '=': 'exactly',
  '<>': 'not',
} as const

const figureWords = {
  '>': 'over',
  '>=': 'of at least',
  '<': 'under',
  '<=': 'of at most',
  '=': 'of',
  '<>': 'other than',
} as const

/** `inactive customer` as an adjective of customers. */
const segmentWords = (
  { segment, negated }: Extract<MetricFilter, { kind: 'segment' }>,
  index: LayerIndex,
): AnswerCondition | null => {
  const found = index.segments.get(segment)
  if (found === undefined) return null
  const label = inSentence(found.label)
  const noun = inSentence(index.models.get(found.model)?.model.label ?? '')
  // "User who never logged in": users "who never logged in".
  const clause = label.startsWith(`${noun} `) ? label.slice(noun.length + 1) : null
  if (clause !== null && !negated && /^(?:who|that|with|without|in|on)\b/.test(clause))
    return { words: clause, kind: 'clause' }
  const own = label.endsWith(` ${noun}`) ? label.slice(0, -noun.length - 1) : label
  return { words: negated ? `not ${own}` : own, kind: negated ? 'value' : 'adjective' }
}

/** The first and the last moment of the rows that a query is about, whenever they were. */
const extentOf = (
  query: MetricQuery,
  index: LayerIndex,
  compile: (query: MetricQuery) => ReturnType<CompileMetricQuery>,
): string | null => {
  const { period, filters, rowsOf, metrics } = query
  const model = rowsOf ?? modelOf(metrics[0], index)
  const base = model === null ? undefined : index.models.get(model)
  if (period === null || base === undefined || metrics.length > 1) return null
  // Its rows are others than those that the noun stands for.
  const metric = metrics[0]?.kind === 'named' ? index.metrics.get(metrics[0].metric) : undefined
  if (metric?.kind === 'simple' && metric.filters.length > 0) return null
  const at = period.at ?? timeDimensionOf(index, base, base.model.timeDimension)
  if (at === null) return null
  const own = metrics[0] && 'filters' in metrics[0] ? metrics[0].filters : []
  const made = (aggregation: 'min' | 'max'): MetricUse => ({
    kind: 'made',
    label: aggregation === 'min' ? 'first' : 'last',
    model: base.model.name,
    aggregation,
    of: at,
    percentile: null,
    filters: own,
  })
  const compiled = compile({ ...emptyMetricQuery, metrics: [made('min'), made('max')], filters })
  return compiled.ok ? compiled.sql : null
}
