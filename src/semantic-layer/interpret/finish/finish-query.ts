import {
  emptyMetricQuery,
  type GroupKey,
  type MetricQuery,
  type MetricUse,
} from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { ownDate, type QueryDraft, refOf } from '../draft/query-draft.ts'
import type { Cue } from '../terms.ts'
import { type Build, hasCue, startBuild } from './build.ts'
import { joinValues, readComparisons } from './compare.ts'
import { homeOf, readConditions } from './conditions.ts'
import {
  amountMetric,
  baseOf,
  columnOfFigure,
  type FinishContext,
  isSomebody,
  modelNamed,
  pathBetween,
  sameKey,
} from './layer-facts.ts'
import { averagePerModel, countWhereTheyMeet, readFigures, saysMoney, supplyFigure } from './measure.ts'
import { readRank } from './rank.ts'
import { readStock } from './stock.ts'
import { readTime } from './time.ts'

/** A finished query, with what speaks for it beside its words, and what it could not use. */
export interface FinishedQuery {
  readonly query: MetricQuery
  readonly score: number
  /** Cues with weight, and columns, that had no effect. */
  readonly unusedCues: readonly string[]
  /** False if the figure only ranks. */
  readonly figureIsAsked: boolean
  /** Rows are asked for before what to show of them: "hotels with city and stars", not "cities of hotels". */
  readonly namesRows: boolean
}

/** Puts the parts of a draft together to the query that they most likely mean; null if they are none. */
export const finishQuery = (draft: QueryDraft, context: FinishContext): FinishedQuery | null => {
  const build = startBuild(draft, context)
  readFigures(build)
  readRank(build)
  readWhere(build)
  if (!build.isRows && build.metrics.length === 0 && !wantsFigures(build)) build.isRows = true
  listWithFigures(build)
  if (!build.isRows && !supplyFigure(build)) return null
  countWhereTheyMeet(build)
  averagePerModel(build)
  dropCountedGroup(build)
  doubtOwnGroup(build)
  const home = homeOf(build)
  if (home === null) return null
  readConditions(build, home)
  readTime(build, home)
  readStock(build, home)
  build.score -= FAR_DATE * farDates(build).length
  showWhen(build, home)
  readComparisons(build)
  const figureIsAsked =
    build.isRows ||
    (build.order.length === 0 && !build.onlyKeeps) ||
    build.groupBy.length === 0 ||
    build.share !== null ||
    build.compare !== null ||
    build.running !== null ||
    hasCue(build, 'how-much')
  return { query: queryOf(build), figureIsAsked, namesRows: namesRows(build), ...rate(build) }
}

/** "Who left this year, and when?": the date of what happened. */
const showWhen = (build: Build, home: SemanticModel): void => {
  const { draft, period } = build
  if (!build.isRows || !/\band when\b/i.test(draft.words)) return
  const event = draft.events.find(({ model }) => model.name === home.name)
  const at = period?.at ?? (event ? refOf(event.model, event.dimension) : ownDate(home))
  if (at.dimension !== '') build.show.push(at)
}

const namesRows = ({ isRows, models, subject, draft }: Build): boolean => {
  const at = models.find(({ model, at: place }) => place >= 0 && model.name === subject?.name)?.at
  return isRows && at !== undefined && draft.dimensions.every(one => one.role !== 'asked' || one.at > at)
}

/** "Households per outage" of each outage is no ratio: the outages are counted below the line. */
const dropCountedGroup = (build: Build): void => {
  const [first] = build.metrics
  const metric = first?.use.kind === 'named' ? build.context.index.metrics.get(first.use.metric) : undefined
  if (metric?.kind !== 'ratio') return
  const below = build.context.index.metrics.get(metric.denominator)
  if (below?.kind !== 'simple' || below.aggregation !== 'count') return
  build.groupBy = build.groupBy.filter(key => key.kind !== 'model' || key.model !== below.model)
}

