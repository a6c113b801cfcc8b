import type { MetricFilter } from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { toSingular } from '../../../lib/stem-word.ts'
import { isCue, type Term } from '../terms.ts'
import { areApart, type Condition, countOf, ownDate, refOf, scaled, subjectOf } from './query-draft.ts'
import { addFilter, openClause, type Placed, type Reading, takeNot, termAt } from './reading.ts'

/** A number: how many are wanted, or what something is compared with. */
export const readNumber = (reading: Reading, { term, at, index }: Placed<'number'>): void => {
  const { draft, waiting } = reading
  const { value } = term
  if (term.isTimes && readTimes(reading, value, at)) return
  // "Two days or longer".
  const after = termAt(reading, index + 1)
  if (term.unit !== undefined && isCue(after, 'operator-after') && waiting.operator === null) {
    draft.lasting.push({ condition: { operator: after.cue.operator, value }, unit: term.unit, at })
    return
  }
  // "Five users or more".
  const behind = isConditionObject(after) ? termAt(reading, index + 2) : undefined
  if (isCue(behind, 'operator-after') && waiting.operator === null) {
    waiting.condition = { operator: behind.cue.operator, value }
    return
  }
  if (waiting.operator !== null) {
    const condition = { operator: waiting.operator, value }
    waiting.operator = null
    if (conditionOnBefore(reading, condition, index)) return
    if (term.unit !== undefined) {
      draft.lasting.push({ condition, unit: term.unit, at })
      return
    }
    // "More than five of our clients".
    const next = isCue(termAt(reading, index + 1), 'of') ? index + 2 : index + 1
    if (isConditionObject(termAt(reading, next))) waiting.condition = condition
    else draft.measured.push({ condition, metric: null, model: null, at })
    return
  }
  // "Who scored 100": right behind what it is the value of.
  const isValue = draft.ranks.length === 0 && termAt(reading, index - 1)?.kind === 'metric'
  if (isValue && conditionOnBefore(reading, { operator: '=', value }, index)) return
  const rank = draft.ranks.at(-1)
  const isCount =
    rank?.count === null && draft.models.every(model => model.at < rank.at) && value < MOST_RANKED
  if (rank && isCount) rank.count = value
  else waiting.number = { value, at }
}

/** "Booked at least twice": how many rows there are of what happened. */
const readTimes = (reading: Reading, value: number, at: number): boolean => {
  const { draft, waiting } = reading
  const clause = draft.clauses.findLast(({ negated, filters }) => !negated && filters.length === 0)
  if (!clause) return readStateTimes(reading, value, at)
  draft.clauses.splice(draft.clauses.indexOf(clause), 1)
  reading.clause = null
  const condition = { operator: waiting.operator ?? ('=' as const), value }
  waiting.operator = null
  draft.measured.push({ condition, metric: null, model: clause.model, at })
  return true
}

/** "Late more than three times": how many rows there are in that state. */
const readStateTimes = ({ draft, waiting, input }: Reading, value: number, at: number): boolean => {
  const state = draft.filters.findLast(
    ({ filter }) => filter.kind === 'values' && filter.at.model !== subjectOf(draft)?.name,
  )
  const model = state?.filter.kind === 'values' ? input.modelNamed(state.filter.at.model) : null
  if (!state || !model || model.timeDimension === null) {
    // An amount is not so many times.
    draft.score -= NO_TIMES
    return false
  }
  draft.filters.splice(draft.filters.indexOf(state), 1)
  const condition = { operator: waiting.operator ?? ('=' as const), value }
  waiting.operator = null
  const metric = { ...countOf(model), filters: [state.filter] }
  draft.measured.push({ condition, metric, model: null, at })
  return true
}

const NO_TIMES = 1.5

/** Nobody asks for the top so many. */
const MOST_RANKED = 1000

/** What a number can be a condition on. */
const isConditionObject = (next: Term | undefined): boolean =>
  next !== undefined && ['model', 'metric', 'dimension', 'value', 'segment'].includes(next.kind)

/** A number behind what it is compared with: "score below 62", "revenue over 1000". */
const conditionOnBefore = ({ draft, content }: Reading, condition: Condition, index: number): boolean => {
  const ahead = content[index + 1]?.term
  if (ahead?.kind === 'model' || ahead?.kind === 'metric') return false
  const previous = content
    .slice(0, index)
    .findLast(({ term }) => !isCue(term, 'be', 'of', 'operator', 'comparative', 'in', 'condition'))
  const at = previous?.at[0] ?? -1
  if (previous?.term.kind === 'metric') {
    const own = draft.metrics.at(-1)
    if (own === undefined || own.at !== at) return false
    draft.metrics.pop()
    draft.aggregate = null
    draft.measured.push({ condition, metric: own.use, model: null, at })
    return true
  }
  if (previous?.term.kind !== 'dimension' || previous.term.dimension.type !== 'number') return false
  const { model, dimension } = previous.term
  draft.dimensions.pop()
  draft.filters.push({
    filter: {
      kind: 'compare',
      at: refOf(model, dimension),
      operator: condition.operator,
      value: scaled(condition.value, dimension),
    },
    at,
  })
  return true
}

