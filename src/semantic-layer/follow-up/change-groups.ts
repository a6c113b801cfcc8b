import type { DimensionRef, GroupKey, MetricQuery, MetricUse } from '../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { countOf, refOf } from '../interpret/draft/query-draft.ts'
import {
  baseOf,
  type FinishContext,
  isAdditive,
  pathBetween,
  sameKey,
} from '../interpret/finish/layer-facts.ts'
import {
  type Change,
  cueSaid,
  dimensionAt,
  figureLabel,
  isSamePlace,
  keyLabel,
  modelsNamed,
  saysCue,
} from './changed-query.ts'

/** What speaks against the id of a thing where the thing itself has a name. */
const KEY_COLUMN = 0.8

/** The id of a thing, or its name: the thing itself has both. */
const standsForModel = (at: DimensionRef, context: FinishContext): boolean => {
  const model = context.index.models.get(at.model)?.model
  const isOnlyName = model?.nameDimensions.length === 1 && model.nameDimensions[0] === at.dimension
  return isOnlyName || dimensionAt(at, context)?.isKey === true
}

/** What rows are grouped by: another thing, or one more. */
export const changeGroups = (change: Change, home: SemanticModel): void => {
  const { draft, manner, context } = change
  const grain = cueSaid(change, 'grain')
  const part = cueSaid(change, 'part')
  const own = change.query.groupBy.find(key => key.kind === 'grain')
  const fresh: GroupKey[] = [
    ...(grain
      ? [
          {
            kind: 'grain',
            at: own?.at ?? change.query.period?.at ?? null,
            grain: grain.grain ?? 'month',
          } as const,
        ]
      : []),
    ...(part
      ? [{ kind: 'part', at: own?.at ?? change.query.period?.at ?? null, part: part.part } as const]
      : []),
    ...draft.groups.map(({ key }) => key),
    ...namedGroups(change, home),
  ]
  if (fresh.length === 0) return
  change.used.add('grain')
  change.used.add('part')
  for (const key of fresh) {
    const model = key.kind === 'model' ? key.model : key.kind === 'dimension' ? key.at.model : home.name
    const path = pathBetween(context, home.name, model)
    change.score -= path === null ? 3 : path.reduce((sum, step) => sum + (step.isToOne ? 0.1 : 0.9), 0)
    if (key.kind === 'dimension' && standsForModel(key.at, context)) change.score -= KEY_COLUMN
    if (modelsNamed(change.draft).some(one => one.model.name === model && one.role !== 'group'))
      change.score += 0.25
  }
  if (change.query.rowsOf !== null) countRowsByGroup(change, home)
  const before = change.query.groupBy
  if (fresh.every(key => before.some(one => sameKey(one, key))) && saysCue(change, 'share', 'percent')) return
  const isAdded = (manner.adds || manner.joins || manner.splits) && !manner.replaces
  const isTime = (key: GroupKey): boolean => key.kind === 'grain' || key.kind === 'cohort'
  // A unit of time takes the place of another one.
  const kept = isAdded
    ? before.filter(key => !(isTime(key) && fresh.some(isTime)) && !isOneValue(key, change))
    : []
  const groupBy = [...kept, ...fresh].filter((key, at, all) => all.findIndex(one => sameKey(one, key)) === at)
  regroup(
    change,
    groupBy.toSorted((a, b) => Number(isTime(b)) - Number(isTime(a))),
  )
  const each = draft.groups.filter(({ isEach }) => isEach).map(({ key }) => key)
  if (each.length > 0 && draft.ranks.length > 0 && before.length > 0) {
    regroup(change, [...each, ...before.filter(key => !each.some(one => sameKey(one, key)))])
    change.query = { ...change.query, limitPer: each }
  }
  change.said.push({
    kind: 'group',
    by: fresh.map(key => ({ label: keyLabel(key, context), unit: null })),
    isAdded: kept.length > 0,
  })
}

/** "Split Germany by city": of the countries that were shown, one is left, and splits nothing. */
const isOneValue = (key: GroupKey, { draft, manner }: Change): boolean =>
  manner.splits &&
  key.kind === 'dimension' &&
  draft.filters.some(
    ({ filter }) =>
      filter.kind === 'values' &&
      !filter.negated &&
      filter.values.length === 1 &&
      isSamePlace(filter.at, key.at),
  )

