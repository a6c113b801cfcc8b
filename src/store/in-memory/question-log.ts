import type { Question } from '../../core/question.ts'
import type { QuestionLog } from '../../core/question-log.ts'

/** A question log for runs that nobody looks at later: it knows the questions, and keeps no outcomes. */
export const makeMemoryQuestionLog = (): QuestionLog & {
  insert(question: Question): void
  forget(questionId: string): void
} => {
  const questions = new Map<string, Question>()
  return {
    insert: question => {
      questions.set(question.id, question)
    },
    forget: questionId => {
      questions.delete(questionId)
    },
    begin: async () => 'working',
    keepReport: async () => true,
    endStop: async () => null,
    lastOutcome: async () => null,
    load: async questionId => questions.get(questionId) ?? null,
  }
}
