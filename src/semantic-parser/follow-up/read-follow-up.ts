import type { FollowUp, FollowUpInput, FollowUpReading, ReadFollowUp } from '../../core/follow-up.ts'
import type { Reading } from '../../core/reading.ts'
import type { UnderstandQuestion } from '../../core/understanding.ts'
import { planBreakdown } from '../breakdown/plan-breakdown.ts'
import { assumptionsOf } from '../explain/assumptions.ts'
import { decisionsOf } from '../explain/decisions.ts'
import { unusedWords } from '../explain/unused-words.ts'
import type { Condition, Frame } from '../frame/frame.ts'
import type { Model } from '../rank/model.ts'
import { indexSchema } from '../schema/index-schema.ts'
import { makeSearchContext } from '../search/make-context.ts'
import { type EditParts, type EditReading, readEdits } from './edit-readings.ts'
import { isKey, tablesOf } from './edited-frame.ts'
import { isOwnQuestion, pointsBack } from './is-own-question.ts'
import { asksWhy, restoreReading } from './restore-reading.ts'
import { type StrippedFollowUp, stripCues } from './strip-cues.ts'
import { suggestEdits } from './suggest-edits.ts'
import { type Replacement, wholeQuestion } from './whole-question.ts'

const MOST_READINGS = 6
/** A change that was read to the last word is nearly as sure as what it changes. */
const SURE_OF_EDIT = 0.95
/** What is left of that for each word that was left unread. */
const LEFT_PER_WORD = 0.6
/** From here on a table counts as named. */
const NAMED = 0.6

/**
 * Makes the reader of follow-ups: the reading behind the last answer is found again, and the message is read as a
 * change of it. Pure and deterministic, as the parser is.
 */
export const makeReadFollowUp =
  (model: Model, understand: UnderstandQuestion): ReadFollowUp =>
  input => {
    const { followUp } = input
    const parts = partsOf(input, model, understand)
    const stripped = stripCues(followUp.said)
    if (asksWhy(followUp.said)) return readWhy(followUp, parts)
    if (stripped.text === '' || isOwnQuestion(stripped, namesTable(stripped.text, input, parts))) {
      return { kind: 'new' }
    }
    const base = restoreReading(followUp.chain, parts)
    // The answer is none of ours to change; the words can still be put together.
    if (!base) {
      return {
        kind: 'edit',
        text: wholeQuestion(followUp.before, followUp.said, []),
        readings: [],
        show: null,
      }
    }
    const edits = readEdits(base.frame, { text: followUp.said, askedAt: followUp.askedAt }, parts)
    if ('reason' in edits) return { kind: 'unreadable', ...edits }
    const [best] = edits.readings
    if (best && isWhole(base.frame, best, stripped)) return { kind: 'new' }
    if (!best || saysTooLittle(best)) {
      return pointsBack(stripped)
        ? unreadable(stripped.text, best, suggestEdits(base.frame))
        : { kind: 'new' }
    }
    return {
      kind: 'edit',
      text: wholeQuestion(followUp.before, followUp.said, replacementsOf(base.frame, best.frame)),
      readings: toReadings(edits.readings, followUp.confidence),
      show: edits.show,
    }
  }

/** "Why is March low?": how that number can be taken apart. */
const readWhy = (followUp: FollowUp, parts: EditParts): FollowUpReading => {
  const base = restoreReading(followUp.chain, parts)
  if (!base) {
    return {
      kind: 'unreadable',
      reason: 'I can only take apart what I read by rules alone, and that answer was made otherwise.',
      examples: [],
    }
  }
  const plan = planBreakdown(base, { text: followUp.said, askedAt: followUp.askedAt }, parts)
  if ('reason' in plan) return { kind: 'unreadable', ...plan }
  const text = wholeQuestion(followUp.before, followUp.said, [])
  return { kind: 'breakdown', text, plan, confidence: followUp.confidence * SURE_OF_EDIT }
}

const partsOf = (
  { catalog, findValues, timeZone }: FollowUpInput,
  { weights }: Model,
  understand: UnderstandQuestion,
): EditParts => ({
  schema: indexSchema(catalog),
  findValues,
  dialect: catalog.dialect,
  weights,
  understand,
  timeZone,
})

const namesTable = (text: string, { followUp }: FollowUpInput, parts: EditParts): boolean => {
  const read = parts.understand(text, { now: () => new Date(followUp.askedAt), timeZone: parts.timeZone })
  const { lattice } = makeSearchContext(read, parts.schema, parts.findValues, parts.weights)
  return lattice.mentions.some(mention => mention.strength >= NAMED)
}

/** More words were left unread than read: whatever was made of the rest is a guess. */
const saysTooLittle = (reading: EditReading): boolean => {
  if (reading.steps.length === 0) return false
  const read = reading.steps.filter(step => step.role !== 'skip').length
  const unread = unusedWords(reading).length
  return unread > 0 && unread >= read
}

/**
 * "Revenue by store", with nothing that says that it follows: a measure of its own with a grouping of its own, or about
 * a table that was not asked about, is a question.
 */
const isWhole = (base: Frame, { edit }: EditReading, { cued }: StrippedFollowUp): boolean => {
  const asks = edit?.outputs.some(output => !isKey(output)) ?? false
  if (cued || !edit || !asks) return false
  return edit.groups.length > 0 || edit.tables.some(table => !tablesOf(base).includes(table))
}

const unreadable = (
  text: string,
  reading: EditReading | undefined,
  examples: readonly string[],
): FollowUpReading => {
  const words = reading ? unusedWords(reading) : []
  const what = words.length > 0 ? words.map(word => `“${word}”`).join(', ') : `“${text}”`
  return {
    kind: 'unreadable',
    reason: `I took this as a change of the question before, but found nothing in this database for ${what}.`,
    examples,
  }
}

/** Their shares of the certainty that the changed answer had. */
const toReadings = (edits: readonly EditReading[], confidence: number): readonly Reading[] => {
  const [best] = edits
  if (!best) return []
  const total = edits.reduce((sum, edit) => sum + Math.exp(edit.score - best.score), 0)
  const sure = confidence * SURE_OF_EDIT
  return edits.slice(0, MOST_READINGS).map(edit => {
    const unused = unusedWords(edit)
    return {
      sql: edit.sql,
      score: edit.score,
      confidence: (sure * LEFT_PER_WORD ** unused.length * Math.exp(edit.score - best.score)) / total,
      decisions: decisionsOf(edit, edits),
      assumptions: [
        `Same as before, ${edit.changes.join(', ')}.`,
        ...assumptionsOf(edit, edit.understanding),
      ],
      unused,
    }
  })
}

/** The words of conditions that gave way to another on the same column. */
const replacementsOf = (before: Frame, after: Frame): readonly Replacement[] =>
  before.conditions
    .filter(condition => !after.conditions.includes(condition))
    .flatMap(gone => {
      const came = after.conditions.find(
        condition => condition.column === gone.column && !before.conditions.includes(condition),
      )
      const old = wordsOf(gone)
      const now = came ? wordsOf(came) : null
      return old !== null && now !== null ? [{ before: old, now }] : []
    })

const wordsOf = ({ test }: Condition): string | null => {
  if (test.kind === 'period') return test.span.phrase
  return test.kind === 'compare' ? String(test.value) : null
}
