import type { Outcome, RefusalReason, TableOverview } from '../../../src/domain/answer.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { ChangeProblem } from '../../../src/domain/interpretation.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { NewestRowsLimit, RequestKind } from '../../../src/domain/question-context.ts'
import { isGreeting, isThanks } from '../../../src/lib/small-talk.ts'
import type { NodeRun, OpenDatabase, StoringDeps, TalkingDeps, UnderstandingDeps } from '../deps.ts'
import { mayRequestNewestRows, parseNewestRowsRequest } from '../expensive/newest-rows.ts'
import { questionText, type State, type Update } from '../state.ts'
import {
  interpretMessage,
  interpretReply,
  type MessageInterpretation,
  type ThreadDeps,
} from '../understanding/follow-up.ts'
import { findPendingQuestion } from '../understanding/pending-question.ts'

/** Far above any question; reading takes time by the word, and other questions wait meanwhile. */
const LONGEST_QUESTION = 1_000

const tooLong: Outcome = {
  status: 'refused',
  why: { code: 'too-long', mostCharacters: LONGEST_QUESTION },
}

interface UnderstandDeps {
  readonly database: OpenDatabase
  readonly understanding: Pick<
    UnderstandingDeps,
    'understand' | 'loadTranscript' | 'readFollowUp' | 'askForRewrite'
  >
  readonly talking: Pick<TalkingDeps, 'exampleQuestions'>
  readonly storing: Pick<StoringDeps, 'runStore'>
}

/**
 * Reads what kind of request this is, in its thread if it has one, and stores the first question context. Requests that need
 * no data end here, and so do changes of an earlier question that cannot be made.
 */
export const makeUnderstandQuestion =
  (deps: UnderstandDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'understand', detail: 'Reading the question' })
    const question = { ...state.question, text: questionText(state.question) }
    if (question.text.length > LONGEST_QUESTION) return { kind: 'data', outcome: tooLong }
    const { plain, newestRows } = await splitNewestRows(question, deps, run)
    const asked = deps.understanding.understand(plain, {
      now: () => new Date(question.askedAt),
      timeZone: question.timeZone,
    })
    const keep = (understanding: typeof asked): Promise<void> =>
      deps.storing.runStore.saveContext(question.id, {
        understanding: {
          ...understanding,
          newestRows,
          ...(question.evidence === undefined ? {} : { evidence: question.evidence }),
        },
        matches: [],
        linked: { tables: [] },
      })
    const { kind } = asked
    if (kind !== 'data') {
      await keep(asked)
      const database = await deps.database(question.database, run)
      const examples = deps.talking.exampleQuestions?.(database.catalog) ?? []
      // "Right" after an answer is no greeting.
      if (kind === 'small-talk' && !isGreeting(asked.text) && (await isInThread(question.id, deps)))
        return { kind, outcome: answerRemark(asked.text) }
      return { kind, outcome: introduceDatabase({ kind, text: asked.text }, database, examples) }
    }
    const threadDeps = { ...deps.understanding, database: deps.database }
    const reply = await readTypedReply(state, threadDeps, deps.storing, run)
    const read = reply.read ?? (await interpretMessage(question, asked, reply.deps, run))
    const usage = reply.read ? read.usage : addModelUsage(reply.usage, read.usage)
    switch (read.kind) {
      case 'question':
        await keep(read.understanding)
        return { kind: 'data', isWhy: read.isWhy ?? false, usage }
      case 'small-talk':
        await keep({ ...asked, kind: 'small-talk' })
        return { kind: 'small-talk', outcome: answerRemark(question.text), usage }
      case 'unreadable':
        await keep(asked)
        return { kind: 'data', outcome: refuseChange(read), usage }
      default: {
        const never: never = read
        return never
      }
    }
  }

const isInThread = async (
  questionId: string,
  { understanding }: Pick<UnderstandDeps, 'understanding'>,
): Promise<boolean> => ((await understanding.loadTranscript?.(questionId))?.turns.length ?? 0) > 0