/** Nobody wants to know how many appointments each appointment is: what the question groups by was not found. */
const doubtOwnGroup = (build: Build): void => {
  const isOwn = build.groupBy.some(
    key =>
      key.kind === 'model' &&
      build.metrics.length > 0 &&
      build.metrics.every(
        ({ use }) =>
          use.kind === 'made' &&
          use.aggregation.startsWith('count') &&
          (use.of === null || 'dimension' in use.of) &&
          (use.of?.model ?? use.model) === key.model,
      ),
  )
  if (!isOwn || build.isRows) return
  build.lost.push('by')
  build.score -= OWN_GROUP
}

const OWN_GROUP = 1

/** What speaks against a series by the dates of rows of which one row that is measured has many. */
const FAR_DATE = 1

const farDates = ({ groupBy, metrics, context }: Build): readonly GroupKey[] => {
  const [base] = metrics.map(({ use }) => baseOf(use, context))
  return groupBy.filter(
    key =>
      key.kind === 'grain' &&
      key.at !== null &&
      base &&
      pathBetween(context, base.name, key.at.model)?.some(step => !step.isToOne) === true,
  )
}

/** "Where do our guests come from": how many of each country, or of each city. */
const readWhere = (build: Build): void => {
  const { subject, draft } = build
  if (!hasCue(build, 'where') || !subject || build.groupBy.length > 0 || build.metrics.length > 0) return
  const named = (word: string) =>
    subject.dimensions.find(({ name, isKey }) => !isKey && splitName(name).includes(word))
  const place = ['country', 'state', 'region', 'city', 'town', 'location'].map(named).find(Boolean)
  if (!place || draft.filters.some(({ filter }) => filter.kind === 'values')) return
  build.groupBy.push({ kind: 'dimension', at: refOf(subject, place) })
  build.score += 0.3
}

/** "Open warehouses with their capacity": a list that shows numbers of its own rows. */
const listWithFigures = (build: Build): void => {
  const { subject, context, draft } = build
  if (
    build.isRows ||
    !subject ||
    draft.ranks.length > 0 ||
    build.groupBy.length > 0 ||
    draft.aggregate !== null ||
    build.metrics.length === 0
  )
    return
  if (!hasCue(build, 'list', 'condition') || hasCue(build, 'how-much', 'share', 'rate', 'growth', 'grain'))
    return
  const columns = build.metrics.map(({ use, at }) => ({ at, column: columnOfFigure(use, subject, context) }))
  const subjectAt = build.models.find(({ model }) => model.name === subject.name)?.at ?? 0
  if (columns.some(({ column }) => column === null)) {
    listEach(build, subject, subjectAt)
    return
  }
  if (!columns.every(({ at }) => at > subjectAt)) return
  build.show = [...build.show, ...columns.flatMap(({ column }) => (column ? [refOf(subject, column)] : []))]
  build.metrics = []
  build.isRows = true
  build.score += 0.3
}

/** "Artists with their number of albums": the figure of each. */
const listEach = (build: Build, subject: SemanticModel, at: number): void => {
  const isOfEach = build.metrics.every(({ use, at: place }) => {
    const base = baseOf(use, build.context)
    const path = base && pathBetween(build.context, base.name, subject.name)
    return place > at && base?.name !== subject.name && path?.every(step => step.isToOne) === true
  })
  if (!isOfEach || !hasCue(build, 'list')) return
  build.groupBy.push({ kind: 'model', model: subject.name, via: null })
  build.score += 0.3
}

/** Whether the question asks for numbers rather than for a list. */
const wantsFigures = (build: Build): boolean =>
  build.groupBy.length > 0 ||
  build.context.isYesNo ||
  hasCue(
    build,
    'grain',
    'part',
    'share',
    'rate',
    'running',
    'moving-average',
    'how-much',
    'growth',
    'compare',
    'versus',
  ) ||
  (build.draft.aggregate !== null &&
    // "Who spent more than 400 in total" asks for people.
    !(
      build.draft.aggregate.fn === 'sum' &&
      build.draft.measured.length > 0 &&
      hasCue(build, 'which', 'who')
    )) ||
  build.draft.wantsCount ||
  isBareNoun(build)

