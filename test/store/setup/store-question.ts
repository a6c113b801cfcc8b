import type { Question } from '../../../src/domain/question.ts'
import type { Store } from '../../../src/store/store.ts'
import { makeQuestion } from './make-question.ts'

/** Stores a question that nobody has begun to work on, asked at no place. */
export const storeQuestion = async (store: Store): Promise<Question> => {
  const question = makeQuestion()
  await store.repositories.questions.insert(question, null)
  return question
}
