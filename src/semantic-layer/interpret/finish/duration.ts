import type { MetricFilter, MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { Dimension, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { addDays } from '../../../lib/format-figure.ts'
import { type QueryDraft, refOf } from '../draft/query-draft.ts'
import { type Build, cueOf } from './build.ts'
import { modelNamed, pathBetween } from './layer-facts.ts'

/** What speaks for a length of time that is compared with that of rows which have one. */
const CONDITION_FITS = 0.3

/** Two dates of one model, the earlier first. */
interface Ends {
  readonly from: Dimension
  readonly until: Dimension
}

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
  if (!cue && !lasting && !speed) return
  const found = modelsOf(build)
    .map(model => ({ model, ends: endsOf(build, model) }))
    .find(({ ends }) => ends !== null)
  if (!found?.ends) {
    build.score -= draft.lasting.length
    return
  }
  if (lasting && isStillOpen(draft.words)) {
    readOpenSince(build, { model: found.model, ends: found.ends, lasting })
    return
  }
  const {
    model,
    ends: { from, until },
  } = found
  dropEnded(build, model, until)
  for (const event of draft.events) {
    const isPeriods = draft.periods.some(({ date }) => date?.dimension === event.dimension.name)
    if (event.model.name === model.name && !isPeriods) event.isUsed = true
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
  const others = build.metrics.filter(({ use }) => !(use.kind === 'made' && use.aggregation === 'count'))
  build.metrics = [...others, duration]
  build.used.add('duration')
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
  const isEnded = (filter: MetricFilter): boolean => {
    if (filter.kind !== 'segment' || filter.negated) return false
    const segment = context.index.segments.get(filter.segment)
    const [only, ...others] = segment?.conditions ?? []
    return (
      segment?.model === model.name &&
      others.length === 0 &&
      only?.kind === 'sql' &&
      only.text.replaceAll(/["`]/g, '').trim().toLowerCase() === `${column.toLowerCase()} is not null`
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

/** The ends of what a question measures: of a whole stay before those of a part of it. */
const endsOf = (build: Build, model: SemanticModel): Ends | null => {
  const isWhole = /\b(?:stay|stays|stayed|last|lasts|lasted|nights?|length)\b/i.test(build.draft.words)
  const life = lifeOf(build, model)
  const isPart = !isWhole && nouns.some(([pattern]) => pattern.test(build.draft.words))
  return (
    lateEnds(build, model) ?? (isWhole ? life : null) ?? namedEnds(build, model) ?? (isPart ? null : life)
  )
}

const isStillOpen = (words: string): boolean =>
  /\b(?:still|open|unresolved|unpaid|outstanding|pending|overdue|unanswered)\b/i.test(words) &&
  !/\b(?:were|was|stayed|remained) (?:\w+ )?(?:open|unpaid|pending)\b/i.test(words)

/** "Open for more than three days": begun before then, and not ended yet. */
const readOpenSince = (
  build: Build,
  {
    model,
    ends,
    lasting: { condition, unit, at },
  }: {
    readonly model: SemanticModel
    readonly ends: Ends
    readonly lasting: QueryDraft['lasting'][number]
  },
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

/**
 * The models whose dates may be meant, likeliest first: the one whose dates the question names, the ones it names, and
 * those that have exactly one of each of these ("length of stay per hotel" is about bookings).
 */
const modelsOf = (build: Build): readonly SemanticModel[] => {
  const { draft, context, models } = build
  const happening = draft.events.find(({ isOwn }) => !isOwn) ?? draft.events[0]
  const named = models.filter(({ at }) => at >= 0).map(({ model }) => model)
  const owners = [
    ...draft.dimensions.map(({ model }) => model.name),
    ...draft.filters.flatMap(({ filter }) => ('at' in filter ? [filter.at.model] : [])),
    ...draft.groups.flatMap(({ key }) => (key.kind === 'dimension' ? [key.at.model] : [])),
  ]
  // "How long do teachers stay" is not about what happens to others.
  const isWhole = /\b(?:stay|stays|stayed|last|lasts|lasted)\b/i.test(draft.words)
  const lived = isWhole
    ? models
        .filter(({ model, at }) => at >= 0 && lifeOf(build, model) !== null)
        .map(({ model }) => model.name)
    : []
  const told = [...lived, happening?.model.name, ...named.map(({ name }) => name), ...owners]
    .map(name => modelNamed(context, name ?? ''))
    .filter(model => model !== null)
  const wanted = [...named.map(({ name }) => name), ...owners]
  const around = context.layer.models.filter(
    model =>
      model.timeDimension !== null &&
      wanted.every(name => pathBetween(context, model.name, name)?.every(step => step.isToOne) === true),
  )
  return [...new Set([...told, ...around])]
}

const isDate = ({ type }: Dimension): boolean => type === 'date' || type === 'timestamp'

/** How late: from when it was due to when it came. */
const lateEnds = ({ draft }: Build, model: SemanticModel): Ends | null => {
  if (
    !draft.filters.some(({ filter }) => filter.kind === 'segment' && filter.segment === `late_${model.name}`)
  )
    return null
  const dates = model.dimensions.filter(isDate)
  const named = (words: readonly string[]): Dimension | undefined =>
    dates.find(({ name }) => splitName(name).some(word => words.includes(word)))
  const from = named(['due', 'promised', 'expected', 'planned', 'required', 'deadline', 'estimated'])
  const until = named([
    'delivered',
    'arrived',
    'paid',
    'returned',
    'completed',
    'finished',
    'resolved',
    'actual',
  ])
  return from && until ? { from, until } : null
}

/** Nouns for what ends a duration, and words of the dates that they stand for. */
const nouns: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:resolution|resolve|solve|fix|restore|stay open|remain open)\b/i,
    /^(?:resolved|solved|closed|fixed|restored|ended|end|completed)$/,
  ],
  [/\b(?:response|respond|reply|answer|react)\b/i, /^(?:reply|replied|response|responded|answered)$/],
  [/\bwait(?:s|ed|ing)?\b/i, /^(?:started|start|seen|served|answered|replied|delivered|arrived|began)$/],
  [/\bdeliver(?:y)?\b/i, /^(?:delivered|delivery|arrived)$/],
  [/\b(?:shipping|ship|dispatch)\b/i, /^(?:shipped|dispatched)$/],
  [/\bapprov(?:al|e)\b/i, /^approved$/],
  [/\b(?:payment|pay|get paid)\b/i, /^(?:paid|payment)$/],
  [
    /\b(?:completion|complete|finish|processing|handling|repair)\b/i,
    /^(?:completed|finished|done|repaired|closed|ended|end|processed)$/,
  ],
  [
    /\b(?:in advance|ahead|lead time|how early|long before)\b/i,
    /^(?:in|checkin|arrival|start|starts|scheduled|departure|travel|event|due)$/,
  ],
  [
    /\b(?:stay|stays|last|lasts|lasted|lasting|length|on site|duration|long are|long is|visit|visits|nights)\b/i,
    /^(?:ended|end|left|checkout|out|discharged|finished|returned|until)$/,
  ],
  [/\b(?:cancel|churn|leave|stay with us)\b/i, /^(?:canceled|cancelled|churned|left|ended|closed)$/],
]

/** The ends by their names: two dates, or a date with the row's own. */
const namedEnds = ({ draft }: Build, model: SemanticModel): Ends | null => {
  const own = draft.events.filter(event => event.model.name === model.name)
  const dates = model.dimensions.filter(isDate)
  const said = nouns.find(([pattern]) => pattern.test(draft.words))
  const byNoun = said && dates.find(({ name }) => splitName(name).some(word => said[1].test(word)))
  const isAhead = /\b(?:in advance|ahead|lead time|how early|long before)\b/i.test(draft.words)
  const last =
    (isAhead ? byNoun : undefined) ??
    own.find(({ isOwn }) => !isOwn)?.dimension ??
    own[1]?.dimension ??
    byNoun
  if (last === undefined) return null
  const other = own.find(({ dimension }) => dimension.name !== last.name)?.dimension
  const first = other ?? startOf(model, last)
  if (first === undefined || first.name === last.name) return null
  const [from, until] = [first, last].toSorted((a, b) => orderOf(a, model) - orderOf(b, model))
  return from && until ? { from, until } : null
}

/** From when rows of a model that the question names begin to when they end, if they have one date for each. */
const lifeOf = ({ models, draft }: Build, model: SemanticModel): Ends | null => {
  const isNamed =
    models.some(one => one.at >= 0 && one.model.name === model.name) ||
    draft.events.some(one => one.model.name === model.name) ||
    draft.dimensions.some(one => one.model.name === model.name) ||
    draft.groups.some(({ key }) => key.kind === 'dimension' && key.at.model === model.name)
  const dates = model.dimensions.filter(isDate)
  const named = (words: RegExp): Dimension | undefined =>
    dates.find(({ name }) => splitName(name).some(word => words.test(word)))
  const from = named(/^(?:started|start|starts|begin|began|begins|opened|hired|joined|enrolled|admitted|in)$/)
  const until = named(/^(?:ended|end|ends|finished|closed|resolved|completed|left|discharged|out)$/)
  return isNamed && from && until ? { from, until } : null
}

/** Where a row begins: check-in before check-out, start before end; else its own date. */
const startOf = (model: SemanticModel, last: Dimension): Dimension | undefined => {
  const pair = /out$/i.test(last.name)
    ? /(?:check_?in|in)$/i
    : /^end|ended|end_|finished|until/i.test(last.name)
      ? /^start|started|start_|begin|began|from/i
      : null
  const partner = pair && model.dimensions.find(dimension => isDate(dimension) && pair.test(dimension.name))
  return partner ?? model.dimensions.find(({ name }) => name === model.timeDimension)
}

/** Something is booked or opened before anything happens to it. */
const orderOf = ({ name }: Dimension, model: SemanticModel): number => {
  if (/book|request|order|creat|open|sign|start|plac|began|check_?in/i.test(name)) return 0
  return name === model.timeDimension ? 1 : 2
}