/** "Bookings so far this year": rows of a period and nothing else about them are counted. */
const isBareNoun = (build: Build): boolean =>
  build.draft.periods.length > 0 &&
  build.subject?.timeDimension != null &&
  build.draft.models.length + build.draft.events.length === 1 &&
  build.draft.dimensions.length === 0 &&
  build.draft.ranks.length === 0 &&
  build.draft.filters.length === 0 &&
  build.draft.clauses.length === 0 &&
  build.draft.measured.length === 0 &&
  !hasCue(build, 'list', 'which', 'who', 'condition', 'order', 'and')

const queryOf = (build: Build): MetricQuery => {
  const { isRows, draft, subject } = build
  const metrics = build.metrics.map(({ use }) => use)
  const asked = draft.dimensions
    .filter(
      ({ role, model, dimension }) =>
        role === 'asked' && !(model.name === subject?.name && model.nameDimensions.includes(dimension.name)),
    )
    .map(({ model, dimension }) => refOf(model, dimension))
  const change = build.compare !== null && draft.cues.some(({ cue }) => cue.kind === 'growth')
  return {
    ...emptyMetricQuery,
    metrics: isRows
      ? []
      : metrics.filter(
          (use, at) => metrics.findIndex(one => JSON.stringify(one) === JSON.stringify(use)) === at,
        ),
    rowsOf: isRows ? (subject?.name ?? null) : null,
    groupBy: isRows ? [] : distinct(build.groupBy),
    show: isRows
      ? [...asked, ...build.show].filter(
          (ref, at, all) => all.findIndex(one => JSON.stringify(one) === JSON.stringify(ref)) === at,
        )
      : [],
    filters: joinValues(build.filters)
      .map(({ filter }) => filter)
      .filter(
        (filter, at, all) => all.findIndex(one => JSON.stringify(one) === JSON.stringify(filter)) === at,
      ),
    period: build.period,
    compare: build.compare,
    share: isRows ? null : build.share,
    running: isRows ? null : build.running,
    having: build.having,
    order: change
      ? build.order.map(order =>
          order.kind === 'metric' ? { ...order, kind: 'change', isRelative: true } : order,
        )
      : build.order,
    limit: build.limit,
    limitPer: build.limitPer,
  }
}

const distinct = (keys: readonly GroupKey[]): readonly GroupKey[] =>
  keys.filter((key, at) => keys.findIndex(one => sameKey(one, key)) === at)

/** Columns that the question names and the figures have no use for: "what percentage of running contracts is green". */
const lostColumns = (build: Build): readonly string[] => {
  if (build.isRows) return []
  const { groupBy, filters, order, metrics, having, limitPer, period } = build
  const used = JSON.stringify([groupBy, filters, order, metrics, having, limitPer, period])
  return build.draft.dimensions
    .filter(
      ({ role, model, dimension }) =>
        role === 'asked' &&
        dimension.type !== 'date' &&
        dimension.type !== 'timestamp' &&
        !used.includes(`"dimension":${JSON.stringify(dimension.name)}`) &&
        !groupBy.some(key => key.kind === 'model' && key.model === model.name),
    )
    .map(({ dimension }) => dimension.label.toLowerCase())
}

/** Cues that change every figure: a reading that has no use for one is doubtful. */
export const weightyCues: readonly Cue['kind'][] = [
  'share',
  'rate',
  'growth',
  'running',
  'moving-average',
  'to-date',
  'part',
  'grain',
  'versus',
  'duration',
  'cohort',
  'missing',
  'comparative',
  'between',
  'reports-to',
  'repeat',
  'nothing',
  'still',
  'as-of',
]

/** What the question says of the whole figure that the query does not do: to average it, to rank it, two periods at once. */
const lostParts = (build: Build): readonly string[] => {
  const { draft, metrics, order, groupBy, isRows } = build
  const lost: string[] = []
  const { aggregate } = draft
  if (aggregate && aggregate.fn !== 'sum' && !isAggregated(build)) lost.push(averageWords[aggregate.fn])
  const isRanked = order.length > 0 && (isRows || groupBy.length > 0)
  if (draft.ranks.length > 0 && !isRanked && !metrics.some(({ use }) => isExtreme(use))) lost.push('ranking')
  if (/^who\b/i.test(draft.words.trim()) && !showsSomebody(build)) lost.push('who')
  const onlyCounts = metrics.every(({ use }) => use.kind === 'made' && use.aggregation === 'count')
  if (aggregate?.fn === 'sum' && hasCue(build, 'and') && metrics.length === 1 && onlyCounts) lost.push('sum')
  const isListed = draft.words.includes(':') && hasCue(build, 'list')
  if (isListed && !isRows && groupBy.length === 0 && metrics.length === 1) lost.push('list')
  return lost
}

