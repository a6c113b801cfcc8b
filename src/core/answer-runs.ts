import type { AnswerReport } from './answer.ts'
import type { OnAnswerEvent } from './answer-event.ts'
import type { ClarificationReply } from './clarification.ts'
import type { Question } from './question.ts'
import type { Trace } from './trace.ts'

/** Options of one run: the signal stops model calls and queries for real; events tell how far it has come. */
export interface AnswerRunOptions {
  readonly signal?: AbortSignal
  readonly onEvent?: OnAnswerEvent
}

/** The answer graph as its callers know it. Both calls reject only when the work itself failed or was stopped. */
export interface AnswerRuns {
  /** Begins a question, or goes on with it where a crash left it: the checkpoint decides. */
  start(question: Question, options?: AnswerRunOptions): Promise<AnswerReport>
  /** Goes on with a question that was asked back. */
  resume(questionId: string, reply: ClarificationReply, options?: AnswerRunOptions): Promise<AnswerReport>
  /** How far a run has come, also one that broke; null when there is none. */
  trace(questionId: string): Promise<Trace | null>
}
