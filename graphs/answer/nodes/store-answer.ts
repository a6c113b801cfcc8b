import type { StoringDeps } from '../deps.ts'
import type { State, Update } from '../state.ts'

/** Keeps the answer for anyone who asks the same; whether it may be kept was decided on the way here. */
export const makeStoreAnswer =
  ({ storing }: { readonly storing: Pick<StoringDeps, 'answerReuse'> }) =>
  async ({ cacheKey, question }: State): Promise<Update> => {
    if (cacheKey) await storing.answerReuse?.store(cacheKey, question.id)
    return {}
  }
