import type { NotAllowed } from './access/access.ts'
import type { AnswerReport, Outcome } from './answer.ts'
import type { RequestedDigest } from './digests/use-cases.ts'
import type { Tx } from './operations/jobs.ts'

/**
 * Status of a question. `queued` and `working` continue on their own, `waiting` needs a reply, `stopping` is being
 * canceled; the rest are final.
 */
export type QuestionStatus =
  | 'queued'
  | 'working'
  | 'waiting'
  | 'stopping'
  | 'answered'
  | 'refused'
  | 'failed'
  | 'stopped'

/** A question as asked. `key` is unique per location and time (`team:channel:ts` in Slack, `cli:<id>` in a shell). */
export interface Question {
  readonly id: string
  readonly key: string
  readonly text: string
  readonly database: string
  readonly askedAt: Date
  readonly timeZone: string
  readonly askedBy: string | null
  /** Who had it run, if that is not the asker: it runs with the asker's permissions, on this person's account. */
  readonly runBy?: string
  /** The previous question, if it was not asked in a thread; in threads it is found by location. */
  readonly follows?: string
  /** What was given with it beside its words, such as what a term in it means. It is data for models, never an instruction. */
  readonly evidence?: string
  /** Rows must be read again; no earlier answer is reused. */
  readonly fresh?: true
}

/** Whether work was started; if not, the question's unchanged status. */
type BeginResult = { readonly begun: true } | { readonly begun: false; readonly status: QuestionStatus }

/** What the use cases store about a question besides its run. */
export interface QuestionLog {
  /**
   * Starts work on a question with a status in `from`; it is then `working`. With `unlessReplied`, a question whose
   * clarification has a reply is left to the job that resumes it.
   */
  begin(
    questionId: string,
    from: readonly QuestionStatus[],
    options?: { readonly unlessReplied: boolean },
  ): Promise<BeginResult>
  /**
   * Stores the outcome, candidates and cost, and sets the status. False, with nothing stored, if the question is being
   * stopped or asks for clarification although it has ended: something else was faster.
   */
  storeReport(report: AnswerReport): Promise<boolean>
  /** Ends a question that is being stopped; null if it is not. Returns the same again once it is stopped. */
  endStop(questionId: string): Promise<Stopped | null>
  /** Outcome of the last finished run; null if none has finished. */
  lastOutcome(questionId: string): Promise<Outcome | null>
  /** The question as asked; null if the id is unknown. */
  load(questionId: string): Promise<Question | null>
}

/** The result of a stop request. `over`: it had ended or was already being stopped. */
export type StopResult = 'stopping' | 'not-allowed' | 'over'

/** Stops a question that is queued, working or waiting, for its asker or an admin. */
export type StopQuestion = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<StopResult>

/** Watches whether a question is stopped during work. */
interface StopWatch {
  /** Aborts with a `QuerentError` of code `cancelled` as soon as the question must stop. */
  readonly signal: AbortSignal
  close(): void
}

/** Starts watching a question; the caller closes the watch when its work ends. */
export type WatchStop = (questionId: string) => StopWatch

/** Tells every process to stop a question once the transaction commits. */
export type AnnounceStop = (questionId: string, tx: Tx) => Promise<void>

/** A stopped question: who stopped it, or null if nobody replied to its clarification in time. */
interface Stopped {
  readonly by: string | null
  /** False if it had ended before. */
  readonly isFirst: boolean
}

/** A question from a click or command that was acknowledged before it was asked in a thread. */
export interface PendingQuestion {
  /** Each key has one question. */
  readonly key: string
  readonly person: string
  readonly team: string
  /** Null for direct messages. */
  readonly channel: string | null
  readonly text: string
  /** The digest to create from its answer. */
  readonly digest?: RequestedDigest
}

/** Acknowledged questions that must still be asked. If a process dies before asking one, another process does. */
export interface PendingQuestions {
  /**
   * Stores a pending question; acknowledge the click only after that. False if one of the `claims` is taken because the
   * same was clicked a moment ago: then there is nothing to do.
   */
  add(question: PendingQuestion, claims?: readonly string[]): Promise<boolean>
  /** Whether it is neither asked nor refused yet. */
  isOpen(key: string): Promise<boolean>
  /** Records that it was refused and the person was told, so nothing asks it later. */
  close(key: string): Promise<void>
}

/**
 * Answers a question again without the cache, in the same message. `over`: another rerun was faster, or the question
 * was withdrawn.
 */
export type RerunQuestion = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<{ readonly status: 'again' } | { readonly status: 'over' } | NotAllowed>

/** Separates a question's key from the id of its rerun. */
const SEPARATOR = '~'

/** The key of a rerun: the question whose answer it replaces, and the id of this run. */
export const formatRerunKey = (
  before: { readonly key: string; readonly id: string },
  run: string,
): string => {
  const [key = ''] = before.key.split(SEPARATOR)
  return [key, before.id, run].join(SEPARATOR)
}

/** The id of the question whose answer a rerun replaced; null if the question is not a rerun. */
export const previousQuestionId = (key: string): string | null => key.split(SEPARATOR)[1] ?? null