/** What speaks for an event that a period follows: "delivered in October" is about the day, not about a status. */
const EVENT_WITH_PERIOD = 0.4

/** How many tokens may lie between an event and its period. */
const EVENT_REACH = 8

/** A period: of the open condition, of an event just before, or of the whole question. */
export const readPeriod = (reading: Reading, { term: { span }, at, index }: Placed<'period'>): void => {
  const { draft, clause, waiting } = reading
  const isCompared = draft.cues.some(({ cue }) => cue.kind === 'versus' || cue.kind === 'compare')
  if (clause !== null && !isCompared) {
    const date = clause.date ?? ownDate(clause.model)
    const isOther = clause.spans.some(one => areApart(one, span))
    if (isOther || ((waiting.not || waiting.except) && clause.spans.length > 0)) {
      // "Who ordered in September but not in October": other rows that must, or must not, exist.
      const other = openClause(reading, clause.model, takeNot(reading, index), at)
      other.date = clause.date
      other.filters.push({ kind: 'period', at: date, from: span.from, until: span.until, negated: false })
      other.spans.push(span)
      return
    }
    clause.filters.push({ kind: 'period', at: date, from: span.from, until: span.until, negated: false })
    clause.spans.push(span)
    return
  }
  const event = draft.events.findLast(one => !one.isUsed && at - one.at <= EVENT_REACH)
  if (event) {
    event.isUsed = true
    draft.score += EVENT_WITH_PERIOD
  }
  const isOther = isBesideOther(reading, index)
  if (isOther) waiting.operator = null
  draft.periods.push({ span, date: event ? refOf(event.model, event.dimension) : null, at, isOther })
}

/** Whether a period stands behind what compares: "vs last month", "higher than in October", "compare sales with last year". */
const isBesideOther = ({ draft, content }: Reading, index: number): boolean => {
  let before = index - 1
  while (isCue(content[before]?.term, 'in', 'of') && !/^to$/i.test(content[before]?.text ?? '')) before--
  const { term, text = '' } = content[before] ?? {}
  if (isCue(term, 'versus', 'than') || (isCue(term, 'operator') && /\bthan$/i.test(text))) return true
  return /^(?:with|to)$/i.test(text) && draft.cues.some(({ cue }) => cue.kind === 'compare')
}

/** What speaks against a value behind "by", where most say what is grouped by. */
const BY_VALUE = 0.5

/** A value: a filter; also what is counted ("absences", "at least 3 no-shows") if it is a state of rows. */
export const readValue = (reading: Reading, { term, at, index, text }: Placed<'value'>): void => {
  const { draft, waiting, input } = reading
  const { model, dimension, value } = term
  const noun = termAt(reading, index + 1)
  const owner = noun?.kind === 'model' ? noun.model : model
  const subject = subjectOf(draft)
  const hasMany =
    subject !== null &&
    subject.name !== owner.name &&
    !reading.input.reachesOne(subject.name, model.name) &&
    reading.input.reaches(subject.name, owner.name) &&
    reading.input.reachesOne(owner.name, model.name)
  // "Hotels that have no family rooms": there is none of them.
  if (waiting.not && reading.clause === null && hasMany) {
    takeNot(reading, index)
    openClause(reading, owner, true, at)
  }
  if (followsHave(reading, owner, index)) openClause(reading, owner, false, at)
  if (isOtherOf(reading, term, index)) {
    waiting.operator = null
    draft.cues.push({ cue: { kind: 'versus' }, at })
  }
  const negated = takeNot(reading, index)
  draft.score += wayOf(reading, index, dimension.name)
  // "Headcount by store" is not what the value "store" says; "orders by Alice" are hers.
  const isThing = input.modelNamed(toSingular(text.toLowerCase()).replaceAll(' ', '_')) !== null
  if (waiting.by && (isThing || !model.nameDimensions.includes(dimension.name))) draft.score -= BY_VALUE
  waiting.by = false
  const values = term.spellings ?? [value]
  const filter: MetricFilter = { kind: 'values', at: refOf(model, dimension), values, negated }
  const isCounted = isState(term, termAt(reading, index + 1))
  if (waiting.condition !== null && isCounted) {
    const metric = { ...countOf(model), label: String(value), filters: [filter] }
    draft.measured.push({ condition: waiting.condition, metric, model: null, at })
    waiting.condition = null
    return
  }
  if (waiting.count && isCounted) {
    waiting.count = false
    draft.metrics.push({ use: countOf(model), at, metric: null, isOrder: false, text })
    draft.models.push({ model, at, role: 'counted' })
  }
  addFilter(reading, filter, at)
}

