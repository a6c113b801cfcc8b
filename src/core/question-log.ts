import type { AnswerReport } from './answer.ts'
import type { Question, QuestionStatus } from './question.ts'

/** What the use cases keep of a question besides its run. */
export interface QuestionLog {
  /** Marks where the question stands. */
  setStatus(questionId: string, status: QuestionStatus): Promise<void>
  /** Keeps the outcome, the candidates and what they cost, and marks the question accordingly. */
  keepReport(report: AnswerReport): Promise<void>
  /** The question as asked; null when there is none of this id. */
  load(questionId: string): Promise<Question | null>
}
