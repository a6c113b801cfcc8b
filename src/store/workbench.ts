import { QuerentError } from '../core/errors.ts'
import type { Workbench } from '../core/workbench.ts'
import type { Repositories } from './repositories/make-repositories.ts'

/** Makes the workbench that outlives the process, so that another worker can go on where one died. */
export const makeStoredWorkbench = ({
  briefs,
  candidates,
}: Pick<Repositories, 'briefs' | 'candidates'>): Workbench => ({
  saveBrief: (questionId, brief) => briefs.upsert(questionId, brief),
  loadBrief: async questionId => {
    const brief = await briefs.find(questionId)
    if (!brief) throw new QuerentError('internal', `no brief was saved for question ${questionId}`)
    return brief
  },
  saveCandidates: (questionId, saved) => candidates.upsert(questionId, saved),
  loadCandidates: questionId => candidates.list(questionId),
})
