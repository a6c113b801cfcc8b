import type { MetricFilter, MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { Dimension, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { addDays } from '../../../lib/format-figure.ts'
import { type QueryDraft, refOf } from '../draft/query-draft.ts'
import { type Build, cueOf, hasCue } from './build.ts'
import { type DurationEnds, findEnds, isAheadOf } from './duration-ends.ts'
import { baseOf, columnOfFigure, labelOfUse } from './layer-facts.ts'

/** What speaks for a length of time that is compared with that of rows which have one. */
const CONDITION_FITS = 0.3

const units: readonly (readonly [RegExp, 'second' | 'minute' | 'hour' | 'day'])[] = [
  [/\bseconds?\b/i, 'second'],
  [/\bminutes?\b/i, 'minute'],
  [/\bhours?\b/i, 'hour'],
]

/**
 * A duration between two dates that the question names, or from when a row began to the date that it names: a figure, or
 * a condition on one ("longer than six hours").
 */
export const readDuration = (build: Build): void => {
  const { draft } = build
  const cue = cueOf(build, 'duration')
  const [lasting] = draft.lasting
  const speed = draft.ranks.find(({ adjective }) => adjective !== null && adjective.forms.base in speeds)
  // "Who has been here longest" is about when they came.
  if (!cue && !lasting && (!speed || /\b(?:has|have) been\b/i.test(draft.words))) return
  const found = findEnds(build)
  if (found === null) {
    if (lasting) compareColumn(build, lasting)
    else if (cue) measureColumn(build, cue.at)
    return
  }
  if (lasting && isStillOpen(draft.words)) {
    readOpenSince(build, { ...found, lasting })
    return
  }
  const { model, from, until } = found
  dropEnded(build, model, until)
  for (const event of draft.events) {
    const isPeriods = draft.periods.some(({ date }) => date?.dimension === event.dimension.name)
    const isPlan = lasting !== undefined && event.at > lasting.at && isAheadOf(draft.words)
    if ((event.model.name === model.name && !isPeriods) || isPlan) event.isUsed = true
  }
  const { aggregate } = draft
  const extreme = speed && isAlone(build, model) ? extremeOf(speed) : null
  const aggregation = extreme ?? aggregate?.fn ?? 'avg'
  const use = {
    kind: 'made' as const,
    label: `${kinds[aggregation]} time from ${from.label.toLowerCase()} to ${until.label.toLowerCase()}`,
    model: model.name,
    aggregation,
    of: {
      from: refOf(model, from),
      until: refOf(model, until),
      unit: lasting?.unit ?? units.find(([pattern]) => pattern.test(draft.words))?.[1] ?? ('day' as const),
    },
    percentile: aggregate?.fraction ?? null,
    filters: [],
  }
  if (lasting) {
    draft.measured.push({ condition: lasting.condition, metric: use, model: null, at: lasting.at })
    if (aggregate !== null) measureGroups(build, { use, at: lasting.at })
    draft.aggregate = null
    build.used.add('duration').add('comparative')
    build.score += CONDITION_FITS
    return
  }
  // The fastest takes the least time.
  if (speed && extreme) draft.ranks.splice(draft.ranks.indexOf(speed), 1)
  if (speed?.adjective) speed.direction = speeds[speed.adjective.forms.base] ?? speed.direction
  const duration = { use, isOrder: draft.ranks.length > 0, at: cue?.at ?? speed?.at ?? 0 }
  // "Average campaign length" is one figure.
  const others = hasCue(build, 'and')
    ? build.metrics.filter(one => !(one.use.kind === 'made' && one.use.aggregation === 'count'))
    : []
  build.metrics = [...others, duration]
  // "How long have they been with us" is about those who have not left, whose time has no end yet.
  if (!/\bhow long (?:have|has)\b/i.test(draft.words)) build.used.add('duration')
}

/** "How many days until it is paid", where the layer measures minutes. */
export const inAskedUnit = (build: Build): void => {
  const { draft, context } = build
  const asked = [...units, [/\bdays?\b/i, 'day'] as const].find(([pattern]) => pattern.test(draft.words))?.[1]
  build.metrics = build.metrics.map(metric => {
    const { use } = metric
    const model = baseOf(use, context)
    const column = model && columnOfFigure(use, model, context)
    const named = use.kind === 'named' ? context.index.metrics.get(use.metric) : undefined
    if (use.kind === 'ratio' || (named?.kind === 'simple' && named.filters.length > 0)) return metric
    const aggregation =
      use.kind === 'made' ? use.aggregation : named?.kind === 'simple' ? named.aggregation : null
    const time = column?.expression
    if (!model || !asked || !aggregation || time?.kind !== 'duration' || time.unit === asked) return metric
    const [from, until] = [time.from, time.until].map(name => model.dimensions.find(one => one.name === name))
    if (!from || !until) return metric
    return {
      ...metric,
      use: {
        kind: 'made',
        label: labelOfUse(use, context),
        model: model.name,
        aggregation,
        of: { from: refOf(model, from), until: refOf(model, until), unit: asked },
        percentile: use.kind === 'made' ? use.percentile : null,
        filters: use.filters,
      },
    }
  })
}

const secondsIn = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const

/** "Median song length": a column that holds the time. */
const measureColumn = (build: Build, at: number): void => {
  const { draft } = build
  const isMeasured = build.metrics.some(({ use }) => {
    const base = baseOf(use, build.context)
    const column = base && columnOfFigure(use, base, build.context)
    return column?.unit?.kind === 'duration'
  })
  if (isMeasured) build.used.add('duration')
  if (build.metrics.length > 0) return
  for (const { model } of build.models) {
    const dimension = timeColumn(model)
    if (!dimension) continue
    const aggregation = draft.aggregate?.fn ?? 'avg'
    const use: MetricUse = {
      kind: 'made',
      label: `${kinds[aggregation]} ${dimension.label.toLowerCase()}`,
      model: model.name,
      aggregation,
      of: refOf(model, dimension),
      percentile: draft.aggregate?.fraction ?? null,
      filters: [],
    }
    build.metrics.push({ use, isOrder: draft.ranks.length > 0, at })
    build.used.add('duration')
    return
  }
}

const timeColumn = (model: SemanticModel): Dimension | undefined =>
  model.dimensions.find(({ type, unit }) => type === 'number' && unit?.kind === 'duration')

/** "Tracks longer than ten minutes": a column that holds the time. */
const compareColumn = (build: Build, { condition, unit, at }: QueryDraft['lasting'][number]): void => {
  for (const { model } of build.models) {
    const dimension = timeColumn(model)
    if (dimension?.unit?.kind !== 'duration') continue
    const value = (condition.value * secondsIn[unit]) / secondsIn[dimension.unit.unit]
    build.filters.push({
      filter: { kind: 'compare', at: refOf(model, dimension), operator: condition.operator, value },
      at,
    })
    build.used.add('duration').add('comparative')
    return
  }
  build.score -= 1
}

const kinds = {
  avg: 'Average',
  median: 'Median',
  sum: 'Total',
  percentile: 'Percentile of',
  max: 'Longest',
  min: 'Shortest',
} as const

/** "What was the longest stay", "the longest outage per region": nothing else is ranked by it. */
const isAlone = ({ draft, models, groupBy }: Build, { name }: SemanticModel): boolean =>
  !draft.dimensions.some(({ role }) => role === 'asked') &&
  models.every(
    ({ model, at, role }) => at < 0 || role === 'group' || (model.name === name && groupBy.length > 0),
  )

const extremeOf = ({ adjective }: QueryDraft['ranks'][number]): 'max' | 'min' | null =>
  (({ long: 'max', lengthy: 'max', short: 'min' }) as const)[adjective?.forms.base ?? ''] ?? null

/** "Resolved" says what ends the time; rows that have not ended have none. */
const dropEnded = ({ draft, context }: Build, model: SemanticModel, until: Dimension): void => {
  const column = until.expression.kind === 'column' ? until.expression.column : until.name
  const staysOpen = /\b(?:stay(?:s|ed)?|remain(?:s|ed)?|kept) (?:\w+ )?open\b/i.test(draft.words)
  const isEnded = (filter: MetricFilter): boolean => {
    if (filter.kind === 'values')
      return (
        staysOpen &&
        filter.at.model === model.name &&
        filter.values.some(value => /^open$/i.test(String(value)))
      )
    if (filter.kind !== 'segment' || filter.negated) return false
    const segment = context.index.segments.get(filter.segment)
    const [only, ...others] = segment?.conditions ?? []
    return (
      segment?.model === model.name &&
      others.length === 0 &&
      only?.kind === 'sql' &&
      only.text.replaceAll(/["`]/g, '').trim().toLowerCase() ===
        `${column.toLowerCase()} is ${staysOpen ? '' : 'not '}null`
    )
  }
  const kept = draft.filters.filter(({ filter }) => !isEnded(filter))
  draft.filters.splice(0, draft.filters.length, ...kept)
}

/** What comes first of the fastest, the longest and so on: the least time or the most. */
export const speeds: Readonly<Record<string, 'asc' | 'desc'>> = {
  fast: 'asc',
  quick: 'asc',
  short: 'asc',
  slow: 'desc',
  long: 'desc',
  lengthy: 'desc',
}

const isStillOpen = (words: string): boolean =>
  /\b(?:still|open|unresolved|unpaid|outstanding|pending|overdue|unanswered)\b/i.test(words) &&
  !/\b(?:were|was|stayed|remained) (?:\w+ )?(?:open|unpaid|pending)\b/i.test(words)

/** "Open for more than three days": begun before then, and not ended yet. */
const readOpenSince = (
  build: Build,
  {
    model,
    lasting: { condition, unit, at },
    ...ends
  }: DurationEnds & { readonly lasting: QueryDraft['lasting'][number] },
): void => {
  if (unit !== 'day' || !condition.operator.startsWith('>')) {
    build.score -= 1
    return
  }
  const days = condition.operator === '>=' ? condition.value - 1 : condition.value
  const [from, until] = [refOf(model, ends.from), refOf(model, ends.until)]
  const begun = addDays(build.context.today, -days)
  build.show.push(from)
  build.filters.push(
    { filter: { kind: 'missing', at: until, negated: false }, at },
    { filter: { kind: 'period', at: from, from: null, until: begun, negated: false }, at },
  )
  for (const event of build.draft.events) if (event.model.name === model.name) event.isUsed = true
  build.used.add('duration').add('comparative')
}

/** "Regions where outages last over four hours on average": the figure of each region. */
const measureGroups = (build: Build, { use, at }: { readonly use: MetricUse; readonly at: number }): void => {
  const asked = build.draft.dimensions.filter(
    ({ role, dimension }) => role === 'asked' && dimension.type === 'categorical',
  )
  if (asked.length === 0 && build.groupBy.length === 0) return
  for (const one of asked) {
    one.role = 'used'
    build.groupBy.push({ kind: 'dimension', at: refOf(one.model, one.dimension) })
  }
  build.metrics = [{ use, isOrder: false, at }]
}