/** Whether rows or groups of the query are people, or it is one figure. */
const showsSomebody = ({ isRows, subject, show, groupBy, context }: Build): boolean => {
  const shown = [
    ...(isRows && subject ? [subject.name] : []),
    ...show.map(({ model }) => model),
    ...groupBy.flatMap(key =>
      key.kind === 'model' ? [key.model] : key.kind === 'dimension' ? [key.at.model] : [],
    ),
  ]
  return (
    (!isRows && groupBy.length === 0) ||
    shown.some(name => {
      const model = modelNamed(context, name)
      return model !== null && isSomebody(model)
    })
  )
}

const averageWords = { avg: 'average', median: 'median', percentile: 'percentile' } as const

/** Whether a figure or a condition of the query is a mean, a ratio or a percentile. */
const isAggregated = ({ metrics, filters, having, running, context, draft }: Build): boolean => {
  const said = JSON.stringify([metrics, filters, having])
  const named = [...said.matchAll(/"metric":"([^"]+)"/g)].map(match =>
    context.index.metrics.get(match[1] ?? ''),
  )
  return (
    running?.kind === 'moving-average' ||
    /"aggregation":"(?:avg|median|percentile)"|"kind":"ratio"/.test(said) ||
    named.some(
      metric => metric && (metric.kind !== 'simple' || !/^(?:sum|count)/.test(metric.aggregation)),
    ) ||
    draft.lasting.length > 0
  )
}

/** The largest or smallest of its values. */
const isExtreme = (use: MetricUse): boolean =>
  use.kind === 'made' && (use.aggregation === 'max' || use.aggregation === 'min')

/** Nouns that nobody counts: "marketing spend by channel" is an amount. */
const uncounted = /(?:^|_)(?:spend|spending|revenue|usage|consumption|traffic|inventory|stock|budget|cost)$/

const COUNTED_MASS = 0.5

/** "Tuition billed this year": what money moved is no number of rows. */
const countsMoney = (build: Build): boolean =>
  saysMoney(build) &&
  build.draft.ranks.length === 0 &&
  build.metrics.length > 0 &&
  build.metrics.every(({ use }) => {
    const { context } = build
    const metric = use.kind === 'named' ? context.index.metrics.get(use.metric) : undefined
    const isCount =
      (use.kind === 'made' && use.aggregation === 'count') ||
      (metric?.kind === 'simple' && metric.aggregation === 'count')
    const model = isCount ? baseOf(use, context) : null
    return model !== null && amountMetric(model, context.layer) !== null
  })

const rate = (build: Build): { readonly score: number; readonly unusedCues: readonly string[] } => {
  const { draft, used, metrics } = build
  const unusedCues = [
    ...new Set<string>([
      ...draft.cues.map(({ cue }) => cue.kind).filter(kind => weightyCues.includes(kind) && !used.has(kind)),
      ...lostColumns(build),
      ...build.lost,
      ...lostParts(build),
      ...(draft.unusedNumber === null ? [] : [String(draft.unusedNumber)]),
      ...(draft.isNotLost ? ['not'] : []),
      ...(draft.isHalfSaid && metrics.length === 0 ? ['comparison'] : []),
      ...(draft.lasting.length > 0 && !used.has('duration') ? ['duration'] : []),
    ]),
  ]
  // Two figures side by side are asked for with "and".
  const isListed = draft.cues.some(({ cue }) => cue.kind === 'and')
  const surplus = metrics.length > 1 && !isListed ? 0.7 * (metrics.length - 1) : 0
  const miscounted = metrics.some(
    ({ use }) => use.kind === 'made' && use.aggregation === 'count' && uncounted.test(use.model),
  )
  const against = surplus + (miscounted || countsMoney(build) ? COUNTED_MASS : 0)
  return { score: build.score - unusedCues.length * 0.8 - against, unusedCues }
}
