import type { MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { type QueryDraft, wordsAt } from '../draft/query-draft.ts'
import type { Cue } from '../terms.ts'
import { type Build, cueOf, hasCue } from './build.ts'
import { areFiguresOpposed, saysCompare } from './compare.ts'
import { amountMetric, baseOf, countsRows, isSomebody, modelNamed, pathBetween } from './layer-facts.ts'
import { saysMoney } from './measure.ts'

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
    .map(({ dimension, at }) => wordsAt(build.draft, at, dimension.label.toLowerCase()))
}

/**
 * Tables that the question names and that have nothing to do with what is shown: each order has a customer, and revenue
 * of customers is revenue; but no order has an employee.
 */
const lostModels = (build: Build): readonly string[] => {
  const { models, metrics, isRows, subject, context, draft, groupBy, filters, having, order, show } = build
  const parts = metrics.flatMap(({ use }) =>
    use.kind === 'ratio' ? [use.numerator, use.denominator] : [use],
  )
  const bases = isRows ? [subject ?? []].flat() : parts.flatMap(use => baseOf(use, context) ?? [])
  if (bases.length === 0) return []
  const used = JSON.stringify([metrics, groupBy, filters, having, order, show])
  const isHeld = (name: string): boolean =>
    bases.some(base => pathBetween(context, base.name, name)?.every(step => step.isToOne)) ||
    used.includes(`"${name}"`)
  return (
    models
      .filter(
        ({ model, at }) =>
          at >= 0 &&
          (bases.every(base => pathBetween(context, base.name, model.name) === null) || !isHeld(model.name)),
      )
      .map(({ model, at }) => wordsAt(draft, at, model.label.toLowerCase()))
      // "Billed yearly" names no bills.
      .filter(word => !/ed$/i.test(word))
  )
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
  'active-in',
  'others',
  'first',
  'reports-to',
  'repeat',
  'nothing',
  'still',
  'as-of',
  'rated',
  'visit',
]

/** What the question says of the whole figure that the query does not do: to average it, to rank it, two periods at once. */
const lostParts = (build: Build): readonly string[] => {
  const { draft, metrics, order, groupBy, isRows } = build
  const lost: string[] = []
  const { aggregate } = draft
  if (aggregate && aggregate.fn !== 'sum' && !isAggregated(build))
    lost.push(wordsAt(draft, aggregate.at, averageWords[aggregate.fn]))
  const isRanked = order.length > 0 && (isRows || groupBy.length > 0)
  const [rank] = draft.ranks
  if (rank && !isRanked && !metrics.some(({ use }) => isExtreme(use))) lost.push(rank.text)
  if (rank && isRanked && isOfLength(rank) && !ranksLength(build, rank)) lost.push(rank.text)
  const isBeside = groupBy.length > 0 || metrics.length > 1 || build.compare !== null
  if (saysCompare(build) && !isRows && !isBeside) lost.push('compare')
  if (/^who\b/i.test(draft.words.trim()) && !showsSomebody(build)) lost.push('who')
  const which = cueOf(build, 'which')
  const next = (which?.at ?? -2) + 1
  const asked = build.models.find(({ at }) => at === next)
  if (asked && !showsRowsOf(build, asked.model.name)) lost.push(wordsAt(draft, next, asked.model.plural))
  // "Which clients signed" asks for no number of new clients.
  const isTotal = !isRows && groupBy.length === 0
  if (isTotal && draft.metrics.some(({ at }) => at === next)) lost.push(wordsAt(draft, next, 'which'))
  const onlyCounts = metrics.every(({ use }) => use.kind === 'made' && use.aggregation === 'count')
  if (aggregate?.fn === 'sum' && hasCue(build, 'and') && metrics.length === 1 && onlyCounts)
    lost.push(wordsAt(draft, aggregate.at, 'sum'))
  const isListed = draft.words.includes(':') && hasCue(build, 'list')
  if (isListed && !isRows && groupBy.length === 0 && metrics.length === 1)
    lost.push(wordsAt(draft, cueOf(build, 'list')?.at ?? -1, 'list'))
  return lost
}

const isOfLength = ({ adjective }: Rank): boolean => /^(?:long|short)$/.test(adjective?.forms.base ?? '')

type Rank = QueryDraft['ranks'][number]

