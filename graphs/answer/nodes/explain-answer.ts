import type { Outcome } from '../../../src/domain/answer.ts'
import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import type { AnswerMeaning } from '../../../src/domain/metrics/metric-reading.ts'
import { type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { Understanding } from '../../../src/domain/question-context.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import { diceSimilarityTo } from '../../../src/lib/dice-similarity.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import type { NodeRun, OpenDatabase, StoringDeps, TalkingDeps, UnderstandingDeps } from '../deps.ts'
import { isNothing } from '../headline/compose-headline.ts'
import { describeResult, nearestMoment } from '../headline/describe-result.ts'
import { formatBreakdown } from '../headline.ts'
import { chosenOption } from '../options.ts'
import type { State, Update } from '../state.ts'
import { withLiveValues } from '../understanding/live-values.ts'
import { makeRunProbe } from './compare-groups.ts'

interface ExplainDeps {
  readonly database: OpenDatabase
  readonly understanding: Pick<UnderstandingDeps, 'readFollowUp'>
  readonly talking: Pick<TalkingDeps, 'describeAnswer' | 'phraseHeadline'>
  readonly storing: Pick<StoringDeps, 'runStore' | 'loadResult' | 'saveResult'>
}

/**
 * Completes the answer: its headline, written from the saved result and phrased by a model only in figures that follow
 * from it, how the rows are wanted, and how the question was read.
 */
export const makeExplainAnswer =
  (deps: ExplainDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { outcome } = state
    if (outcome?.status !== 'answered') return {}
    run.writer?.({ step: 'explain', detail: 'Writing the answer' })
    const { understanding } = await deps.storing.runStore.loadContext(state.question.id)
    const { show, rewritten, text, assumedOption } = understanding
    const candidates = await deps.storing.runStore.loadCandidates(state.question.id)
    const meaning = candidates.find(({ id }) => id === outcome.candidateId)?.meaning
    const widened = await showMore(outcome, meaning, state, deps, run)
    const {
      headline,
      usage = noModelUsage,
      ...shown
    } = await putInWords({ ...outcome, ...widened }, meaning, understanding, {
      state,
      deps,
      run,
    })
    const readAs = rewritten ? [assumptionText({ kind: 'rewritten', question: text })] : []
    const assumptions = [
      ...readAs,
      ...outcome.assumptions,
      ...respelled(meaning, text, outcome.assumptions),
      ...choiceAssumption(state),
      ...(assumedOption === undefined
        ? []
        : [assumptionText({ kind: 'option', label: assumedOption, chosenBy: 'unclear-reply' })]),
    ]
    return {
      outcome: {
        ...outcome,
        ...widened,
        ...shown,
        headline,
        assumptions,
        ...(show ? { show } : {}),
      },
      ...(usage.modelCalls > 0 || usage.lost ? { usage } : {}),
    }
  }

/** The headline of a result, and the result saved with what its columns mean. */
const putInWords = async (
  { sql, resultId }: Pick<Answered, 'sql' | 'resultId'>,
  meaning: AnswerMeaning | undefined,
  understanding: Understanding,
  { state, deps, run }: { readonly state: State; readonly deps: ExplainDeps; readonly run: NodeRun },
): Promise<Pick<Answered, 'headline' | 'resultId'> & { readonly usage?: ModelUsage }> => {
  const table = await deps.storing.loadResult(resultId)
  if (table === null) return { headline: '', resultId }
  const breakdown = await breakdownHeadline(sql, table, understanding, state, deps, run)
  if (breakdown !== null) return { headline: breakdown, resultId }
  const database = await deps.database(state.question.database, run)
  const described = describeResult(table, understanding.today, () =>
    deps.talking.describeAnswer?.({ sql, ...(meaning ? { meaning } : {}), understanding, database }),
  )
  const { subject } = described
  const nearest =
    subject?.extent && isNothing(subject, table)
      ? nearestMoment(subject, await makeRunProbe(database, run)(subject.extent))
      : null
  const composed = nearest === null ? described.headline : `${described.headline} ${nearest}`
  // A headline has values of the result.
  const phrase = database.hidesValues ? undefined : deps.talking.phraseHeadline
  const phrased = await phrase?.({
    question: understanding.text,
    composed,
    table: described.table,
    subject,
    today: understanding.today,
    questionId: state.question.id,
    ...(run.signal ? { signal: run.signal } : {}),
  })
  return {
    ...(phrased ?? { headline: composed }),
    resultId:
      described.table === table
        ? resultId
        : await deps.storing.saveResult(state.question.id, described.table),
  }
}

type Answered = Extract<Outcome, { status: 'answered' }>

/**
 * The statement to show, which has what a person needs beside what was asked: the figure that ranks. It is guarded and
 * run as any other, and shown only if it keeps every column and row that was asked for.
 */
const showMore = async (
  { sql, resultId }: Answered,
  meaning: AnswerMeaning | undefined,
  { question }: State,
  deps: ExplainDeps,
  run: NodeRun,
): Promise<Pick<Answered, 'sql' | 'resultId' | 'drafted'>> => {
  if (meaning === undefined || meaning.sql === sql) return { sql, resultId }
  const database = await deps.database(question.database, run)
  const [drafted, shown] = await Promise.all([
    deps.storing.loadResult(resultId),
    makeRunProbe(database, run)(meaning.sql),
  ])
  if (drafted === null || shown === null || shown.truncated !== null || !keepsRows(shown, drafted))
    return { sql, resultId }
  const shownId = await deps.storing.saveResult(question.id, shown)
  return { sql: meaning.sql, resultId: shownId, drafted: { sql, resultId } }
}

/** Whether a result has the same rows in the same order on the columns that it was widened from, which keep their names. */
const keepsRows = (shown: ResultTable, drafted: ResultTable): boolean => {
  const at = drafted.columns.map(({ name }) => shown.columns.findIndex(column => column.name === name))
  return (
    !at.includes(-1) &&
    shown.rows.length === drafted.rows.length &&
    drafted.rows.every((row, index) =>
      row.every((cell, column) => cell === shown.rows[index]?.[at[column] ?? -1]),
    )
  )
}

/** Words of the question that stand for a value with another spelling, as far as nothing says so yet. */
const respelled = (
  meaning: AnswerMeaning | undefined,
  question: string,
  assumptions: readonly string[],
): readonly string[] => {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? []
  const asked = foldText(question)
  return (meaning?.query.filters ?? [])
    .flatMap(filter => (filter.kind === 'values' ? filter.values : []))
    .flatMap(value => {
      if (typeof value !== 'string' || asked.includes(foldText(value).trim())) return []
      if (assumptions.some(one => one.includes(value))) return []
      const alike = words.find(word => word.length > 3 && isRespelled(foldText(word), foldText(value)))
      return alike === undefined ? [] : [assumptionText({ kind: 'spelling', from: alike, to: value })]
    })
}

/** Spellings share about half of their pairs of letters. */
const LEAST_ALIKE = 0.5

/** Words that begin alike are forms of one word: German, Germany. */
const SAME_BEGINNING = 5

const isRespelled = (word: string, value: string): boolean =>
  word.slice(0, SAME_BEGINNING) !== value.slice(0, SAME_BEGINNING) &&
  diceSimilarityTo(letterPairs(word))(letterPairs(value)) >= LEAST_ALIKE

const letterPairs = (word: string): readonly string[] =>
  [...word].slice(1).map((letter, at) => `${word[at]}${letter}`)

const choiceAssumption = (state: State): readonly string[] => {
  const chosen = chosenOption(state)
  if (chosen === null) return []
  return [assumptionText({ kind: 'option', label: chosen.label, chosenBy: chosenBy(state.reply) })]
}

const chosenBy = (reply: State['reply']): 'person' | 'no-reply' | 'unclear-reply' => {
  if (reply?.kind === 'option' && reply.expired) return 'no-reply'
  return reply?.kind === 'option' && reply.unnamed ? 'unclear-reply' : 'person'
}

/**
 * The headline of a breakdown says what was compared: its plan is made again, which is the same each time. Null for any
 * other answer.
 */
const breakdownHeadline = async (
  sql: string,
  table: ResultTable,
  { text, followUp, timeZone }: Understanding,
  { isWhy, question }: State,
  { understanding: { readFollowUp }, database }: ExplainDeps,
  run: NodeRun,
): Promise<string | null> => {
  if (!isWhy || !readFollowUp || !followUp) return null
  const opened = await database(question.database, run)
  const { catalog, findValues } = await withLiveValues(opened, { text, followUp }, run)
  const read = readFollowUp({ followUp, catalog, findValues, timeZone })
  return read.kind === 'breakdown' ? formatBreakdown(read.plan, sql, table) : null
}
