import type {
  ChainLink,
  FollowUpInput,
  FollowUpInterpretation,
  InterpretFollowUp,
} from '../../domain/conversation.ts'
import type { MetricQuery } from '../../domain/metrics/metric-query.ts'
import type { MetricReading } from '../../domain/metrics/metric-reading.ts'
import type { UnderstandQuestion } from '../../domain/question-context.ts'
import { stripFollowUpCues } from '../../parser/follow-up/detect-follow-up.ts'
import { understandEdit } from '../../parser/follow-up/interpret-edit.ts'
import { isRemark } from '../../parser/follow-up/plain-talk.ts'
import {
  asksWhy,
  composeWholeQuestion,
  EDIT_CONFIDENCE,
  findSameMeaning,
  isSureChange,
  newQuestion,
  UNREAD_WORD_FACTOR,
} from '../../parser/follow-up/read-follow-up.ts'
import { compileReadings, type PreparedLayer, prepareLayer } from '../read-metric-question.ts'
import { isSamePlace, mapFilters } from './changed-query.ts'
import { type ChangedQuestion, type ChangeReading, readChange } from './read-change.ts'

/** A reading whose query another reader's answer was restored to is worth this much less. */
const OTHER_READER_FACTOR = 0.7

/** How fast the chance of a reading falls with its distance from the best, in points of their scores. */
const RIVAL_DECAY = 6

/** A change that leaves at least this share of its words unread is a guess. */
const MOSTLY_UNREAD = 0.5

/**
 * Makes the reader of follow-ups without a model: as changes of the metric query behind the last answer, and what cannot be
 * read so by `readOtherwise`. Pure and deterministic: the query is found again by reading the thread again.
 */
export const makeReadThread =
  (readOtherwise: InterpretFollowUp, understand: UnderstandQuestion): InterpretFollowUp =>
  input => {
    const { followUp } = input
    if (asksWhy(followUp.said) || isRemark(followUp.said)) return readOtherwise(input)
    const parts: ThreadParts = { input, prepared: prepareLayer(input), understand }
    const restored = restoreQuery(followUp.chain, parts)
    const said = { text: followUp.said, askedAt: followUp.askedAt }
    const read = restored && readIn(restored.question, said, parts)
    if (read === 'new') return newQuestion(stripFollowUpCues(followUp.said))
    const [best] = read ?? []
    if (!restored || !read || !best || isMostlyUnread(best.reading, followUp.said))
      return readOtherwise(input)
    const edit = toEdit(restored, read, parts)
    if (restored.isSame && best.reading.unused.length === 0) return edit
    // Words that this reader leaves out, or an answer that another one wrote: the other reader may know better.
    const other = readOtherwise(input)
    switch (other.kind) {
      case 'unreadable':
        return edit
      case 'edit': {
        const [first] = other.readings
        const isBetter =
          first === undefined ? !restored.isSame : first.unused.length < best.reading.unused.length
        return isBetter || (!restored.isSame && first !== undefined && first.unused.length === 0)
          ? other
          : edit
      }
      case 'new':
        return restored.isSame && best.reading.unused.length === 0 ? edit : other
      default:
        return other
    }
  }

interface ThreadParts {
  readonly input: FollowUpInput
  readonly prepared: PreparedLayer
  readonly understand: UnderstandQuestion
}

/** The metric query behind an answer. `isSame`: the answer's statement is the one that is made of it. */
interface Restored {
  readonly question: ChangedQuestion
  readonly isSame: boolean
}

/** A reading of a change, with its statements. */
interface ReadChange {
  readonly reading: ChangeReading
  readonly made: MetricReading
}

const isMostlyUnread = ({ unused }: ChangeReading, said: string): boolean =>
  unused.length > 0 && unused.length >= said.split(/\s+/).length * MOSTLY_UNREAD

