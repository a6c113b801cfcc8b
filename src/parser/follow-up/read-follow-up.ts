import type {
  ChainLink,
  FollowUp,
  FollowUpInput,
  FollowUpInterpretation,
  InterpretFollowUp,
} from '../../domain/conversation.ts'
import type { AnswerChange, Assumption, Interpretation } from '../../domain/interpretation.ts'
import type { UnderstandQuestion } from '../../domain/question-context.ts'
import type { Dialect } from '../../domain/sql.ts'
import { foldText } from '../../lib/fold-text.ts'
import { queryKey } from '../../sql/analyze/query-key.ts'
import { comparableQuery } from '../../sql/rewrite/comparable-query.ts'
import { planBreakdown } from '../breakdown/plan-breakdown.ts'
import { listAssumptions, listDecisions, listUnusedWords } from '../explain.ts'
import type { Condition, Frame } from '../frame.ts'
import { type DraftInterpretation, interpretQuestion } from '../interpret-question.ts'
import type { ParserModel } from '../rank/model.ts'
import { indexSchema } from '../schema/index-schema.ts'
import { makeSearchContext } from '../search/search-context.ts'
import {
  isNewQuestion,
  isPlainChange,
  opensQuestion,
  refersToPrevious,
  type StrippedFollowUp,
  stripFollowUpCues,
} from './detect-follow-up.ts'
import { isKey, suggestEdits, tablesOf } from './edited-frame.ts'
import { type EditContext, type EditInterpretation, interpretEdit } from './interpret-edit.ts'
import { readPlainEdit } from './plain-edit.ts'
import { isDoubt, isRemark } from './plain-talk.ts'

const MAX_INTERPRETATIONS = 6

/** A change that was understood completely is nearly as sure as the answer that it changes. */
export const EDIT_CONFIDENCE = 0.95

/** Confidence is multiplied by this for each word that was not understood. */
export const UNREAD_WORD_FACTOR = 0.6

/** From this strength on, a table counts as named. */
const NAMED_TABLE_STRENGTH = 0.6

/**
 * Makes the function that interprets follow-ups: it finds the interpretation behind the last answer again, and the
 * message as a change of it. Pure and deterministic, like the parser.
 */
export const makeReadFollowUp =
  (model: ParserModel, understand: UnderstandQuestion): InterpretFollowUp =>
  input => {
    const { followUp } = input
    const parts = makeEditContext(input, model, understand)
    const stripped = stripFollowUpCues(followUp.said)
    if (asksWhy(followUp.said)) return interpretWhy(followUp, parts)
    if (isDoubt(followUp.said)) return { kind: 'unreadable', problem: { code: 'unclear' }, examples: [] }
    if (isRemark(followUp.said)) return { kind: 'remark' }
    if (stripped.text === '' || isNewQuestion(stripped, namesTable(stripped.text, input, parts))) {
      return newQuestion(stripped)
    }
    const base = restoreInterpretation(followUp.chain, parts)
    // The parser did not write the answer, so it cannot change it; the words can still be combined.
    if (!base) {
      return {
        kind: 'edit',
        text: composeWholeQuestion(followUp.before, followUp.said, []),
        readings: [],
        show: null,
      }
    }
    const edits = interpretEdit(base.frame, { text: followUp.said, askedAt: followUp.askedAt }, parts)
    if ('problem' in edits) return { kind: 'unreadable', ...edits }
    const [best] = edits.readings
    if (best && isCompleteQuestion(base.frame, best, stripped)) return newQuestion(stripped)
    if (!best || isMostlyUnread(best)) {
      return refersToPrevious(stripped)
        ? unreadable(stripped.text, best, suggestEdits(base.frame))
        : { kind: 'new' }
    }
    const interpreted = toInterpretations(edits.readings, followUp.confidence)
    return {
      kind: 'edit',
      ...(isSureChange(followUp.said, interpreted) ? { isSure: true } : {}),
      text: composeWholeQuestion(followUp.before, followUp.said, replacementsOf(base.frame, best.frame)),
      readings: interpreted,
      show: edits.show,
    }
  }

/** A new question, which may say by itself that it is one. */
export const newQuestion = ({ text }: StrippedFollowUp): FollowUpInterpretation =>
  opensQuestion(text) ? { kind: 'new', isWhole: true } : { kind: 'new' }

/** From this share of the best reading on, another one is a rival. */
const RIVAL_SHARE = 0.5

