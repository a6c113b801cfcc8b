import type { Dimension, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { refOf } from '../draft/query-draft.ts'
import { type Build, cueOf } from './build.ts'
import { modelNamed, pathBetween } from './layer-facts.ts'

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

/** A duration between two dates that the question names, or from when a row began to the date that it names. */
export const readDuration = (build: Build): void => {
  const { draft } = build
  const cue = cueOf(build, 'duration')
  if (!cue) return
  const found = modelsOf(build)
    .map(model => ({ model, ends: lateEnds(build, model) ?? namedEnds(build, model) }))
    .find(({ ends }) => ends !== null)
  if (!found?.ends) return
  const {
    model,
    ends: { from, until },
  } = found
  for (const event of draft.events) {
    const isPeriods = draft.periods.some(({ date }) => date?.dimension === event.dimension.name)
    if (event.model.name === model.name && !isPeriods) event.isUsed = true
  }
  const { aggregate } = draft
  const aggregation = aggregate?.fn ?? 'avg'
  const kind = { avg: 'Average', median: 'Median', sum: 'Total', percentile: 'Percentile of' }[aggregation]
  const duration = {
    use: {
      kind: 'made' as const,
      label: `${kind} time from ${from.label.toLowerCase()} to ${until.label.toLowerCase()}`,
      model: model.name,
      aggregation,
      of: {
        from: refOf(model, from),
        until: refOf(model, until),
        unit: units.find(([pattern]) => pattern.test(draft.words))?.[1] ?? ('day' as const),
      },
      percentile: aggregate?.fraction ?? null,
      filters: [],
    },
    isOrder: draft.ranks.length > 0,
    at: cue.at,
  }
  const others = build.metrics.filter(({ use }) => !(use.kind === 'made' && use.aggregation === 'count'))
  build.metrics = [...others, duration]
  build.used.add('duration')
}

/**
 * The models whose dates may be meant, likeliest first: the one whose dates the question names, the ones it names, and
 * those that have exactly one of each of these ("length of stay per hotel" is about bookings).
 */
const modelsOf = ({ draft, context, models }: Build): readonly SemanticModel[] => {
  const happening = draft.events.find(({ isOwn }) => !isOwn) ?? draft.events[0]
  const named = models.filter(({ at }) => at >= 0).map(({ model }) => model)
  const owners = [
    ...draft.dimensions.map(({ model }) => model.name),
    ...draft.filters.flatMap(({ filter }) => ('at' in filter ? [filter.at.model] : [])),
    ...draft.groups.flatMap(({ key }) => (key.kind === 'dimension' ? [key.at.model] : [])),
  ]
  const told = [happening?.model.name, ...named.map(({ name }) => name), ...owners]
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
    /\b(?:resolution|resolve|solve|fix|stay open|remain open)\b/i,
    /^(?:resolved|solved|closed|fixed|ended|end|completed)$/,
  ],
  [/\b(?:response|respond|reply|answer|react)\b/i, /^(?:reply|replied|response|responded|answered)$/],
  [/\bdeliver(?:y)?\b/i, /^(?:delivered|delivery|arrived)$/],
  [/\b(?:shipping|ship|dispatch)\b/i, /^(?:shipped|dispatched)$/],
  [/\bapprov(?:al|e)\b/i, /^approved$/],
  [/\b(?:payment|pay|get paid)\b/i, /^(?:paid|payment)$/],
  [
    /\b(?:completion|complete|finish|processing|handling|repair)\b/i,
    /^(?:completed|finished|done|repaired|closed|ended|end|processed)$/,
  ],
  [
    /\b(?:in advance|lead time|how early|long before)\b/i,
    /^(?:in|checkin|arrival|start|starts|scheduled|departure|travel|event|due)$/,
  ],
  [
    /\b(?:stay|stays|last|lasts|length|duration|long are|long is|visit|visits|nights)\b/i,
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
  const isAhead = /\b(?:in advance|lead time|how early|long before)\b/i.test(draft.words)
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
