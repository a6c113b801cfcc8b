import type { Dimension, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import type { Build } from './build.ts'
import { modelNamed, pathBetween } from './layer-facts.ts'

/** Two dates of one model between which time is measured, the earlier first. */
export interface DurationEnds {
  readonly model: SemanticModel
  readonly from: Dimension
  readonly until: Dimension
}

/** The dates that a question measures between; null if it names none that fit. */
export const findEnds = (build: Build): DurationEnds | null => {
  for (const model of modelsOf(build)) {
    const ends = endsOf(build, model)
    if (ends) return { model, ...ends }
  }
  return null
}

type Ends = Pick<DurationEnds, 'from' | 'until'>

/** Verbs and nouns of a whole stay, visit or outage. */
const wholeWords = /\b(?:stay|stays|stayed|last|lasts|lasted|nights?|length|lengths|run|runs|ran|with us)\b/i

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
  const lived = wholeWords.test(draft.words) ? named.filter(model => lifeOf(build, model) !== null) : []
  const stays = lived.length === 0 ? context.layer.models.filter(model => hasStays(model, draft.words)) : []
  const told = [
    ...stays.map(({ name }) => name),
    ...lived.map(({ name }) => name),
    happening?.model.name,
    ...named.map(({ name }) => name),
    ...owners,
  ]
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

/** Whether rows of a model are stays that a question asks about: from check-in to check-out. */
const hasStays = (model: SemanticModel, words: string): boolean =>
  /\b(?:stay|stays|nights?)\b/i.test(words) &&
  dateCalled(model, 'in') !== undefined &&
  dateCalled(model, 'out') !== undefined

/** The ends of what a question measures: of a whole stay before those of a part of it. */
const endsOf = (build: Build, model: SemanticModel): Ends | null => {
  const { words } = build.draft
  const isWhole = wholeWords.test(words)
  const isPart = !isWhole && (isWaiting(words) || nouns.some(([pattern]) => pattern.test(words)))
  const life = lifeOf(build, model, isWhole ? `${ended} ${gone}` : ended)
  return (
    lateEnds(build, model) ??
    waitEnds(build, model) ??
    (isWhole ? life : null) ??
    namedEnds(build, model) ??
    (isPart || isBetween(words) ? null : life)
  )
}

const isWaiting = (words: string): boolean => /\bwait(?:s|ed|ing)?\b/i.test(words)

const isBetween = (words: string): boolean => /\b(?:between|from|since|after)\b/i.test(words)

const isDate = ({ type }: Dimension): boolean => type === 'date' || type === 'timestamp'

/** Words of names that say nothing of what happens on a date. */
const plainWords = new Set(['at', 'on', 'date', 'time', 'day', 'check', 'actual', 'is', 'ts'])

/** The date of a model that is called by one of some words and little else, the first word first. */
export const dateCalled = (model: SemanticModel, words: string): Dimension | undefined => {
  const own = new Set(model.name.split('_'))
  const dates = model.dimensions.filter(isDate).map(dimension => ({
    dimension,
    said: splitName(dimension.name).filter(word => !plainWords.has(word) && !own.has(word)),
  }))
  for (const word of words.split(' ')) {
    const found = dates.find(({ said }) => said.length === 1 && said[0] === word)
    if (found) return found.dimension
  }
  return undefined
}

/** How late: from when it was due to when it came. */
const lateEnds = ({ draft }: Build, model: SemanticModel): Ends | null => {
  const isLate =
    draft.filters.some(
      ({ filter }) => filter.kind === 'segment' && filter.segment === `late_${model.name}`,
    ) || /\b(?:days?|weeks?|hours?|minutes?) (?:late|overdue|past due)\b|\bdelays?\b/i.test(draft.words)
  if (!isLate) return null
  const from = dateCalled(model, 'due promised expected planned required deadline estimated scheduled')
  const until = dateCalled(
    model,
    'delivered arrived paid returned completed finished resolved actual started',
  )
  return from && until ? { from, until } : null
}

/** How long somebody waits: from when they came or asked to when it began or came. */
const waitEnds = ({ draft }: Build, model: SemanticModel): Ends | null => {
  if (!isWaiting(draft.words)) return null
  const until = dateCalled(
    model,
    'started start seen served began answered replied delivered arrived shipped scheduled',
  )
  const from = dateCalled(model, 'in arrived requested booked ordered placed opened created registered')
  return from && until && from.name !== until.name ? { from, until } : null
}

/** How something ends that went as it should, and how somebody goes. */
const ended = 'ended end ends finished out closed resolved solved completed discharged delivered arrived'
const gone = 'left canceled cancelled churned terminated'

/** From when rows of a model that the question names begin to when they end, if they have one date for each. */
const lifeOf = (
  { models, draft, context }: Build,
  model: SemanticModel,
  ends = `${ended} ${gone}`,
): Ends | null => {
  const isNamed =
    models.some(one => one.at >= 0 && one.model.name === model.name) ||
    hasStays(model, draft.words) ||
    draft.events.some(one => one.model.name === model.name) ||
    draft.dimensions.some(one => one.model.name === model.name) ||
    draft.groups.some(({ key }) => key.kind === 'dimension' && key.at.model === model.name)
  if (!isNamed) return null
  const until = dateCalled(model, ends)
  const begun = dateCalled(
    model,
    'started start starts begin began begins in opened hired joined enrolled admitted signed subscribed shipped ship',
  )
  const from =
    begun ??
    modelNamed(context, model.name)?.dimensions.find(
      dimension => isDate(dimension) && dimension.name === model.timeDimension,
    )
  return from && until && from.name !== until.name ? { from, until } : null
}

/** Nouns and verbs for what ends a duration, and words of the dates that they stand for. */
const nouns: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:resolution|resolve|solve|fix|restore|stay open|remain open)\b/i,
    'resolved solved closed fixed restored ended end completed',
  ],
  [/\b(?:response|respond|reply|answer|react)\b/i, 'replied reply responded response answered'],
  [/\bdeliver(?:y)?\b/i, 'delivered delivery arrived'],
  [/\b(?:shipping|ship|dispatch)\b/i, 'shipped dispatched'],
  [/\bapprov(?:al|e)\b/i, 'approved'],
  [/\b(?:payment|pay|get paid)\b/i, 'paid payment'],
  [
    /\b(?:completion|complete|finish|processing|handling|repair)\b/i,
    'completed finished done repaired closed ended end processed',
  ],
  [
    /\b(?:in advance|ahead|lead time|how early|long before)\b/i,
    'in arrival start starts scheduled departure travel event due',
  ],
  [/\b(?:visit|visits|long are|long is|on site)\b/i, 'ended end finished out left returned'],
  [/\b(?:cancel|churn|leave)\b/i, 'canceled cancelled churned left ended closed'],
]

