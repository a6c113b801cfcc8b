import type { DimensionRef, MetricFilter, MetricUse } from '../../../domain/metrics/metric-query.ts'
import { capitalize } from '../../../lib/capitalize.ts'
import { pluralOf } from '../../propose/names.ts'
import { type Build, cueOf, hasCue } from './build.ts'
import { baseOf, isSomebody, rowCountOf } from './layer-facts.ts'

/** Shares, rates, running totals, and values beside each other. */
export const readComparisons = (build: Build): void => {
  if (build.isRows) return
  readRunning(build)
  readShare(build)
  readOpposites(build)
  readOpposedSets(build)
  readComparedValues(build)
}

const readRunning = (build: Build): void => {
  const moving = cueOf(build, 'moving-average')
  const toDate = cueOf(build, 'to-date')
  const hasGrain = (): boolean => build.groupBy.some(({ kind }) => kind === 'grain' || kind === 'cohort')
  const needGrain = (): void => {
    if (!hasGrain()) build.groupBy.unshift({ kind: 'grain', at: null, grain: 'month' })
  }
  if (moving) {
    needGrain()
    build.running = { kind: 'moving-average', count: moving.cue.count }
    build.used.add('moving-average')
  } else if (hasCue(build, 'running')) {
    needGrain()
    build.running = { kind: 'total' }
    build.used.add('running')
  } else if (toDate) {
    if (hasGrain()) build.running = { kind: 'to-date', unit: toDate.cue.unit }
    build.used.add('to-date')
  }
}

const readShare = (build: Build): void => {
  if (!hasCue(build, 'share', 'percent', 'rate')) return
  const [main] = build.metrics
  if (main === undefined) return
  // "By how many percent did it grow": the growth is the percentage.
  if (
    build.compare !== null &&
    hasCue(build, 'growth') &&
    !/\b(?:share|proportion|percent(?:age)? of)\b/i.test(build.draft.words)
  ) {
    build.used.add('share').add('percent')
    return
  }
  const isRate = hasCue(build, 'rate') && !hasCue(build, 'share', 'percent')
  const split = splitForShare(build)
  if (split.part.length > 0) {
    const noun = isRate ? 'rate' : 'share'
    const use: MetricUse = {
      kind: 'ratio',
      label: capitalize(noun),
      numerator: withFilters(
        main.use,
        split.part.map(({ filter }) => filter),
      ),
      denominator: main.use,
      isShare: true,
    }
    build.order = build.order.map(order => (order.kind === 'metric' ? { ...order, metric: use } : order))
    build.metrics = [{ ...main, use }]
    build.filters = split.rest
    applyPeriodToWhole(build)
  } else if (build.groupBy.length > 0 && !isRate) build.share = { kind: 'total' }
  else return
  for (const kind of ['share', 'percent', 'rate'] as const) build.used.add(kind)
}

/**
 * "What percentage of orders were returned last month": of last month's orders, where few of them have what happened to
 * them. Customers who ordered last month are a share of all customers.
 */
const applyPeriodToWhole = (build: Build): void => {
  const { context, metrics } = build
  const use = metrics[0]?.use
  const home = use && baseOf(use, context)
  if (use?.kind !== 'ratio' || !home || home.timeDimension === null || isSomebody(home) || build.period)
    return
  const numerator = use.numerator
  const part = 'filters' in numerator ? numerator.filters : []
  const done = part.find(filter => filter.kind === 'related')
  const period = done?.filters.find(filter => filter.kind === 'period')
  if (
    !done ||
    !period ||
    done.negated ||
    rowCountOf({ name: done.model }, context) > rowCountOf(home, context)
  )
    return
  const undated = { ...done, filters: done.filters.filter(filter => filter !== period) }
  const dated = part.map(filter => (filter === done ? undated : filter))
  metrics[0] = {
    ...metrics[0]!,
    use: { ...use, numerator: { ...numerator, filters: dated } as MetricUse },
  }
  const { from, until } = period
  const phrase = build.draft.clauses.flatMap(({ spans }) => spans).find(span => span.from === from)?.phrase
  build.period = { from, until, at: null, phrase: phrase ?? '' }
}

/**
 * Which conditions make the part, and which hold for the whole. What is said behind the noun is the part ("share of our
 * active subscriptions that is billed yearly"); without such, what is said before it ("no-show rate").
 */
const splitForShare = (
  build: Build,
): { readonly part: Build['filters']; readonly rest: Build['filters'] } => {
  const { draft, filters } = build
  const nouns = [
    ...draft.models
      .filter(({ role, at }) => at >= 0 && (role === 'subject' || role === 'counted'))
      .map(({ at }) => at),
    ...draft.metrics.map(({ at }) => at),
  ]
  const noun = nouns.length > 0 ? Math.max(...nouns) : -1
  const behind = filters.filter(({ at }) => at > noun)
  const shareAt = (cueOf(build, 'share') ?? cueOf(build, 'percent') ?? cueOf(build, 'rate'))?.at ?? 0
  const isRate = hasCue(build, 'rate')
  const part = isRate
    ? filters.filter(({ at }) => at < shareAt)
    : behind.length > 0 && noun >= 0
      ? behind
      : build.groupBy.length === 0 || noun < 0
        ? filters
        : []
  return { part, rest: filters.filter(one => !part.includes(one)) }
}