/**
 * Whether a change is sure enough to need no model: plain words, all of them read, one reading in the lead, and every
 * value written as the database has it.
 */
export const isSureChange = (
  said: string,
  [best, second]: readonly Pick<Interpretation, 'unused' | 'assumptions' | 'confidence'>[],
): boolean => {
  if (best === undefined || best.unused.length > 0 || !isPlainChange(said)) return false
  if (second !== undefined && second.confidence > best.confidence * RIVAL_SHARE) return false
  const words = ` ${wordsOf(said)} `
  return best.assumptions.every(
    assumption =>
      assumption.kind !== 'spelling' &&
      (assumption.kind !== 'follow-up' ||
        assumption.changes.every(
          change =>
            change.kind !== 'filter' ||
            change.filter.kind !== 'compare' ||
            typeof change.filter.value !== 'string' ||
            change.filter.value.split(', ').every(value => words.includes(` ${wordsOf(value)} `)),
        )),
  )
}

const wordsOf = (text: string): string => (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

/** "Why is March low?": how to break down that number. */
const interpretWhy = (followUp: FollowUp, parts: EditContext): FollowUpInterpretation => {
  const base = restoreInterpretation(followUp.chain, parts)
  if (!base) {
    return {
      kind: 'unreadable',
      problem: { code: 'made-otherwise' },
      examples: [],
    }
  }
  const plan = planBreakdown(base, { text: followUp.said, askedAt: followUp.askedAt }, parts)
  if ('problem' in plan) return { kind: 'unreadable', ...plan }
  const text = composeWholeQuestion(followUp.before, followUp.said, [])
  return { kind: 'breakdown', text, plan, confidence: followUp.confidence * EDIT_CONFIDENCE }
}

const makeEditContext = (
  { catalog, findValues, timeZone }: FollowUpInput,
  { weights }: ParserModel,
  understand: UnderstandQuestion,
): EditContext => ({
  schema: indexSchema(catalog),
  findValues,
  dialect: catalog.dialect,
  weights,
  understand,
  timeZone,
})

const namesTable = (text: string, { followUp }: FollowUpInput, parts: EditContext): boolean => {
  const read = parts.understand(text, { now: () => new Date(followUp.askedAt), timeZone: parts.timeZone })
  const { lattice } = makeSearchContext(read, parts.schema, parts.findValues, parts.weights)
  return lattice.mentions.some(mention => mention.strength >= NAMED_TABLE_STRENGTH)
}

/** Whether more words were left out than understood, so that the interpretation is a guess. */
const isMostlyUnread = (reading: EditInterpretation): boolean => {
  if (reading.steps.length === 0) return false
  const read = reading.steps.filter(step => step.role !== 'skip').length
  const unread = listUnusedWords(reading).length
  return unread > 0 && unread >= read
}

/**
 * "Revenue by store", without a sign of a follow-up: a measure with a grouping of its own, or about a table that was
 * not asked about, is a new question.
 */
const isCompleteQuestion = (
  base: Frame,
  { edit }: EditInterpretation,
  { cued }: StrippedFollowUp,
): boolean => {
  const asks = edit?.outputs.some(output => !isKey(output)) ?? false
  if (cued || !edit || !asks) return false
  return edit.groups.length > 0 || edit.tables.some(table => !tablesOf(base).includes(table))
}

const unreadable = (
  text: string,
  reading: EditInterpretation | undefined,
  examples: readonly string[],
): FollowUpInterpretation => {
  const words = reading ? listUnusedWords(reading) : []
  return {
    kind: 'unreadable',
    problem: { code: 'unknown-words', words: words.length > 0 ? words : [text] },
    examples,
  }
}

/** Distributes the confidence of the changed answer over the interpretations. */
const toInterpretations = (
  edits: readonly EditInterpretation[],
  confidence: number,
): readonly Interpretation[] => {
  const [best] = edits
  if (!best) return []
  const total = edits.reduce((sum, edit) => sum + Math.exp(edit.score - best.score), 0)
  const sure = confidence * EDIT_CONFIDENCE
  return edits.slice(0, MAX_INTERPRETATIONS).map(edit => {
    const unused = listUnusedWords(edit)
    return {
      sql: edit.sql,
      score: edit.score,
      confidence: (sure * UNREAD_WORD_FACTOR ** unused.length * Math.exp(edit.score - best.score)) / total,
      decisions: listDecisions(edit, edits),
      assumptions: [
        { kind: 'follow-up', changes: edit.changes },
        ...listAssumptions(edit, edit.understanding).filter(one => !isStated(one, edit.changes)),
      ],
      unused,
    }
  })
}

/** Whether the changes of a follow-up state an assumption already: the column in which a value was found. */
const isStated = (assumption: Assumption, changes: readonly AnswerChange[]): boolean =>
  assumption.kind === 'value' &&
  changes.some(
    change =>
      change.kind === 'filter' &&
      change.filter.kind === 'compare' &&
      change.filter.column === assumption.column &&
      change.filter.value === assumption.value,
  )

/** The words of conditions that were replaced by another on the same column. */
const replacementsOf = (before: Frame, after: Frame): readonly Replacement[] =>
  before.conditions
    .filter(condition => !after.conditions.includes(condition))
    .flatMap(gone => {
      const came = after.conditions.find(
        condition => condition.column === gone.column && !before.conditions.includes(condition),
      )
      const old = conditionText(gone)
      const now = came ? conditionText(came) : null
      return old !== null && now !== null ? [{ before: old, now }] : []
    })

const conditionText = ({ test }: Condition): string | null => {
  if (test.kind === 'period') return test.span.phrase
  return test.kind === 'compare' ? String(test.value) : null
}

/**
 * The interpretation behind the last answer of a thread: each question is interpreted again, and the interpretation
 * whose SQL was the answer is taken. Interpreting is deterministic, so nothing needs to be stored. Null if the parser
 * did not write an answer: a model or a person did, or the database has changed since.
 */
const restoreInterpretation = (
  chain: readonly ChainLink[],
  parts: EditContext,
): DraftInterpretation | null => {
  const [root, ...edits] = chain
  if (!root) return null
  const clock = { now: () => new Date(root.askedAt), timeZone: parts.timeZone }
  const { schema, findValues, dialect, weights } = parts
  const readings = interpretQuestion(parts.understand(root.text, clock), schema, findValues, dialect, weights)
  let reading: DraftInterpretation | null =
    readings.find(({ sql }) => sql === root.sql) ?? findSameMeaning(readings, root.sql, dialect)
  for (const edit of edits) {
    if (!reading) return null
    // A breakdown explains an answer: a follow-up to it changes the answer.
    if (asksWhy(edit.text)) continue
    const read = interpretEdit(reading.frame, edit, parts)
    reading =
      'problem' in read
        ? null
        : (read.readings.find(({ sql }) => sql === edit.sql) ??
          findSameMeaning(read.readings, edit.sql, dialect))
  }
  return reading
}

/** The first reading that says the same as an answer which another reader wrote in its own way; null if none does. */
export const findSameMeaning = <Reading extends { readonly sql: string }>(
  readings: readonly Reading[],
  sql: string,
  dialect: Dialect,
): Reading | null => {
  const key = meaningKey(sql, dialect)
  if (key === null) return null
  return readings.slice(0, MOST_COMPARED).find(reading => meaningKey(reading.sql, dialect) === key) ?? null
}

/** Interpretations that are compared; the rest is far behind. */
const MOST_COMPARED = 12

/** What a statement says, but for the order in which groups are shown. */
const meaningKey = (sql: string, dialect: Dialect): string | null => {
  const query = comparableQuery(sql, dialect)
  return query && queryKey(query.limit === null ? { ...query, orderBy: [] } : query)
}

/** Whether a message asks why a number of the answer before it is what it is. */
export const asksWhy = (text: string): boolean =>
  readPlainEdit(stripFollowUpCues(text).text, false)?.kind === 'why'

/** Words of the question before that a change removes, and the words that replace them. */
interface Replacement {
  readonly before: string
  readonly now: string
}

/**
 * The complete question in words: the one before with the change applied, for models, verified questions and people.
 */
export const composeWholeQuestion = (
  before: string,
  said: string,
  replacements: readonly Replacement[],
): string => {
  const base = before.replace(/[\s?!.]+$/u, '')
  const changed = replacements.reduce((text, { before: old, now }) => {
    const at = text.toLowerCase().indexOf(old.toLowerCase())
    return at < 0 ? text : text.slice(0, at) + now + text.slice(at + old.length)
  }, base)
  return changed === base ? `${base}, ${stripFollowUpCues(said).text}` : changed
}
