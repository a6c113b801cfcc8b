import type { NotAllowed } from './access.ts'
import type { AnswerReport, Outcome } from './answer.ts'
import type { RequestedDigest } from './digest-use-cases.ts'
import type { Tx } from './operations/transaction.ts'

/**
 * Where a question stands. `queued` and `working` will go on by themselves, `waiting` needs a reply,
 * `stopping` is being cancelled; the rest are ends.
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

/** A question as asked. `key` is unique per place and moment (`team:channel:ts` in Slack, `cli:<id>` in a shell). */
export interface Question {
  readonly id: string
  readonly key: string
  readonly text: string
  readonly database: string
  readonly askedAt: Date
  readonly timeZone: string
  readonly askedBy: string | null
  /** Who pressed for it to be run, where that is not who asked: it is run with the asker's rights, on this account. */
  readonly runBy?: string
  /** The question before it, for one that was asked in no thread; others are found by their place. */
  readonly follows?: string
  /** Its rows are to be read anew: no answer of a while ago will do. */
  readonly fresh?: true
}

/** Whether work was begun; where not, the question stands as it did. */
type BeginResult = { readonly begun: true } | { readonly begun: false; readonly status: QuestionStatus }

/** What the use cases keep of a question besides its run. */
export interface QuestionLog {
  /**
   * Begins work on a question that stands at one of `from`: it is `working` then. With `unlessReplied`, one whose
   * question back has its reply is left to whoever goes on with that.
   */
  begin(
    questionId: string,
    from: readonly QuestionStatus[],
    options?: { readonly unlessReplied: boolean },
  ): Promise<BeginResult>
  /**
   * Keeps the outcome, the candidates and what they cost, and marks the question accordingly. False, with nothing kept,
   * when the question is being stopped, or asks back though it has ended: then somebody else was faster.
   */
  storeReport(report: AnswerReport): Promise<boolean>
  /** Ends a question that is being stopped; null when it is not. The same answer again once it is stopped. */
  endStop(questionId: string): Promise<Stopped | null>
  /** What the last finished run of a question came to; null when none has finished. */
  lastOutcome(questionId: string): Promise<Outcome | null>
  /** The question as asked; null when there is none of this id. */
  load(questionId: string): Promise<Question | null>
}

/** What came of wanting to stop a question. `over`: it had ended, or was being stopped, already. */
export type StopResult = 'stopping' | 'not-allowed' | 'over'

/** Stops a question that is worked on or waits its turn, for whoever asked it or an admin. */
export type StopQuestion = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<StopResult>

/** Whether a question was stopped while somebody works on it. */
interface StopWatch {
  /** Aborted with a `QuerentError` of code `cancelled` as soon as the question is to be stopped. */
  readonly signal: AbortSignal
  close(): void
}

/** Begins to watch a question; the caller closes the watch when its work ends. */
export type WatchStop = (questionId: string) => StopWatch

/** Tells every process that a question is to be stopped, once the transaction commits. */
export type AnnounceStop = (questionId: string, tx: Tx) => Promise<void>

/** Where a question was left by a stop: who stopped it, null where it was asked back and nobody replied in time. */
interface Stopped {
  readonly by: string | null
  /** False when it was at its end before. */
  readonly isFirst: boolean
}

/** A question that a click or a command asked, and that was acknowledged before it is asked in a thread. */
export interface PendingQuestion {
  /** Of one key there is one question. */
  readonly key: string
  readonly person: string
  readonly team: string
  /** Null for direct messages. */
  readonly channel: string | null
  readonly text: string
  /** What is to become of its answer. */
  readonly digest?: RequestedDigest
}

/** Questions that were promised. A process that dies before it keeps its word leaves that to another. */
export interface PendingQuestions {
  /**
   * Stores a promise; only then may the click be acknowledged. False when one of the `claims` is taken, because the same
   * was clicked a moment ago: then there is nothing to do.
   */
  add(promised: PendingQuestion, claims?: readonly string[]): Promise<boolean>
  /** Whether it is neither asked nor refused yet. */
  isOpen(key: string): Promise<boolean>
  /** Notes that it was refused, and the person told: nobody asks it later. */
  close(key: string): Promise<void>
}

/**
 * Answers a question anew, past the cache, in the same message. `over`: somebody was faster, or the question was taken
 * back.
 */
export type RerunQuestion = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<{ readonly status: 'again' } | { readonly status: 'over' } | NotAllowed>

/** Parts the key of a question from what tells its runs apart. */
const SEPARATOR = '~'

/** The key of a question that is run again: whose answer it takes over, and which run this is. */
export const formatRerunKey = (
  before: { readonly key: string; readonly id: string },
  run: string,
): string => {
  const [key = ''] = before.key.split(SEPARATOR)
  return [key, before.id, run].join(SEPARATOR)
}

/** The id of the question whose answer a run took over; null for a question that is no such run. */
export const previousQuestionId = (key: string): string | null => key.split(SEPARATOR)[1] ?? null