/** Ways to take a message as a change of a query, best first, each with its statement. */
const readIn = (
  question: ChangedQuestion,
  { text, askedAt }: Pick<ChainLink, 'text' | 'askedAt'>,
  { input: { findValues, timeZone }, prepared, understand }: ThreadParts,
): readonly ReadChange[] | 'new' => {
  const clock = { now: () => new Date(askedAt), timeZone }
  const { today } = understand(text, clock)
  const context = { index: prepared.index, layer: prepared.layer, today, isYesNo: false }
  const readings = readChange(question, text, {
    reader: prepared,
    context,
    findValues,
    understand: (words, year) => understandEdit(words, year, askedAt, { understand, timeZone }),
  })
  if (readings === 'new') return 'new'
  return compileReadings(readings, prepared, { text, timeZone, today }).flatMap(made => {
    const reading = readings.find(({ query }) => query === made.meaning.query)
    return reading ? [{ reading, made }] : []
  })
}

/** Finds the query of the last answer again: the reading of each message whose statement was its answer. */
const restoreQuery = (chain: readonly ChainLink[], parts: ThreadParts): Restored | null => {
  const [root, ...edits] = chain
  if (root === undefined) return null
  let restored = restoreRoot(root, parts)
  for (const edit of edits) {
    if (restored === null) return null
    if (asksWhy(edit.text)) continue
    const read = readIn(restored.question, edit, parts)
    const found = read === 'new' ? undefined : read.find(({ made }) => isStatementOf(made, edit.sql))
    restored = found ? { question: found.reading, isSame: restored.isSame } : null
  }
  return restored
}

const restoreRoot = ({ text, askedAt, sql }: ChainLink, parts: ThreadParts): Restored | null => {
  const { input, prepared, understand } = parts
  const understanding = understand(text, { now: () => new Date(askedAt), timeZone: input.timeZone })
  const readings = prepared.interpret({ understanding, findValues: input.findValues })
  const compiled = compileReadings(readings, prepared, understanding)
  const { dialect } = input.catalog
  const same =
    compiled.find(made => isStatementOf(made, sql)) ??
    findSameMeaning(
      compiled.flatMap(made => [made, { ...made, sql: made.meaning.sql }]),
      sql,
      dialect,
    )
  const made = same ?? compiled[0]
  const question = made && readings.find(({ query }) => query === made.meaning.query)
  if (!question || (same === null && question.unused.length > 0)) return null
  return { question, isSame: same !== null }
}

const isStatementOf = ({ sql, meaning }: MetricReading, answered: string): boolean =>
  sql === answered || meaning.sql === answered

const toEdit = (
  { question, isSame }: Restored,
  read: readonly ReadChange[],
  { input: { followUp } }: ThreadParts,
): FollowUpInterpretation => {
  const [best] = read
  const top = best?.reading.score ?? 0
  const chanceOf = ({ score, unused }: ChangeReading): number =>
    UNREAD_WORD_FACTOR ** unused.length * Math.exp(RIVAL_DECAY * (score - top))
  const total = read.reduce((sum, { reading }) => sum + chanceOf(reading), 0)
  const sure = followUp.confidence * EDIT_CONFIDENCE * (isSame ? 1 : OTHER_READER_FACTOR)
  const readings = read.map(({ reading, made }) => ({
    ...made,
    confidence: (sure * UNREAD_WORD_FACTOR ** (best?.reading.unused.length ?? 0) * chanceOf(reading)) / total,
    assumptions: [{ kind: 'follow-up', changes: reading.changes } as const, ...made.assumptions],
  }))
  return {
    kind: 'edit',
    ...(isSame && isSureChange(followUp.said, readings) ? { isSure: true } : {}),
    text: composeWholeQuestion(
      followUp.before,
      followUp.said,
      replacementsOf(question.query, best?.reading.query),
    ),
    show: best?.reading.show ?? null,
    readings,
  }
}

/** Words of the question before that stand for a period or a value which another one took the place of. */
const replacementsOf = (before: MetricQuery, after: MetricQuery | undefined) => {
  if (after === undefined) return []
  const period =
    before.period && after.period && before.period.phrase !== after.period.phrase
      ? [{ before: before.period.phrase, now: after.period.phrase }]
      : []
  const replaced: { before: string; now: string }[] = []
  mapFilters(before, filter => {
    if (filter.kind !== 'values' || filter.values.length !== 1) return filter
    const now = after.filters.find(other => other.kind === 'values' && isSamePlace(other.at, filter.at))
    if (now?.kind === 'values' && now.values.length === 1 && now.values[0] !== filter.values[0])
      replaced.push({ before: String(filter.values[0]), now: String(now.values[0]) })
    return filter
  })
  return [...period, ...replaced]
}