/** The ends by their names: two dates, or a date with the row's own. */
const namedEnds = ({ draft, models }: Build, model: SemanticModel): Ends | null => {
  const own = draft.events.filter(event => event.model.name === model.name)
  const said = nouns.find(([pattern]) => pattern.test(draft.words))
  const byNoun = said && (dateCalled(model, said[1]) ?? dateWith(model, said[1]))
  const isAhead = /\b(?:in advance|ahead|lead time|how early|long before)\b/i.test(draft.words)
  const last =
    (isAhead ? byNoun : undefined) ??
    own.find(({ isOwn }) => !isOwn)?.dimension ??
    own[1]?.dimension ??
    byNoun
  if (last === undefined) return null
  const other =
    own.find(({ dimension }) => dimension.name !== last.name)?.dimension ??
    (byNoun && byNoun.name !== last.name ? byNoun : undefined)
  // "Between due date and payment", where payments are rows of their own.
  const isItself = models.some(one => one.at >= 0 && one.model.name === model.name)
  if (other === undefined && !isItself && /\bbetween\b/i.test(draft.words)) return null
  const first = other ?? startOf(model, last)
  if (first === undefined || first.name === last.name) return null
  // "Canceled less than a day before they were due": from what is said first.
  if (draft.lasting.length > 0 && isAheadOf(draft.words)) {
    const said = own.toSorted((a, b) => a.at - b.at).map(({ dimension }) => dimension)
    const from = said[0] ?? last
    return { from, until: [...said.slice(1), first, last].find(({ name }) => name !== from.name) ?? last }
  }
  const [from, until] = [first, last].toSorted((a, b) => stageOf(a, model) - stageOf(b, model))
  return from && until ? { from, until } : null
}

/** "Two days before": a time until something, not since. */
export const isAheadOf = (words: string): boolean =>
  /\b(?:minutes?|hours?|days?|weeks?) (?:before|ahead of|prior to)\b/i.test(words)

/** The date whose name has one of some words among others. */
const dateWith = (model: SemanticModel, words: string): Dimension | undefined =>
  model.dimensions.find(
    dimension => isDate(dimension) && splitName(dimension.name).some(word => words.split(' ').includes(word)),
  )

/** Where a row begins: check-in before check-out, start before end; else its own date. */
const startOf = (model: SemanticModel, last: Dimension): Dimension | undefined => {
  const words = splitName(last.name)
  const partner = words.includes('out')
    ? dateCalled(model, 'in')
    : words.some(word => /^(?:end|ended|ends|finished|until)$/.test(word))
      ? dateCalled(model, 'started start starts begin began from')
      : undefined
  return partner ?? model.dimensions.find(({ name }) => name === model.timeDimension)
}

/** What happens to something, in the order in which it does. */
const stages: readonly RegExp[] = [
  /^(?:birth|born|founded)$/,
  /^(?:booked|requested|ordered|order|created|signed|placed|registered|opened|reported|hired|admitted|joined|enrolled)$/,
  /^(?:issued|scheduled|planned)$/,
  /^(?:due|promised|expected|deadline)$/,
  /^(?:in|checkin|arrived|shipped|ship|dispatched)$/,
  /^(?:start|started|starts|begin|began|from|approved)$/,
]

const stageOf = ({ name }: Dimension, model: SemanticModel): number => {
  const words = splitName(name)
  const stage = stages.findIndex(pattern => words.some(word => pattern.test(word)))
  if (stage !== -1) return stage
  return name === model.timeDimension ? stages.length - 2 : stages.length
}
