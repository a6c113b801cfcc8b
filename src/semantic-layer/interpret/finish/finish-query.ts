import {
  emptyMetricQuery,
  type GroupKey,
  type MetricOrder,
  type MetricQuery,
} from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { ownDate, type QueryDraft, refOf, wordsAt } from '../draft/query-draft.ts'
import { readBestSellers } from './best-sellers.ts'
import { type Build, hasCue, startBuild } from './build.ts'
import { readBusiestTime } from './busiest-time.ts'
import { joinValues, readComparisons } from './compare.ts'
import { homeOf, readConditions } from './conditions.ts'
import { divideByCount } from './divide-by-count.ts'
import { baseOf, columnOfFigure, type FinishContext, pathBetween, sameKey } from './layer-facts.ts'
import { readMeanPerPeriod } from './mean-per-period.ts'
import { averagePerModel, countWhereTheyMeet, readFigures, supplyFigure } from './measure.ts'
import { readNewAndReturning } from './new-and-returning.ts'
import { readRank } from './rank.ts'
import { rateQuery } from './rate-query.ts'
import { readStock } from './stock.ts'
import { beginWithWholePeriod, readTime } from './time.ts'

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
  const isWhole = readNewAndReturning(build) || readBestSellers(build) || readBusiestTime(build)
  if (!isWhole) readRank(build)
  readWhere(build)
  readPriceOf(build)
  if (!build.isRows && build.metrics.length === 0 && !wantsFigures(build)) build.isRows = true
  listWithFigures(build)
  if (!build.isRows && !supplyFigure(build)) return null
  divideByCount(build)
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
  readMeanPerPeriod(build)
  const figureIsAsked =
    build.isRows ||
    (build.order.length === 0 && !build.onlyKeeps) ||
    build.groupBy.length === 0 ||
    build.share !== null ||
    build.compare !== null ||
    build.running !== null ||
    hasCue(build, 'how-much')
  const query = beginWithWholePeriod(queryOf(build), context.today)
  return { query, figureIsAsked, namesRows: namesRows(build), ...rateQuery(build) }
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
  // "Average discount per order": each order has one.
  const mean = first?.use.kind === 'made' ? first.use : metric?.kind === 'simple' ? metric : undefined
  if (mean?.aggregation === 'avg' && !build.isRows)
    build.groupBy = build.groupBy.filter(key => !isRowOf(key, mean.model))
  if (metric?.kind !== 'ratio') return
  const below = build.context.index.metrics.get(metric.denominator)
  if (below?.kind !== 'simple' || below.aggregation !== 'count') return
  build.groupBy = build.groupBy.filter(key => !isRowOf(key, below.model))
}

/** Whether a group is each row of a model itself, and not the manager of each. */
const isRowOf = (key: GroupKey, name: string): boolean =>
  key.kind === 'model' && key.model === name && key.via === null

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
  build.lost.push(/\b(?:by|per|(?:for )?each|(?:for )?every)\b/i.exec(build.draft.words)?.[0] ?? 'by')
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

/** "How much does the small tent cost": its price, and no sum of all prices. */
const readPriceOf = (build: Build): void => {
  const { draft, metrics, groupBy } = build
  const [price, ...others] = draft.dimensions.filter(({ role }) => role === 'asked')
  if (
    !price ||
    others.length > 0 ||
    metrics.length + groupBy.length > 0 ||
    !hasCue(build, 'how-much', 'which')
  )
    return
  const { model, dimension } = price
  const isNamed = draft.filters.some(
    ({ filter }) =>
      filter.kind === 'values' &&
      filter.at.model === model.name &&
      model.nameDimensions.includes(filter.at.dimension),
  )
  if (!isNamed || dimension.type !== 'number' || dimension.unit?.kind !== 'currency') return
  build.isRows = true
  build.subject = model
  build.score += OWN_PRICE
}

/** What speaks for what something says of itself, where its sales have such a number too. */
const OWN_PRICE = 0.5

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
    order: change ? build.order.map(order => orderByChange(order, draft)) : build.order,
    limit: build.limit,
    limitPer: build.limitPer,
  }
}

const declinePattern = /\b(?:declin\w*|decreas\w*|drop\w*|fall\w*|fell|shr[iau]nk\w*|down)\b/i

/** "Grew the most" is the largest change; "fell the most" is the smallest. */
const orderByChange = (order: MetricOrder, draft: QueryDraft): MetricOrder => {
  if (order.kind !== 'metric') return order
  const growth = draft.cues.find(({ cue }) => cue.kind === 'growth')
  const isDecline = growth !== undefined && declinePattern.test(wordsAt(draft, growth.at, ''))
  const turned = order.direction === 'asc' ? 'desc' : 'asc'
  return {
    ...order,
    kind: 'change',
    isRelative: true,
    direction: isDecline ? turned : order.direction,
  }
}

const distinct = (keys: readonly GroupKey[]): readonly GroupKey[] =>
  keys.filter((key, at) => keys.findIndex(one => sameKey(one, key)) === at)
