import type { DimensionRef, GroupKey, MetricOrder, MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { Dimension, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { countOf, liftClause, type QueryDraft, refOf } from '../draft/query-draft.ts'
import { haveSales, TOP_COUNT, takeSale } from './best-sellers.ts'
import { type Build, cueOf, hasCue } from './build.ts'
import { countBusiest } from './busiest-time.ts'
import { speeds } from './duration.ts'
import { readLastDone } from './last-done.ts'
import {
  amountDimension,
  baseOf,
  columnOfFigure,
  eventsOf,
  type FinishContext,
  isSomebody,
  pathBetween,
  quantityMetric,
  revenueMetric,
  revenueOf,
  sameKey,
  somebodyOf,
  workerOf,
} from './layer-facts.ts'
import { dimensionWith } from './measure.ts'

/** What only those who work here do: customers neither sell nor close a ticket. */
const workPattern =
  /^who (?:has |have )?(sells?|sold|close[sd]?|resolve[sd]?|solve[sd]?|handle[sd]?|answer(?:s|ed)|process(?:es|ed)|approve[sd]?|ship(?:s|ped)|deliver(?:s|ed)|fix(?:es|ed)|repair(?:s|ed)|serve[sd]?|treat(?:s|ed))\b/i

const partPattern = /\b(?:which|what) (?:hour|time|weekday|days? of the week)\b/i

/** "In which quarter did we sell the most": the quarter, and no order. */
const grainPattern = /\b(?:which|what) (?:day|week|month|quarter|year)\b(?! of the week)/i

/** "Which hour has the top sellers" may mean the sellers; this never does. */
const wholePartPattern = /\b(?:which|what) (?:hour of the day|days? of the week)\b/i

/** Rankings: "top 5 products by revenue", "which doctor saw the most patients", "our oldest ticket", "best in each". */
export const readRank = (build: Build): void => {
  const { draft, context } = build
  const [rank] = draft.ranks
  if (rank === undefined) return
  // "Which hour is busiest for appointments": the hour. "Which day of the week sells best": the weekday.
  const isPart =
    (hasCue(build, 'part') && (rank.isMost ? partPattern : wholePartPattern).test(draft.words)) ||
    (hasCue(build, 'grain') && grainPattern.test(draft.words))
  const which = cueOf(build, 'which')
  // "Which priority has the most tickets": its number says which.
  const named = draft.dimensions.find(
    ({ role, dimension, at }) => role === 'asked' && (dimension.type !== 'number' || at - 1 === which?.at),
  )
  const asked = isPart ? null : (named ?? null)
  // "Which channel do guests book through most", "the main return reasons": the channel, the reason.
  const isAsked =
    asked !== null && ((rank.isMost && asked.at - (which?.at ?? Infinity) === 1) || isRanked(asked, rank))
  const thing = isAsked || isPart ? null : rankedModel(build, rank)
  const guessed = build.metrics.length === 0 && !isPart ? build.subject : null
  const rated = thing && ratedBy(build, rank, thing)
  const rows = rated ?? thing ?? (isNameOf(asked, guessed) ? guessed : null)
  // "Who did the most visits", "who earns most": the people, by what they did or have.
  const [first] = build.metrics
  const done = rows ?? (asked === null && first ? baseOf(first.use, context) : null)
  const work = workPattern.exec(draft.words.trim())?.[1]
  const person = done && hasCue(build, 'who') ? (work ? workerOf : somebodyOf)(done, context) : null
  if (work && person === null) build.lost.push(work)
  const ranked = person ?? rows
  // What they did is in the plural; they are not.
  const isPlural = person !== null && person !== rows ? /\bwho are\b/i.test(draft.words) : rank.isPlural
  const count = rank.count ?? (isPlural ? TOP_COUNT : 1)
  if (readLastDone(build, rank, count)) return
  const { direction } = rank
  const isSold = takeSale(build)
  const isGrowth = hasCue(build, 'growth')
  const column = ranked && !isSold && !isGrowth ? rowOrder(build, ranked, rank) : null
  if (ranked && column) {
    build.isRows = true
    build.subject = ranked
    build.metrics = []
    build.order = [{ kind: 'dimension', at: column.at, direction: column.direction }]
    build.show = [...build.show, column.at]
    build.limit = rank.isSort ? null : count
    build.limitPer = build.groupBy
    build.groupBy = []
    return
  }
  const key: GroupKey | null = ranked
    ? { kind: 'model', model: ranked.name, via: null }
    : asked
      ? { kind: 'dimension', at: refOf(asked.model, asked.dimension) }
      : null
  countPopular(build, rank, isAsked ? asked : null)
  if (ranked && !isGrowth && rankBySpeed(build, rank, ranked)) return
  if (build.metrics.length === 0) {
    const sold = isSold ? quantityMetric(context.layer) : null
    // "The busiest doctor by completed appointments", "on which weekdays do we ship the most".
    const other = build.models.find(
      ({ model, at, role }) => at >= 0 && role !== 'group' && model.name !== ranked?.name,
    )?.model
    const happening = draft.events.find(({ isUsed }) => !isUsed)
    const byClause = rank.isMost && !isSold ? takeClause(build) : null
    if (!byClause && !other && happening) happening.isUsed = true
    const counted = byClause ?? other ?? happening?.model
    const events = counted
      ? countOf(counted)
      : ranked
        ? happeningTo(ranked, rank, context)
        : busyPattern.test(rank.text)
          ? countBusiest(context)
          : null
    const revenue = ranked ? revenueOf(ranked, context) : revenueMetric(context.layer)
    // Who is best is not told by how many tickets they had.
    const isBest = ranked !== null && isSomebody(ranked) && /\b(?:best|worst)$/i.test(rank.text)
    // "Who pays us the most" is about money.
    const isPaid = /\b(?:pays?|paid|spends?|spent) (?:us )?(?:the )?(?:most|least)\b/i.test(draft.words)
    const figure =
      sold ??
      (isBest
        ? revenue
        : isPaid && revenue
          ? revenue
          : rank.isMost && !isGrowth
            ? (events ?? revenue)
            : (revenue ?? events))
    if (figure) build.metrics.push({ use: figure, isOrder: true, at: -1 })
    build.score -= 0.4
  }
  const figure = build.metrics.find(({ isOrder }) => isOrder)?.use ?? build.metrics.at(-1)?.use
  if (figure === undefined) return
  if (key === null && readExtreme(build, rank, figure)) return
  const ownCount = figure.kind === 'made' && figure.model === ranked?.name && figure.aggregation === 'count'
  const each = draft.groups.filter(({ isEach }) => isEach).map(({ key: one }) => one)
  if (key && !ownCount && !build.groupBy.some(one => sameKey(one, key))) {
    build.groupBy.push(key)
    const others = draft.groups.filter(({ at, isEach }) => isEach || at > rank.at).map(({ key: one }) => one)
    if (others.length > 0) build.limitPer = others
  } else if (each.length > 0 && each.length < build.groupBy.length) build.limitPer = each
  build.order = [{ kind: 'metric', metric: figure, direction }]
  const grain = cueOf(build, 'grain')
  build.limit =
    !rank.isSort && (build.groupBy.length > 0 || grain || cueOf(build, 'part'))
      ? key === null && isPlural
        ? rank.count
        : count
      : null
}

/**
 * "Which carrier is the fastest": by the time that something of theirs takes, where the layer measures it. Without such a
 * figure the word is lost: nothing is fast by its revenue.
 */
const rankBySpeed = (build: Build, rank: QueryDraft['ranks'][number], ranked: SemanticModel): boolean => {
  const { context, metrics, groupBy } = build
  const direction = speeds[rank.adjective?.forms.base ?? '']
  if (direction === undefined || metrics.length > 0) return false
  const time = context.layer.metrics.find(
    one =>
      one.kind === 'simple' &&
      one.aggregation === 'avg' &&
      one.unit?.kind === 'duration' &&
      pathBetween(context, one.model, ranked.name)?.every(step => step.isToOne),
  )
  if (!time) {
    build.lost.push(rank.text)
    return true
  }
  const use: MetricUse = { kind: 'named', metric: time.name, filters: [] }
  metrics.push({ use, isOrder: true, at: -1 })
  const key: GroupKey = { kind: 'model', model: ranked.name, via: null }
  if (!groupBy.some(one => sameKey(one, key))) groupBy.push(key)
  build.order = [{ kind: 'metric', metric: use, direction }]
  build.limit = rank.isSort ? null : (rank.count ?? (rank.isPlural ? TOP_COUNT : 1))
  return true
}

/** Adjectives that say of rows how much money they are about: the biggest orders. No employee is fast by their salary. */
const amountWords: ReadonlySet<string> = new Set(
  'big large huge great small tiny high low rich wealthy poor good bad expensive costly pricey cheap strong'.split(
    ' ',
  ),
)

const busyPattern = /\b(?:busiest|quietest|active)\b/i

/** What is counted of things that are ranked by how often: what happens to them, or, of the most popular, what they are in. */
const happeningTo = (
  ranked: SemanticModel,
  rank: QueryDraft['ranks'][number],
  context: FinishContext,
): MetricUse | null => {
  const own = eventsOf(ranked, context)
  if (own || !popularPattern.test(rank.text)) return own
  const stepsFrom = (name: string): number => {
    const path = pathBetween(context, name, ranked.name)
    return path?.every(step => step.isToOne) ? path.length : Number.POSITIVE_INFINITY
  }
  const quantity = quantityMetric(context.layer)
  const sales = quantity && baseOf(quantity, context)
  if (sales && stepsFrom(sales.name) < Number.POSITIVE_INFINITY) return quantity
  const [nearest] = context.layer.models
    .filter(model => model.timeDimension !== null && !isSomebody(model) && model.name !== ranked.name)
    .filter(({ name }) => stepsFrom(name) < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => stepsFrom(a.name) - stepsFrom(b.name))
  return nearest ? countOf(nearest) : null
}

/** Words for what there is most of. */
const popularPattern = /\b(?:popular|common|frequent|used|main)\b/i

/** Whether values of a column are what is ranked: "the main return reasons", and not "top customers by country". */
const isRanked = (
  { dimension, at }: QueryDraft['dimensions'][number],
  rank: QueryDraft['ranks'][number],
): boolean => {
  const behind = at - rank.at - rank.text.split(' ').length
  return (
    dimension.type === 'categorical' &&
    !dimension.isKey &&
    popularPattern.test(rank.text) &&
    behind >= 0 &&
    behind <= 1
  )
}

/** The most popular payment method is that of most payments, and not of most money. */
const countPopular = (
  build: Build,
  rank: QueryDraft['ranks'][number],
  asked: QueryDraft['dimensions'][number] | null,
): void => {
  const [metric, ...others] = build.metrics
  const base = metric ? baseOf(metric.use, build.context) : asked?.model
  const isOther = others.length > 0 || hasCue(build, 'by') || (metric && metric.at < rank.at)
  if (!asked || base?.name !== asked.model.name || isOther || !popularPattern.test(rank.text)) return
  // The most popular brand is the one that sells, and not the one with most products.
  const sold = haveSales(asked.model, build.context) ? quantityMetric(build.context.layer) : null
  build.metrics = [{ use: sold ?? countOf(asked.model), isOrder: true, at: metric?.at ?? -1 }]
}

/**
 * "The highest salary", "our three longest calls": the largest value of a figure's column, or the rows with the largest.
 * Says whether there is such a column, and nothing that the figure is ranked by.
 */
const readExtreme = (build: Build, rank: QueryDraft['ranks'][number], figure: MetricUse): boolean => {
  const { context, groupBy } = build
  const model = baseOf(figure, context)
  if (model === null || groupBy.length > 0 || hasCue(build, 'grain', 'part', 'growth')) return false
  const own = columnOfFigure(figure, model, context)
  const isCount = figure.kind === 'made' && figure.aggregation === 'count'
  const column =
    own ?? (isCount ? (amountDimension(model, context.layer) ?? mainNumber(model, context)) : null)
  if (column?.type !== 'number') return false
  const of = refOf(model, column)
  if (rank.count !== null && rank.count > 1) {
    build.isRows = true
    build.subject = model
    build.metrics = []
    build.order = [{ kind: 'dimension', at: of, direction: rank.direction }]
    build.show = [...build.show, of]
    build.limit = rank.count
    return true
  }
  const aggregation = rank.direction === 'desc' ? 'max' : 'min'
  const label = `${aggregation === 'max' ? 'Highest' : 'Lowest'} ${column.label.toLowerCase()}`
  build.metrics = [
    {
      use: { kind: 'made', label, model: model.name, aggregation, of, percentile: null, filters: [] },
      isOrder: false,
      at: rank.at,
    },
  ]
  return true
}

/** The number that rows of a model are about: the score of a grade. */
const mainNumber = (model: SemanticModel, { layer }: Build['context']): Dimension | null => {
  const metric = layer.metrics.find(
    one => one.kind === 'simple' && one.model === model.name && one.expression?.kind === 'column',
  )
  const named =
    metric?.kind === 'simple' && metric.expression?.kind === 'column' ? metric.expression.column : null
  return model.dimensions.find(({ name }) => name === named) ?? null
}

/** Whether what is asked for says no more than which rows are meant: nothing, or their name. */
const isNameOf = (asked: QueryDraft['dimensions'][number] | null, model: SemanticModel | null): boolean =>
  asked === null ||
  (asked.model.name === model?.name &&
    (asked.dimension.isKey || model.nameDimensions.includes(asked.dimension.name)))

/** "Which hotel is booked most often": what they do is counted, rather than asked of them. */
const takeClause = ({ draft }: Build): SemanticModel | null => {
  const clause = draft.clauses.find(({ negated }) => !negated)
  if (!clause) return null
  liftClause(draft, clause)
  return clause.model
}

const ratings: ReadonlySet<string> = new Set([
  'rating',
  'score',
  'grade',
  'mark',
  'stars',
  'points',
  'satisfaction',
])

/**
 * "Which products have the worst reviews": the products, by what their reviews say on average. Null if what is ranked says
 * nothing of anything that was asked for.
 */
const ratedBy = (
  build: Build,
  rank: QueryDraft['ranks'][number],
  thing: SemanticModel,
): SemanticModel | null => {
  const { models, metrics, context } = build
  const which = cueOf(build, 'which')
  const asked = which && models.find(({ at, model }) => at === which.at + 1 && model.name !== thing.name)
  const rating = context.layer.metrics.find(
    one =>
      one.kind === 'simple' &&
      one.model === thing.name &&
      one.aggregation === 'avg' &&
      one.expression?.kind === 'column' &&
      splitName(one.expression.column).some(word => ratings.has(word)),
  )
  const isTold =
    asked && pathBetween(context, thing.name, asked.model.name)?.every(({ isToOne }) => isToOne) === true
  if (!asked || !rating || !isTold || metrics.length > 0 || rank.isMost || rank.adjective) return null
  metrics.push({ use: { kind: 'named', metric: rating.name, filters: [] }, isOrder: true, at: -1 })
  return asked.model
}

/** The model named behind the word that ranks, or before "most". */
const rankedModel = ({ models }: Build, rank: QueryDraft['ranks'][number]): SemanticModel | null => {
  const named = models.filter(({ role, at }) => at >= 0 && (role === 'subject' || role === 'other'))
  const behind = named.find(({ at }) => at > rank.at)
  const ahead = named.find(({ at }) => at < rank.at)
  return (rank.isMost ? (ahead ?? behind) : (behind ?? ahead))?.model ?? null
}

/** The column that rows of a model are ranked by, where it is one of their own: the price of "the most expensive". */
const rowOrder = (
  build: Build,
  ranked: SemanticModel,
  rank: QueryDraft['ranks'][number],
): { readonly at: DimensionRef; readonly direction: MetricOrder['direction'] } | null => {
  const { context, draft } = build
  const { adjective, direction } = rank
  if (adjective) {
    const more = dimensionWith(ranked, adjective.more)
    if (more) return { at: refOf(ranked, more), direction: 'desc' }
    const less = dimensionWith(ranked, adjective.less)
    if (less)
      return {
        at: refOf(ranked, less),
        direction: less.type === 'number' || adjective.more.length === 0 ? 'asc' : 'asc',
      }
    const isDated = [...adjective.more, ...adjective.less].some(word => word === 'date' || word === 'birth')
    const time = ranked.dimensions.find(({ name }) => name === ranked.timeDimension)
    const event = draft.events.find(({ model, isOwn }) => model.name === ranked.name && isOwn)
    if (event && adjective.forms.superlative === 'longest')
      return { at: refOf(ranked, event.dimension), direction: 'asc' }
    if (time && isDated)
      return {
        at: refOf(ranked, time),
        direction: adjective.more.includes('date') && !adjective.more.includes('age') ? 'desc' : 'asc',
      }
    if (adjective.forms.superlative === 'first' || adjective.forms.superlative === 'last') return null
  }
  const [metric, ...others] = build.metrics
  if (metric && others.length === 0) {
    // "Who is the best paid teacher": a figure that each row has by itself.
    const own = columnOfFigure(metric.use, ranked, context)
    const groups = build.groupBy.filter(key => key.kind !== 'model' || key.model !== ranked.name)
    return own && baseOf(metric.use, context)?.name === ranked.name && groups.length === build.groupBy.length
      ? { at: refOf(ranked, own), direction }
      : null
  }
  // "Top products" are those that sell, and not the most expensive; the best rep is not the best paid.
  const sells =
    (/^(?:the )?(?:top|best)\b/i.test(rank.text) && haveSales(ranked, context)) ||
    (/^(?:the )?(?:best|worst)\b/i.test(rank.text) && isSomebody(ranked))
  const isOfAmount = adjective === null || amountWords.has(adjective.forms.base)
  const amount = metric || rank.isMost || sells || !isOfAmount ? null : amountDimension(ranked, context.layer)
  return amount && ranked.timeDimension !== null && build.groupBy.length === 0
    ? { at: refOf(ranked, amount), direction }
    : null
}
