import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerReport, AnswerRunOptions } from '../domain/answer.ts'
import type { Clarification, ClarificationReply } from '../domain/clarification.ts'
import { withoutRights } from '../domain/database.ts'
import type { RunContext } from '../domain/operations/audit.ts'
import type {
  AdmitCaller,
  AskAsCaller,
  Caller,
  CallerAnswer,
  CallerRunOptions,
  ReplyAsCaller,
} from '../domain/operations/caller.ts'
import type { Question, QuestionStatus } from '../domain/question.ts'
import type { LoadResult } from '../domain/result.ts'
import type { CheckRateLimit } from './rate-limits.ts'
import type { AnswerQuestion, ResumeQuestion } from './run-question.ts'

/** What questions of programs need. */
interface CallerQuestionDeps {
  readonly admit: AdmitCaller
  readonly limit: CheckRateLimit
  readonly keepQuestion: (question: Question) => Promise<void>
  readonly findQuestion: (id: string) => Promise<(Question & { readonly status: QuestionStatus }) | null>
  /** Stores the single reply. False if there is one. */
  readonly insertReply: (
    questionId: string,
    reply: ClarificationReply,
    repliedBy: string | null,
  ) => Promise<boolean>
  readonly findClarification: (questionId: string) => Promise<Clarification | null>
  readonly findReply: (questionId: string) => Promise<ClarificationReply | null>
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly loadResult: LoadResult
  /** Marks a question that is not over as stopped. */
  readonly stop: (questionId: string, by: string | null) => Promise<void>
  /** Does the work on a question while this account pays. */
  readonly withAccount: <T>(questionId: string, account: RunContext, work: () => Promise<T>) => Promise<T>
  readonly now: () => Date
  readonly timeZone: string
}

/**
 * Questions that a program asks and waits for. They are kept in the store like every other: a question back can be
 * answered later, also by another process. Rights are checked again at every reply.
 */
export const makeCallerQuestions = (
  deps: CallerQuestionDeps,
): { readonly ask: AskAsCaller; readonly reply: ReplyAsCaller } => {
  /** The questions that this process works on. */
  const running = new Map<string, Promise<CallerAnswer>>()

  const work = async (
    caller: Caller,
    { id, database }: Pick<Question, 'id' | 'database'>,
    { signal }: AnswerRunOptions,
    answer: () => Promise<AnswerReport>,
  ): Promise<CallerAnswer> => {
    try {
      const { outcome } = await deps.withAccount(id, accountOf(caller, id), answer)
      const table = outcome.status === 'answered' ? await deps.loadResult(outcome.resultId) : null
      return { status: 'done', questionId: id, database: withoutRights(database), outcome, table }
    } catch (error) {
      if (signal?.aborted) await deps.stop(id, caller.person)
      throw error
    } finally {
      running.delete(id)
    }
  }

  /** Works on a question, or joins the work that goes on, for as long as the caller waits. */
  const run = async (
    caller: Caller,
    question: Pick<Question, 'id' | 'database'>,
    { patienceMs, ...options }: CallerRunOptions,
    answer: (options: AnswerRunOptions) => Promise<AnswerReport>,
  ): Promise<CallerAnswer> => {
    const { id, database } = question
    const { signal: _, ...withoutSignal } = options
    const ours = patienceMs === undefined ? options : withoutSignal
    const working = running.get(id) ?? work(caller, question, ours, () => answer(ours))
    running.set(id, working)
    if (patienceMs === undefined) return working
    const over = new AbortController()
    const waiting = sleep(patienceMs, undefined, { signal: over.signal }).then(
      (): CallerAnswer => ({ status: 'working', questionId: id, database: withoutRights(database) }),
    )
    // Whichever comes second has nobody who waits for it.
    working.catch(() => {})
    waiting.catch(() => {})
    return Promise.race([working, waiting]).finally(() => over.abort())
  }

  const findOwn = async (caller: Caller, id: string) => {
    const question = isId(id) ? await deps.findQuestion(id) : null
    const isOwn = question?.askedBy === caller.person && question.key === keyOf(caller, id)
    return isOwn ? question : null
  }

  const ask: AskAsCaller = async (caller, { text, database, follows }, options = {}) => {
    const before = follows === undefined ? null : await findOwn(caller, follows)
    if (follows !== undefined && before === null) return { status: 'unknown' }
    const admission = await deps.admit(caller, database ?? before?.database ?? null)
    if (admission.status === 'not-allowed') return admission
    const limited = await limitOf(deps, caller)
    if (limited) return limited
    const id = randomUUID()
    const question: Question = {
      ...{ id, text, database: admission.database, timeZone: deps.timeZone },
      key: keyOf(caller, id),
      askedAt: deps.now(),
      askedBy: caller.person,
      ...(before && before.database === admission.database && { follows: before.id }),
    }
    await deps.keepQuestion(question)
    return run(caller, question, options, ours => deps.answer(question, ours))
  }

  const reply: ReplyAsCaller = async (caller, { questionId, reply: given }, options = {}) => {
    const question = await findOwn(caller, questionId)
    if (question === null) return { status: 'unknown' }
    const admission = await deps.admit(caller, question.database)
    if (admission.status === 'not-allowed') return admission
    const { status, ...asked } = question
    switch (status) {
      case 'stopping':
      case 'stopped':
        return { status: 'stopped' }
      case 'waiting': {
        if (given === null) return run(caller, asked, options, ours => deps.answer(asked, ours))
        if (given.kind === 'option') {
          const options = (await deps.findClarification(questionId))?.options.length ?? 0
          const { number } = given
          if (number < 1 || number > options) return { status: 'no-option', number, options }
        }
        await deps.insertReply(questionId, given, caller.person)
        return run(caller, asked, options, ours => deps.resume(questionId, given, ours))
      }
      case 'queued':
      case 'working':
      case 'answered':
      case 'refused':
      case 'failed': {
        // The process that worked on it may have died, before or after there was a reply.
        const before = await deps.findReply(questionId)
        return run(caller, asked, options, ours =>
          before === null ? deps.answer(asked, ours) : deps.resume(questionId, before, ours),
        )
      }
      default: {
        const never: never = status
        return never
      }
    }
  }
  return { ask, reply }
}

const limitOf = async ({ limit }: Pick<CallerQuestionDeps, 'limit'>, { person, team }: Caller) =>
  person === null ? null : limit({ person, team: team ?? '' })

/** The account that pays for what a caller reads. */
export const accountOf = ({ person, team }: Caller, questionId: string | null): RunContext => ({
  ...{ origin: 'mcp', person, team, questionId },
  ...{ channel: null, digestId: null },
})

/** Questions of programs are told apart from those of other surfaces, and of the same id in another workspace. */
const keyOf = ({ team }: Pick<Caller, 'team'>, id: string): string => `mcp:${team ?? ''}:${id}`

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