/** "Accounts that have open tickets", "patients with unpaid invoices": what they have is described. */
export const followsHave = (reading: Reading, owner: SemanticModel, index: number): boolean => {
  const subject = subjectOf(reading.draft)
  const next = termAt(reading, index + 1)
  return (
    /^(?:have|has|had|having|with)$/i.test(reading.content[index - 1]?.text ?? '') &&
    next?.kind === 'model' &&
    next.model.name === owner.name &&
    reading.clause === null &&
    subject !== null &&
    subject.name !== owner.name &&
    !reading.input.reachesOne(subject.name, owner.name) &&
    reading.input.reaches(subject.name, owner.name)
  )
}

/** "Do web customers spend more than phone customers": no number is compared with, but another value of the channel. */
const isOtherOf = (
  { draft, content }: Reading,
  { model, dimension }: Placed<'value'>['term'],
  index: number,
): boolean => {
  const { term, text = '' } = content[index - 1] ?? {}
  return (
    isCue(term, 'operator') &&
    /\bthan$/i.test(text) &&
    draft.filters.some(
      ({ filter }) =>
        filter.kind === 'values' && filter.at.model === model.name && filter.at.dimension === dimension.name,
    )
  )
}

/** "To Norway" is where something goes, "from Norway" where it comes from. */
const wayOf = ({ content }: Reading, index: number, name: string): number => {
  const before = content[index - 1]?.text.toLowerCase()
  const words = splitName(name)
  const ways =
    before === 'to'
      ? ['destination', 'arrival', 'target']
      : before === 'from'
        ? ['origin', 'departure', 'source']
        : []
  return words.some(word => ways.includes(word)) ? 0.4 : 0
}

/** One of a few values of rows with a date: a status rather than a name. */
const isState = ({ model, dimension }: Placed<'value'>['term'], next: Term | undefined): boolean =>
  !['model', 'segment', 'value'].includes(next?.kind ?? '') &&
  dimension.values !== null &&
  model.timeDimension !== null

/** A segment: "active", "overdue". */
export const readSegment = (
  reading: Reading,
  { term: { segment }, at, index, text }: Placed<'segment'>,
): void => {
  const { draft, waiting, input } = reading
  const negated = takeNot(reading, index)
  const model = input.modelNamed(segment.model)
  if (model && followsHave(reading, model, index)) openClause(reading, model, false, at)
  const isNoun =
    /s$/i.test(text) && !['model', 'segment', 'value'].includes(termAt(reading, index + 1)?.kind ?? '')
  if (isNoun && model && subjectOf(draft) === null && reading.clause === null) {
    // "How many loyalty members": the rows of a segment called by its own noun.
    if (waiting.count) draft.metrics.push({ use: countOf(model), at, metric: null, isOrder: false, text })
    draft.models.push({ model, at, role: waiting.count ? 'counted' : 'subject' })
    waiting.count = false
  }
  addFilter(reading, { kind: 'segment', segment: segment.name, via: null, negated }, at)
}

/** What speaks against an event of others that the subject has itself. */
const OWN_EVENT = 0.6

/** Whether a period follows: "customers that shipped in October" are those with such a shipment. */
const isDated = ({ content }: Reading, index: number): boolean =>
  content.slice(index + 1, index + 4).some(({ term }) => term.kind === 'period')

const OTHER_LOST = 2

/** Something that happens: "signed up", "shipped", "never ordered". */
export const readEvent = (reading: Reading, { term, at, index, text }: Placed<'event'>): void => {
  const { draft, waiting, input, clause } = reading
  const { model, dimension, isOwn } = term
  const date = refOf(model, dimension)
  const object = [1, 2].map(step => termAt(reading, index + step)).find(one => one?.kind === 'model')
  // "Did we lose any shipments": not customers.
  if (/^los(?:e|ing)$/i.test(text) && object?.kind === 'model' && object.model.name !== model.name)
    draft.score -= OTHER_LOST
  if (clause?.model.name === model.name) {
    clause.date = date
    return
  }
  const subject = subjectOf(draft)
  const isOfOthers =
    subject !== null &&
    subject.name !== model.name &&
    (isOwn || isDated(reading, index)) &&
    !input.reachesOne(subject.name, model.name) &&
    input.reaches(subject.name, model.name) &&
    input.isOfOrBy(model, subject)
  const negated = waiting.not || isCue(termAt(reading, index + 1), 'nothing')
  takeNot(reading, index)
  if (isOfOthers) {
    // "Accounts created in 2025" are not those whose users were.
    if (subject.dimensions.some(({ name }) => name === dimension.name) || / with us$/i.test(text))
      draft.score -= OWN_EVENT
    openClause(reading, model, negated, at).date = date
    return
  }
  if (waiting.count && isOwn) {
    // "How many signups".
    waiting.count = false
    draft.metrics.push({ use: countOf(model), at, metric: null, isOrder: false, text })
    draft.models.push({ model, at, role: 'counted' })
  }
  waiting.by = false
  const early = draft.periods.findLast(one => one.date === null && at - one.at <= 2)
  draft.events.push({ model, dimension, isOwn, at, isUsed: early !== undefined, negated })
  if (early) draft.periods[draft.periods.indexOf(early)] = { ...early, date }
}