const withFilters = (use: MetricUse, filters: readonly MetricFilter[]): MetricUse =>
  use.kind === 'ratio'
    ? { ...use, numerator: withFilters(use.numerator, filters) }
    : { ...use, filters: [...use.filters, ...filters] }

/** "Vegan versus non-vegan products": no row is both, so there is one for each. */
const readOpposites = (build: Build): void => {
  const flags = build.filters.map(({ filter }) => flagOf(filter, build))
  const flag =
    flags.find(one => one && flags.some(other => other && areOpposites(one, other))) ??
    flagBeforeOthers(build, flags)
  if (!flag) return
  build.filters = build.filters.filter((_, index) => {
    const said = flags[index]
    return !said || placeOf(said.at) !== placeOf(flag.at)
  })
  build.groupBy = build.groupBy.filter(
    key => key.kind !== 'dimension' || placeOf(key.at) !== placeOf(flag.at),
  )
  build.groupBy.push({ kind: 'dimension', at: flag.at })
  for (const kind of ['versus', 'compare', 'or', 'and', 'others'] as const) build.used.add(kind)
}

/** "Subscribers vs others": what is said of the first, right before. */
const flagBeforeOthers = (build: Build, flags: readonly (Flag | null)[]): Flag | null => {
  const others = cueOf(build, 'others')?.at ?? -1
  const versus = build.draft.cues.findLast(({ cue, at }) => cue.kind === 'versus' && at < others)?.at ?? -1
  const before = build.filters.findLastIndex(({ at }, index) => at < versus && flags[index] !== null)
  return flags[before] ?? null
}

/** "Active vs inactive customers", "online vs store orders": a figure for each, since no value tells them apart. */
const readOpposedSets = (build: Build): void => {
  const [main, ...others] = build.metrics
  if (main === undefined || others.length > 0 || main.use.kind === 'ratio') return
  const { use } = main
  const between = cueOf(build, 'versus') ?? (saysCompare(build) ? cueOf(build, 'and') : undefined)
  if (!between) return
  const sets = build.filters.flatMap(({ filter, at }) => {
    const label = labelOfSet(filter, use, build)
    return label === null ? [] : [{ filter, at, label }]
  })
  const [before, after] = [sets.findLast(({ at }) => at < between.at), sets.find(({ at }) => at > between.at)]
  // Two values of one column are told apart by it.
  if (!before || !after || (before.filter.kind === 'values' && after.filter.kind === 'values')) return
  build.metrics = [before, after].map(({ filter, at, label }) => ({
    use: { ...use, label, filters: [...use.filters, filter] },
    isOrder: false,
    at,
  }))
  // Others hold for both.
  build.filters = build.filters.filter(({ filter }) => filter !== before.filter && filter !== after.filter)
  for (const kind of ['versus', 'compare', 'and'] as const) build.used.add(kind)
}

/** What a figure of some rows is called beside that of others: "Online orders", "Store orders", "Revenue (store orders)". */
const labelOfSet = (
  filter: MetricFilter,
  use: Exclude<MetricUse, { kind: 'ratio' }>,
  { context: { index } }: Build,
): string | null => {
  const rows = rowsOfSet(filter, index)
  if (rows === null) return null
  if (use.kind === 'made' && use.aggregation === 'count') return capitalize(rows)
  const label = use.kind === 'made' ? use.label : index.metrics.get(use.metric)?.label
  return label === undefined ? null : `${label} (${rows})`
}

const rowsOfSet = (filter: MetricFilter, index: Build['context']['index']): string | null => {
  if (filter.kind === 'segment') {
    const segment = index.segments.get(filter.segment)
    return segment ? pluralOf(segment.label.toLowerCase().split(' ')) : null
  }
  if (filter.kind !== 'values' || filter.negated || filter.values.length !== 1) return null
  const model = index.models.get(filter.at.model)?.model
  return model ? `${filter.values[0]} ${model.plural}` : null
}

/** "Compare online and store revenue", and not "higher" or "more". */
export const saysCompare = ({ draft }: Build): boolean =>
  /\b(?:compare|comparison|difference between|side by side)\b/i.test(draft.words)

/** What is said of a yes or no. */
interface Flag {
  readonly at: DimensionRef
  readonly isYes: boolean
}

const areOpposites = (one: Flag, other: Flag): boolean =>
  placeOf(one.at) === placeOf(other.at) && one.isYes !== other.isYes

