import type { AnswerDeps } from '../deps.ts'
import type { State, Update } from '../state.ts'

/** Keeps the answer for anyone who asks the same; whether it may be kept was decided on the way here. */
export const makeStoreAnswer =
  ({ answerMemory }: Pick<AnswerDeps, 'answerMemory'>) =>
  async ({ cacheKey, question }: State): Promise<Update> => {
    if (cacheKey) await answerMemory?.store(cacheKey, question.id)
    return {}
  }