/** "Customers instead", "what about cities": what is named without "by" in place of what was grouped by. */
const namedGroups = (change: Change, home: SemanticModel): readonly GroupKey[] => {
  const { draft, manner, context, query } = change
  if (query.rowsOf !== null || query.groupBy.length === 0 || !(manner.replaces || manner.joins)) return []
  const dimensions = draft.dimensions
    .filter(({ role, dimension }) => role === 'asked' && dimension.type !== 'number')
    .map(({ model, dimension }): GroupKey => ({ kind: 'dimension', at: refOf(model, dimension) }))
  const models = modelsNamed(change.draft)
    .filter(({ role, model }) => (role === 'subject' || role === 'other') && model.name !== home.name)
    .filter(({ model }) => pathBetween(context, home.name, model.name)?.every(step => step.isToOne) === true)
    .filter(
      ({ model }) => !draft.filters.some(({ filter }) => 'at' in filter && filter.at.model === model.name),
    )
    .map(({ model }): GroupKey => ({ kind: 'model', model: model.name, via: null }))
  return [...dimensions, ...models]
}

const countRowsByGroup = (change: Change, home: SemanticModel): void => {
  change.query = {
    ...change.query,
    rowsOf: null,
    show: [],
    metrics: [countOf(home)],
    order: [],
    limit: null,
    limitPer: [],
  }
}

/** Other groups, without what depends on the groups before. */
const regroup = (change: Change, wanted: readonly GroupKey[]): void => {
  const { query } = change
  // "Orders a day on average", then "by store": a day on average in each store; by month, a row for each month.
  const meant =
    query.running?.kind === 'mean' ? query.groupBy.find(({ kind }) => kind === 'grain') : undefined
  const isOfTime = wanted.some(({ kind }) => kind === 'grain' || kind === 'cohort')
  const groupBy = meant && !isOfTime && wanted.length > 0 ? [meant, ...wanted] : wanted
  const isSeries = groupBy.some(({ kind }) => kind === 'grain' || kind === 'cohort')
  const has = (key: GroupKey): boolean => groupBy.some(one => sameKey(one, key))
  const isRanked = query.limit !== null && query.order.length > 0
  change.query = {
    ...query,
    groupBy,
    // A ranking goes on over other things; a series is shown by time.
    order: query.order.filter(order =>
      order.kind === 'key'
        ? has(order.key)
        : order.kind === 'dimension'
          ? false
          : isRanked
            ? !isSeries || groupBy.length > 1
            : !isSeries,
    ),
    limit: isRanked && isSeries && groupBy.length === 1 ? null : query.limit,
    limitPer: query.limitPer.filter(has),
    // Shares of parts over time are those in each period.
    share: shareIn(query.share, groupBy),
    compare: query.compare?.kind === 'series' && !isSeries ? null : query.compare,
    running: isSeries && (meant === undefined || has(meant)) ? query.running : null,
  }
  if (groupBy.length > 0) change.figureIsAsked = true
}

const shareIn = (share: MetricQuery['share'], groupBy: readonly GroupKey[]): MetricQuery['share'] => {
  if (share?.kind === 'group' && !groupBy.some(key => sameKey(key, share.by))) return { kind: 'total' }
  const time = groupBy.find(({ kind }) => kind === 'grain')
  return share?.kind === 'total' && time && groupBy.length > 1 ? { kind: 'group', by: time } : share
}

/** All in one number. Whether it was split before. */
export const ungroup = (change: Change): boolean => {
  const [metric] = change.query.metrics
  if (change.query.groupBy.length === 0 || !metric || !isAdditive(metric, change.context)) return false
  change.query = {
    ...change.query,
    groupBy: [],
    order: [],
    limit: null,
    limitPer: [],
    share: null,
    running: null,
    having: [],
  }
  if (change.query.compare?.kind === 'series') change.query = { ...change.query, compare: null }
  change.said.push({ kind: 'ungroup' })
  return true
}