const flagPattern = /^(?<not>NOT \()?["`]?(?<column>\w+)["`]?(?: = (?:'[^']*'|\d+))?\)?$/

/** The yes or no that a condition is about; null if it is about something else. */
const flagOf = (filter: MetricFilter, { context: { index } }: Build): Flag | null => {
  if (filter.kind === 'values') {
    const isFlag =
      index.models.get(filter.at.model)?.dimensions.get(filter.at.dimension)?.type === 'boolean' &&
      filter.values.length === 1
    return isFlag ? { at: filter.at, isYes: !filter.negated } : null
  }
  if (filter.kind !== 'segment') return null
  const segment = index.segments.get(filter.segment)
  const [condition, ...others] = segment?.conditions ?? []
  if (!segment || condition?.kind !== 'sql' || others.length > 0) return null
  const { column, not } = flagPattern.exec(condition.text.trim())?.groups ?? {}
  const isFlag = column && index.models.get(segment.model)?.dimensions.get(column)?.type === 'boolean'
  return isFlag
    ? {
        at: { model: segment.model, dimension: column, via: filter.via },
        isYes: filter.negated === (not !== undefined),
      }
    : null
}

/** "Germany or France", "online versus phone": a row for each. Other values of one dimension are a list. */
const readComparedValues = (build: Build): void => {
  const compared =
    hasCue(build, 'versus', 'compare') ||
    (hasCue(build, 'and') && build.groupBy.length > 0 && build.groupBy.every(key => key.kind !== 'grain')) ||
    (hasCue(build, 'or') &&
      (build.draft.ranks.length > 0 || hasCue(build, 'which') || /\beach\b/i.test(build.draft.words)))
  const values = build.filters.flatMap(({ filter }) =>
    filter.kind === 'values' && !filter.negated ? [filter] : [],
  )
  const several = [...Map.groupBy(values, ({ at }) => placeOf(at)).values()].find(group => group.length > 1)
  const [first] = several ?? []
  const isCompared =
    compared || (hasCue(build, 'and') && several !== undefined && areAllValues(build, several))
  if (isCompared && several && first && build.compare === null) {
    if (!build.groupBy.some(key => key.kind === 'dimension' && placeOf(key.at) === placeOf(first.at)))
      build.groupBy.push({ kind: 'dimension', at: first.at })
    for (const kind of ['versus', 'compare', 'or', 'and'] as const) build.used.add(kind)
    build.limit = null
    if (build.draft.ranks.length > 0 && build.groupBy.length === 1) build.order = []
  }
}

/** "For men and women": a filter that lets everything through says to tell them apart. */
const areAllValues = (
  { context }: Build,
  filters: readonly Extract<MetricFilter, { kind: 'values' }>[],
): boolean => {
  const [first] = filters
  const model = first && context.index.models.get(first.at.model)?.model
  const known = model?.dimensions.find(({ name }) => name === first?.at.dimension)?.values ?? null
  const said = new Set(filters.flatMap(({ values }) => values))
  return known !== null && known.length > 1 && known.every(value => said.has(value))
}

const placeOf = ({ model, dimension, via }: DimensionRef): string =>
  `${model}.${dimension}.${via?.join('/') ?? ''}`

/** "Harrow or Elmwood", "Germany and France": one list of values. */
export const joinValues = (filters: Build['filters']): Build['filters'] => {
  const joined: Build['filters'] = []
  for (const { filter, at } of filters) {
    const known = joined.findIndex(
      one =>
        one.filter.kind === 'values' &&
        filter.kind === 'values' &&
        one.filter.negated === filter.negated &&
        placeOf(one.filter.at) === placeOf(filter.at),
    )
    const other = joined[known]?.filter
    if (filter.kind === 'values' && other?.kind === 'values')
      joined[known] = { filter: { ...other, values: [...new Set([...other.values, ...filter.values])] }, at }
    else joined.push({ filter, at })
  }
  return joined
}

/** Whether "versus" stands between two figures ("spend vs revenue"), and not between two values ("revenue of web vs phone"). */
export const areFiguresOpposed = ({ draft, metrics, filters, compare }: Build): boolean => {
  if (metrics.length < 2 || compare !== null) return false
  const figures = new Set(metrics.map(({ at }) => at))
  const values = new Set(filters.map(({ at }) => at))
  // "Monthly vs yearly" are a kind of value too.
  const grains = new Set(draft.cues.filter(({ cue }) => cue.kind === 'grain').map(({ at }) => at))
  const areBoth = (
    kind: ReadonlySet<number>,
    others: readonly ReadonlySet<number>[],
    at: number,
  ): boolean => {
    const places = [kind, ...others].flatMap(one => [...one]).toSorted((a, b) => a - b)
    const [before, after] = [places.findLast(place => place < at), places.find(place => place > at)]
    return before !== undefined && after !== undefined && kind.has(before) && kind.has(after)
  }
  return draft.cues.some(
    ({ cue, at }) =>
      cue.kind === 'versus' && areBoth(figures, [values], at) && !areBoth(grains, [figures, values], at),
  )
}
