import type { Outcome } from '../../core/answer.ts'
import type { Question } from '../../core/question.ts'
import type { QuestionLog } from '../../core/question-log.ts'

/** A question log for runs that nobody looks at later: it knows the questions and what they came to. */
export const makeMemoryQuestionLog = (): QuestionLog & {
  insert(question: Question): void
  forget(questionId: string): void
  outcomeOf(questionId: string): Outcome | null
} => {
  const questions = new Map<string, Question>()
  const outcomes = new Map<string, Outcome>()
  return {
    insert: question => {
      questions.set(question.id, question)
    },
    forget: questionId => {
      questions.delete(questionId)
      outcomes.delete(questionId)
    },
    outcomeOf: questionId => outcomes.get(questionId) ?? null,
    begin: async () => ({ begun: true }),
    storeReport: async ({ questionId, outcome }) => {
      outcomes.set(questionId, outcome)
      return true
    },
    endStop: async () => null,
    lastOutcome: async () => null,
    load: async questionId => questions.get(questionId) ?? null,
  }
}