/** "As a percentage": of the total, of each group that is named, or of what its conditions leave out. */
export const changeShare = (change: Change): void => {
  if (!saysCue(change, 'share', 'percent') || change.used.has('growth')) return
  const { query, context, draft } = change
  const [figure] = query.metrics
  if (!figure || query.rowsOf !== null) return
  for (const kind of ['share', 'percent'] as const) change.used.add(kind)
  if (query.groupBy.length > 0) {
    const named = draft.groups
      .map(({ key }) => key)
      .filter(key => query.groupBy.some(one => sameKey(one, key)))
    const [by] = query.groupBy.length > 1 ? named : []
    change.query = { ...query, share: by ? { kind: 'group', by } : { kind: 'total' }, running: null }
    change.figureIsAsked = true
    change.said.push({ kind: 'share', of: by ? `each ${keyLabel(by, context)}` : 'the total' })
    return
  }
  const parts = query.filters.filter(
    ({ kind }) => kind === 'values' || kind === 'segment' || kind === 'compare',
  )
  if (parts.length === 0 || figure.kind === 'ratio') {
    change.score -= 1
    change.unused.push('percentage')
    return
  }
  const use: MetricUse = {
    kind: 'ratio',
    label: 'Share',
    numerator: { ...figure, filters: [...figure.filters, ...parts] },
    denominator: figure,
    isShare: true,
  }
  change.query = {
    ...query,
    metrics: [use],
    filters: query.filters.filter(filter => !parts.includes(filter)),
  }
  change.said.push({ kind: 'share', of: 'all' })
}

/** "What share of those was canceled": what the change adds, over what was asked about before. Whether it is one. */
export const shareOfThose = (change: Change, before: MetricQuery): boolean => {
  const { query, manner, context } = change
  const [figure] = before.metrics
  const [part] = query.metrics
  if (!manner.sharesThose || !figure || !part || query.rowsOf !== null) return false
  if (figure.kind === 'ratio' || part.kind === 'ratio') return false
  const added = query.filters.filter(filter => !before.filters.includes(filter))
  const isOther = JSON.stringify(part) !== JSON.stringify(figure)
  if (added.length === 0 && !isOther) return false
  if (baseOf(part, context)?.name !== baseOf(figure, context)?.name) return false
  for (const kind of ['share', 'percent'] as const) change.used.add(kind)
  const use: MetricUse = {
    kind: 'ratio',
    label: isOther ? `Share of ${figureLabel(part, context)}` : 'Share',
    numerator: { ...part, filters: [...part.filters, ...added] },
    denominator: figure,
    isShare: true,
  }
  const order = query.order.map(one =>
    one.kind === 'metric' || one.kind === 'change' ? { ...one, metric: use } : one,
  )
  change.query = {
    ...query,
    metrics: [use],
    filters: query.filters.filter(filter => !added.includes(filter)),
    order,
    share: null,
    running: null,
  }
  change.figureIsAsked = true
  change.said.push({ kind: 'share', of: figureLabel(figure, context) })
  return true
}

/** Running totals, totals since the start of a unit, and moving averages. */
export const changeRunning = (change: Change): void => {
  const moving = cueSaid(change, 'moving-average')
  const toDate = cueSaid(change, 'to-date')
  const isRunning = saysCue(change, 'running')
  const { query } = change
  if ((!moving && !toDate && !isRunning) || query.metrics.length === 0) return
  const hasGrain = query.groupBy.some(({ kind }) => kind === 'grain' || kind === 'cohort')
  change.query = {
    ...query,
    groupBy: hasGrain
      ? query.groupBy
      : [{ kind: 'grain', at: query.period?.at ?? null, grain: 'month' }, ...query.groupBy],
    running: moving
      ? { kind: 'moving-average', count: moving.count }
      : toDate
        ? { kind: 'to-date', unit: toDate.unit }
        : { kind: 'total' },
    share: null,
    order: [],
    limit: null,
  }
  for (const kind of ['running', 'to-date', 'moving-average'] as const) change.used.add(kind)
  change.said.push({ kind: 'running', isAverage: moving !== null })
}