/** Whether the order is one of time or length: nothing that "takes the longest" is the most expensive. */
const ranksLength = ({ order: [first], context }: Build, { adjective }: Rank): boolean => {
  if (first?.kind === 'dimension') {
    const { model, dimension: name } = first.at
    const found = context.index.models.get(model)?.dimensions.get(name)
    return (
      found?.type === 'date' ||
      found?.type === 'timestamp' ||
      found?.unit?.kind === 'duration' ||
      found?.expression.kind === 'duration' ||
      splitName(name).some(word => adjective?.more.includes(word) || adjective?.less.includes(word))
    )
  }
  if (first?.kind !== 'metric') return true
  const said = JSON.stringify(first.metric)
  const names = [...said.matchAll(/"(?:metric|dimension|label)":"([^"]+)"/g)].map(([, name = '']) => name)
  return (
    said.includes('"from":') ||
    names.some(
      name =>
        context.index.metrics.get(name)?.unit?.kind === 'duration' ||
        splitName(name.toLowerCase().replaceAll(' ', '_')).some(word => adjective?.more.includes(word)),
    )
  )
}

/** "Which products": whether each row of the query is told by one. A total, or a list of something else, is not. */
const showsRowsOf = ({ isRows, subject, show, groupBy }: Build, name: string): boolean =>
  isRows
    ? subject?.name === name || show.some(({ model }) => model === name)
    : groupBy.some(key => key.kind !== 'grain' && key.kind !== 'part')

/** "Which products are out of stock" lists products, before stock items by the name of their product. */
const listsOthers = (build: Build): number => {
  const asked = askedBy(build)
  return build.isRows && asked && build.subject?.name !== asked.name ? OTHER_ROWS : 0
}

const OTHER_ROWS = 0.4

/** The model that "which" asks for, by itself or by its name: "which products". */
const askedBy = (build: Build): SemanticModel | undefined => {
  const next = (cueOf(build, 'which')?.at ?? -2) + 1
  const named = build.draft.dimensions.find(
    ({ at, model, dimension }) => at === next && model.nameDimensions.includes(dimension.name),
  )
  return build.models.find(({ at }) => at === next)?.model ?? named?.model
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
    running?.kind === 'mean' ||
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
    const model = countsRows(use, context) ? baseOf(use, context) : null
    return model !== null && amountMetric(model, context.layer) !== null
  })

const COUNTED_NOBODY = 1.5

/** "Headcount by country" counts people, and no orders or countries. */
const countsNobody = ({ draft, metrics, context }: Build): boolean =>
  /\bheadcount\b/i.test(draft.words) &&
  metrics.some(({ use }) => {
    const model = use.kind === 'made' ? modelNamed(context, use.model) : null
    return model !== null && (!isSomebody(model) || (use.kind === 'made' && use.aggregation !== 'count'))
  })

/** How well a query does what its question says, and the words that it has no use for. */
export const rateQuery = (
  build: Build,
): { readonly score: number; readonly unusedCues: readonly string[] } => {
  const { draft, used, metrics } = build
  const areOpposed = areFiguresOpposed(build)
  if (areOpposed) used.add('versus')
  const unusedCues = [
    ...new Set<string>([
      ...weightyCues
        .filter(kind => !used.has(kind))
        .flatMap(kind => {
          const cue = cueOf(build, kind)
          return cue ? [wordsAt(draft, cue.at, kind)] : []
        }),
      ...lostColumns(build),
      ...lostModels(build),
      ...build.lost,
      ...lostParts(build),
      ...(draft.unusedNumber === null ? [] : [draft.unusedNumber]),
      ...(draft.lostNot === null ? [] : [draft.lostNot]),
      ...(draft.halfSaid !== null && metrics.length === 0 ? [draft.halfSaid] : []),
      ...draft.lasting
        .filter(() => !used.has('duration'))
        .slice(0, 1)
        .map(({ at }) => wordsAt(draft, at, 'duration')),
    ]),
  ]
  // Two figures side by side are asked for with "and", or with "versus".
  const areListed = areOpposed || hasCue(build, 'and')
  const surplus = metrics.length > 1 && !areListed ? 0.7 * (metrics.length - 1) : 0
  const miscounted = metrics.some(
    ({ use }) => use.kind === 'made' && use.aggregation === 'count' && uncounted.test(use.model),
  )
  const against =
    surplus +
    (miscounted || countsMoney(build) ? COUNTED_MASS : 0) +
    (countsNobody(build) ? COUNTED_NOBODY : 0)
  return { score: build.score - unusedCues.length * 0.8 - against - listsOthers(build), unusedCues }
}
