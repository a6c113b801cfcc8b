import { QuerentError } from '../core/errors.ts'
import type { RunStore } from '../core/workbench.ts'
import type { Repositories } from './repositories/make-repositories.ts'

/** Makes the workbench that outlives the process, so that another worker can go on where one died. */
export const makeStoredRunStore = ({
  questionContexts: briefs,
  candidates,
}: Pick<Repositories, 'questionContexts' | 'candidates'>): RunStore => ({
  saveContext: (questionId, brief) => briefs.upsert(questionId, brief),
  loadContext: async questionId => {
    const brief = await briefs.find(questionId)
    if (!brief) throw new QuerentError('internal', `no brief was saved for question ${questionId}`)
    return brief
  },
  saveCandidates: (questionId, saved) => candidates.upsert(questionId, saved),
  loadCandidates: questionId => candidates.list(questionId),
})
