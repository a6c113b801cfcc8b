import type { DimensionRef, MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { Metric } from '../../../domain/metrics/semantic-layer.ts'
import { capitalize } from '../../../lib/capitalize.ts'
import { isCue } from '../terms.ts'
import { aggregated, countOf, refOf, scaled, subjectOf } from './query-draft.ts'
import { readEvent } from './read-conditions.ts'
import {
  addFilter,
  addGroup,
  isGrouped,
  openClause,
  type Placed,
  type Reading,
  takeNot,
  termAt,
} from './reading.ts'

/** A model: what is counted, grouped by, listed, or what must or must not exist. */
export const readModel = (reading: Reading, placed: Placed<'model'>): void => {
  const { draft, waiting, input, clause } = reading
  const {
    term: { model },
    at,
    index,
    text,
  } = placed
  if (waiting.condition !== null) {
    draft.measured.push({ condition: waiting.condition, metric: null, model, at })
    waiting.condition = null
    return
  }
  const figure = averagedFigure(reading, placed)
  if (figure !== null) {
    const use = aggregated({ kind: 'named', metric: figure.name, filters: [] }, figure, draft)
    draft.metrics.push({ use, at, metric: figure, isOrder: draft.ranks.length > 0, text })
    return
  }
  if (waiting.by && isRankedBy(reading, placed)) {
    // "The busiest doctor by completed appointments".
    waiting.by = false
    draft.metrics.push({ use: countOf(model), at, metric: null, isOrder: true, text })
    draft.models.push({ model, at, role: 'counted' })
    return
  }
  if (isGrouped(reading, index)) {
    if (isOwnerOfNext(reading, placed)) {
      draft.models.push({ model, at, role: 'group' })
      return
    }
    addGroup(reading, { kind: 'model', model: model.name, via: null }, placed)
    draft.models.push({ model, at, role: 'group' })
    return
  }
  const subject = subjectOf(draft)
  if ((waiting.not || waiting.except) && subject) {
    if (subject.name === model.name) return
    takeNot(reading, index)
    openClause(reading, model, true, at)
    return
  }
  const before = termAt(reading, index - 1)
  const isMost = (isCue(before, 'most') && !before.cue.isEntity) || isMostDescribed(reading, index)
  if (isMost || waiting.count) {
    const isOrder = isMost || draft.ranks.some(rank => rank.isMost)
    if (!isMost) waiting.count = false
    draft.metrics.push({ use: countOf(model), at, metric: null, isOrder, text })
    draft.models.push({ model, at, role: 'counted' })
    return
  }
  const isNamedBefore = draft.models.some(one => one.model.name === model.name)
  if (draft.metrics.length > 0 && !isNamedBefore && isSetAgainst(reading, index)) {
    // "Revenue vs new customers": how many there are.
    draft.metrics.push({ use: countOf(model), at, metric: null, isOrder: false, text })
    draft.models.push({ model, at, role: 'counted' })
    return
  }
  if (subject && isDoneMore(reading, placed)) {
    // "Do cafe clients order more than household clients?": how often each does.
    draft.metrics.push({ use: countOf(model), at, metric: null, isOrder: false, text })
    draft.models.push({ model, at, role: 'counted' })
    return
  }
  if (clause !== null && clause.model.name === model.name) return
  if (clause !== null && input.reaches(clause.model.name, model.name)) {
    // Named inside the condition: "tickets that no watcher ...".
    clause.filters.push({ kind: 'related', model: model.name, filters: [], negated: false })
    return
  }
  draft.models.push({ model, at, role: subject || draft.metrics.length > 0 ? 'other' : 'subject' })
}

/** Whether a noun is used as a verb of which somebody does more than others: "order more", "visit us more often than". */
const isDoneMore = ({ content, draft }: Reading, { text, index }: Placed<'model'>): boolean =>
  !/s$/i.test(text) &&
  /^(?:do|does|did)\b/i.test(draft.words) &&
  content.slice(index + 1, index + 3).some(({ term, text: words }) => {
    const isThan = isCue(term, 'operator') && /^(?:more|less|fewer) than$/i.test(words)
    return isThan || isCue(term, 'compare')
  })

/** Whether a noun stands right behind "versus". */
const isSetAgainst = (reading: Reading, index: number): boolean =>
  isCue(termAt(reading, isCue(termAt(reading, index - 1), 'new') ? index - 2 : index - 1), 'versus')

/**
 * "By ticket priority", "by subscription plan": the last noun of several says what is grouped by, and the one before it
 * whose it is. The name of a thing is the thing itself.
 */
const isOwnerOfNext = (reading: Reading, { term: { model }, index }: Placed<'model'>): boolean => {
  const next = reading.content[index + 1]
  if (next === undefined || next.at[0] !== reading.content[index]?.at[1]) return false
  const { term } = next
  if (term.kind === 'model') return term.model.name !== model.name
  if (term.kind === 'metric') return levelOf(reading, term.metric)?.model === model.name
  return (
    term.kind === 'dimension' &&
    term.model.name === model.name &&
    !term.dimension.isKey &&
    !model.nameDimensions.includes(term.dimension.name) &&
    (['categorical', 'boolean'].includes(term.dimension.type) || term.dimension.values !== null)
  )
}

/** Whether rows of a model are what something else is ranked by: "the top channels by orders". */
const isRankedBy = ({ draft, content }: Reading, { term: { model }, index }: Placed<'model'>): boolean =>
  draft.ranks.length > 0 &&
  // "The best channel per hotel by revenue" is ranked by revenue.
  !content.slice(index + 1).some(({ term }) => term.kind === 'metric') &&
  draft.metrics.length === 0 &&
  model.timeDimension !== null &&
  (draft.models.some(({ role }) => role === 'subject') ||
    draft.dimensions.some(({ role }) => role === 'asked'))

/** "Average marks": the number of a grade. */
const averagedFigure = (reading: Reading, { term, index }: Placed<'model'>) => {
  const { aggregate } = reading.draft
  const isAveraged = isCue(termAt(reading, index - 1), 'aggregate', 'percentile')
  // "Average campaign length" is no average of campaigns.
  const isOfTime = isCue(termAt(reading, index + 1), 'duration')
  return aggregate !== null && isAveraged && aggregate.fn !== 'sum' && !isOfTime
    ? reading.input.mainFigure(term.model)
    : null
}

/** "The most late deliveries": the word that ranks stands before what describes the rows. */
const isMostDescribed = (reading: Reading, index: number): boolean => {
  let at = index - 1
  while (['value', 'segment'].includes(termAt(reading, at)?.kind ?? '')) at--
  const term = termAt(reading, at)
  return at < index - 1 && isCue(term, 'most') && !term.cue.isEntity
}

/** A metric: asked for, ranked by, divided by, or a condition. */
export const readMetric = (
  reading: Reading,
  { term: { metric }, at, index, text }: Placed<'metric'>,
): void => {
  const { draft, waiting } = reading
  const use: MetricUse = { kind: 'named', metric: metric.name, filters: [] }
  if (waiting.condition !== null) {
    draft.measured.push({ condition: waiting.condition, metric: use, model: null, at })
    waiting.condition = null
    return
  }
  // "The average stay, in nights".
  if (isCue(termAt(reading, index - 1), 'in') && draft.metrics.length > 0 && metric.unit?.kind !== 'currency')
    return
  const owner = subjectOf(draft)
  if (waiting.not && owner && isSumOver(reading, metric, owner.name)) {
    // "Stores without sales": nothing was sold there.
    const base = reading.input.modelNamed(metric.model)
    takeNot(reading, index)
    if (base) openClause(reading, base, true, at)
    return
  }
  if (isOneValue(reading, metric, index)) {
    // "Five star hotels": the number is one of the column's values.
    draft.filters.push({
      filter: {
        kind: 'compare',
        at: { model: metric.model, dimension: metric.expression.column, via: null },
        operator: '=',
        value: waiting.number?.value ?? 0,
      },
      at,
    })
    waiting.number = null
    return
  }
  const level = reading.waiting.by && draft.ranks.length === 0 ? levelOf(reading, metric) : null
  if (level !== null) {
    addGroup(reading, { kind: 'dimension', at: level }, { at, index })
    return
  }
  const over = draft.metrics.at(-1)
  const isOver = isCue(termAt(reading, index - 1), 'by') && termAt(reading, index - 2)?.kind === 'metric'
  if (over !== undefined && isOver && draft.ranks.length === 0) {
    // "Fuel price per liter".
    waiting.by = false
    const label = `${reading.content[index - 2]?.text ?? ''} per ${text}`
    over.use = {
      kind: 'ratio',
      label: capitalize(label),
      numerator: over.use,
      denominator: use,
      isShare: false,
    }
    over.metric = null
    return
  }
  const isOrder = waiting.order || (waiting.by && draft.ranks.length > 0)
  waiting.by = false
  waiting.count = false
  reading.clause = null
  const [first] = draft.models
  if (first?.role === 'subject' && draft.metrics.length === 0 && isSetAgainst(reading, index)) {
    // "New customers vs revenue": how many there are.
    first.role = 'counted'
    draft.metrics.push({ use: countOf(first.model), at: first.at, metric: null, isOrder: false, text: '' })
  }
  draft.metrics.push({ use: aggregated(use, metric, draft), at, metric, isOrder, text })
}

/** Whether a figure is of all rows that each belong to one row of a model: sales, or how many there are, and no stock of 0. */
const isSumOver = (
  { input }: Reading,
  metric: Metric,
  owner: string,
): metric is Extract<Metric, { kind: 'simple' }> =>
  metric.kind === 'simple' &&
  metric.filters.length === 0 &&
  (metric.aggregation === 'count' ||
    (metric.aggregation === 'sum' && [metric.name, ...metric.synonyms].includes('revenue'))) &&
  metric.model !== owner &&
  input.reachesOne(metric.model, owner)

/** The column of a figure with few values, like a priority: rows are grouped by it; its mean is not asked for. */
const levelOf = ({ draft, input }: Reading, metric: Metric): DimensionRef | null => {
  if (metric.kind !== 'simple' || metric.aggregation !== 'avg' || metric.expression?.kind !== 'column')
    return null
  const { column } = metric.expression
  const dimension = input.modelNamed(metric.model)?.dimensions.find(({ name }) => name === column)
  const isFew = dimension?.values != null && dimension.values.length <= MOST_LEVELS
  return isFew && (draft.models.length > 0 || draft.metrics.length > 0)
    ? { model: metric.model, dimension: column, via: null }
    : null
}

const MOST_LEVELS = 12

/** Whether a number stands right before a figure that rows have one small value of. */
const isOneValue = (
  reading: Reading,
  metric: Metric,
  index: number,
): metric is Metric & { kind: 'simple'; expression: { kind: 'column'; column: string } } =>
  reading.waiting.number !== null &&
  reading.draft.ranks.length === 0 &&
  termAt(reading, index - 1)?.kind === 'number' &&
  metric.kind === 'simple' &&
  metric.aggregation === 'avg' &&
  metric.expression?.kind === 'column' &&
  metric.unit === null

/** What speaks against a column of one thing where the question says whose it is. */
const OTHER_OWNER = 0.8

/** A dimension: grouped by, counted, shown, compared with a number, or missing. */
export const readDimension = (reading: Reading, placed: Placed<'dimension'>): void => {
  const { draft, waiting } = reading
  const { term, at, index } = placed
  const { model, dimension } = term
  const ref = refOf(model, dimension)
  const isDate = dimension.type === 'date' || dimension.type === 'timestamp'
  const owner = isCue(termAt(reading, index + 1), 'of') ? termAt(reading, index + 2) : undefined
  // "The name of the campaign" is no name of an ad.
  if (owner?.kind === 'model' && owner.model.name !== model.name) draft.score -= OTHER_OWNER
  if (waiting.condition !== null && dimension.type === 'number') {
    const { operator, value } = waiting.condition
    addFilter(reading, { kind: 'compare', at: ref, operator, value: scaled(value, dimension) }, at)
    waiting.condition = null
    return
  }
  const isOneOf = waiting.number !== null && termAt(reading, index - 1)?.kind === 'number'
  if (isOneOf && dimension.type === 'number' && dimension.unit === null && draft.ranks.length === 0) {
    // "A five star hotel".
    addFilter(reading, { kind: 'compare', at: ref, operator: '=', value: waiting.number?.value ?? 0 }, at)
    waiting.number = null
    return
  }
  if (isGrouped(reading, index)) {
    if (isDate) {
      // "By sign-up date": a row for each day, unless another grain is said.
      if (!draft.cues.some(({ cue }) => cue.kind === 'grain'))
        draft.cues.push({ cue: { kind: 'grain', grain: 'day' }, at })
      draft.events.push({ model, dimension, isOwn: false, at, isUsed: false, negated: false })
    } else addGroup(reading, { kind: 'dimension', at: ref }, placed)
    waiting.by = false
    draft.dimensions.push({ model, dimension, at, role: 'used' })
    return
  }
  if (isDate) {
    const isOwn = model.timeDimension === dimension.name
    // "Opened" is a verb: what happened, or did not.
    if (/(?:ed|en)$/i.test(placed.text)) {
      readEvent(reading, { ...placed, term: { kind: 'event', model, dimension, isOwn } })
      return
    }
    draft.events.push({ model, dimension, isOwn, at, isUsed: false, negated: takeNot(reading, index) })
    return
  }
  if (waiting.not) {
    // "No end date", "without a referral source": it is not set.
    takeNot(reading, index)
    addFilter(reading, { kind: 'missing', at: ref, negated: false }, at)
    draft.dimensions.push({ model, dimension, at, role: 'used' })
    return
  }
  draft.dimensions.push({ model, dimension, at, role: waiting.count ? 'counted' : 'asked' })
  waiting.count = false
}

/** A role such as manager: grouped by, compared with, or asked for. */
export const readRole = (reading: Reading, placed: Placed<'role'>): void => {
  const { draft, waiting } = reading
  const { term, at, index } = placed
  if (waiting.operator !== null) {
    draft.thanRole = waiting.operator
    waiting.operator = null
  } else if (isCue(termAt(reading, index - 1), 'than'))
    draft.thanRole = /\b(?:less|lower|fewer|shorter)\b/.test(draft.words) ? '<' : '>'
  if (isGrouped(reading, index)) {
    addGroup(reading, { kind: 'model', model: term.join.to, via: [term.join.name] }, placed)
    draft.models.push({ model: term.model, at, role: 'other' })
  } else draft.roles.push({ model: term.model, join: term.join, at })
}
