import { splitName } from '../../../lib/fold-text.ts'
import { isCue } from '../terms.ts'
import { refOf, subjectOf } from './query-draft.ts'
import { followsHave } from './read-conditions.ts'
import { addFilter, openClause, type Placed, type Reading, takeNot, termAt } from './reading.ts'

/** Cues that wait for what they are about, and those that say something about the whole question. */
export const readCue = (reading: Reading, placed: Placed<'cue'>): void => {
  if (placed.term.cue.kind === 'rated' && readRated(reading, placed, placed.term.cue.isGood)) return
  if (isCue(placed.term, 'visit') && readVisit(reading, placed)) return
  keepCue(reading, placed)
  const { term, at, index } = placed
  if (isCue(term, 'by', 'each', 'which', 'order')) reading.clause = null
  if (!isCue(term, 'activity') || !reading.waiting.not) return
  // "Channels that we never used": nothing of theirs exists.
  const subject = subjectOf(reading.draft)
  const activity = subject && reading.input.activityOf(subject)
  if (!activity) return
  takeNot(reading, index)
  openClause(reading, activity, true, at)
}

/** "Patients did we see", "who hasn't been here": those with an appointment, or without. Says whether there are any. */
const readVisit = (reading: Reading, { at, index }: Placed<'cue'>): boolean => {
  const subject = subjectOf(reading.draft)
  const visits = subject && reading.input.visitsOf(subject)
  if (!visits) return false
  openClause(reading, visits, takeNot(reading, index), at)
  return true
}

/** "Bad reviews", where a rating goes from 1 to 5: those with 1 or 2. Says whether there is such a rating. */
const readRated = (reading: Reading, { at, index }: Placed<'cue'>, isGood: boolean): boolean => {
  const next = termAt(reading, index + 1)
  if (next?.kind !== 'model') return false
  const rating = next.model.dimensions.find(
    ({ name, type, values }) =>
      type === 'number' &&
      splitName(name).some(word => word === 'rating' || word === 'stars') &&
      values?.length === STARS.length &&
      STARS.every(star => values.some(value => Number(value) === star)),
  )
  if (!rating) return false
  if (followsHave(reading, next.model, index)) openClause(reading, next.model, takeNot(reading, index), at)
  const limit = isGood ? ({ operator: '>=', value: 4 } as const) : ({ operator: '<=', value: 2 } as const)
  addFilter(reading, { kind: 'compare', at: refOf(next.model, rating), ...limit }, at)
  return true
}

const STARS: readonly number[] = [1, 2, 3, 4, 5]

const keepCue = (reading: Reading, { term: { cue }, at, index, text }: Placed<'cue'>): void => {
  const { draft, waiting } = reading
  const before = termAt(reading, index - 1)
  switch (cue.kind) {
    case 'count':
      waiting.count = true
      break
    case 'by':
      waiting.by = true
      break
    case 'each':
      waiting.each = true
      break
    case 'not':
      waiting.not = true
      break
    case 'except':
      waiting.except = true
      break
    case 'operator':
      if (cue.operator !== '=' || waiting.operator === null) waiting.operator = cue.operator
      break
    case 'operator-after': {
      if (waiting.number !== null) waiting.condition = { operator: cue.operator, value: waiting.number.value }
      waiting.number = null
      break
    }
    case 'aggregate':
      draft.aggregate = { fn: cue.fn, fraction: null, at }
      break
    case 'percentile':
      draft.aggregate = { fn: 'percentile', fraction: cue.fraction, at }
      break
    case 'top':
      draft.ranks.push({
        direction: cue.direction,
        count: waiting.number?.value ?? null,
        adjective: null,
        isMost: false,
        text,
        isPlural: false,
        at,
      })
      waiting.number = null
      break
    case 'most':
      draft.ranks.push({
        direction: cue.direction,
        count: waiting.number?.value ?? null,
        adjective: null,
        isMost: true,
        text,
        isPlural: false,
        at,
      })
      waiting.number = null
      break
    case 'superlative':
      draft.ranks.push({
        direction: cue.direction,
        count: waiting.number?.value ?? null,
        adjective: cue.adjective,
        isMost: false,
        text,
        isPlural: false,
        isSort: cue.isSort === true,
        at,
      })
      waiting.number = null
      break
    case 'comparative':
      waiting.operator = cue.adjective.more.length > 0 || cue.adjective.less.length === 0 ? '>' : '<'
      draft.cues.push({ cue, at })
      break
    case 'order':
      waiting.order = true
      draft.cues.push({ cue, at })
      break
    case 'nothing':
      if (before?.kind !== 'event') draft.cues.push({ cue, at })
      break
    case 'growth':
      // "than last year" after "more" compares; a comparison of numbers does not.
      draft.cues.push({ cue, at })
      break
    case 'and':
    case 'or':
    case 'filler':
    case 'in':
    case 'of':
    case 'be':
      if (cue.kind === 'or' || cue.kind === 'and') draft.cues.push({ cue, at })
      if (before?.kind === 'model' && cue.kind === 'be') waiting.by = false
      break
    default:
      draft.cues.push({ cue, at })
  }
}