/** A typed reply as a change or a question of its own; else the deps to read the question with the words added. */
const readTypedReply = async (
  state: State,
  deps: ThreadDeps,
  { runStore }: UnderstandDeps['storing'],
  run: NodeRun,
): Promise<{
  readonly read: MessageInterpretation | null
  readonly usage: ModelUsage
  readonly deps: ThreadDeps
}> => {
  const pending = await findPendingQuestion(state, runStore)
  if (pending === null) return { read: null, usage: noModelUsage, deps }
  const { text, ...question } = state.question
  const said = { ...question, text: state.reply?.kind === 'text' ? state.reply.text : text }
  const asked = deps.understand(said.text, {
    now: () => new Date(question.askedAt),
    timeZone: question.timeZone,
  })
  const { read, usage } = await interpretReply(said, asked, pending, deps, run)
  const { askForRewrite: _, ...withoutModel } = deps
  // The model has said already that the words change nothing by themselves.
  return { read, usage, deps: usage.modelCalls > 0 ? withoutModel : deps }
}

/** The newest rows that a question is limited to, and the question without the words that say so. */
const splitNewestRows = async (
  { text, database }: State['question'],
  deps: Pick<UnderstandDeps, 'database'>,
  run: NodeRun,
): Promise<{ readonly plain: string; readonly newestRows: NewestRowsLimit | null }> => {
  const nothing = { plain: text, newestRows: null }
  // Most questions say no such thing, and opening a database may take a while.
  if (!mayRequestNewestRows(text)) return nothing
  return parseNewestRowsRequest(text, (await deps.database(database, run)).catalog) ?? nothing
}

const answerRemark = (text: string): Outcome => ({
  status: 'refused',
  why: { code: isThanks(text) ? 'thanks' : 'no-request' },
})

const refuseChange = ({
  problem,
  examples,
}: {
  readonly problem: ChangeProblem
  readonly examples: readonly string[]
}): Outcome => ({
  status: 'refused',
  why: { code: 'impossible-change', problem, hasExamples: examples.length > 0 },
  ...(examples.length > 0 ? { nearest: examples } : {}),
})

const TABLES_NAMED = 12

const EXAMPLES = 3

/**
 * The short helpful reply to what is not a question about data, with questions that can be asked. Nothing of the
 * database is read for it.
 */
const introduceDatabase = (
  { kind, text }: { readonly kind: Exclude<RequestKind, 'data'>; readonly text: string },
  { name: database, catalog }: Database,
  examples: readonly string[],
): Outcome => {
  const why = introduction(kind, text, { database, tables: overviewOf(catalog) })
  const nearest = why.code === 'thanks' ? [] : examples.slice(0, EXAMPLES)
  return { status: 'refused', why, ...(nearest.length > 0 ? { nearest } : {}) }
}

const introduction = (
  kind: Exclude<RequestKind, 'data'>,
  text: string,
  { database, tables }: { readonly database: string; readonly tables: TableOverview },
): RefusalReason => {
  switch (kind) {
    case 'empty':
      return { code: 'no-question', database, tables }
    case 'small-talk':
      return isThanks(text) ? { code: 'thanks' } : { code: 'greeting', database }
    case 'meta':
      return isAboutUs(text) ? { code: 'about-bot', database } : { code: 'about-database', database, tables }
    default: {
      const never: never = kind
      return never
    }
  }
}

const overviewOf = ({ tables }: Database['catalog']): TableOverview => ({
  named: tables.slice(0, TABLES_NAMED).map(({ name }) => name),
  count: tables.length,
})

/** About the bot rather than about its tables. */
const isAboutUs = (text: string): boolean =>
  /\b(?:who (?:are|made|built) you|what are you|are you (?:a |an )?\w+|what (?:can|could|do) (?:you|i)|how (?:do|can|does|should) (?:i|you|this|it|querent)|help|commands|usage)\b/i.test(
    text,
  ) && !/\b(?:tables?|data|datasets?|schemas?|databases?|information)\b/i.test(text)
