import type { JobData } from '../../core/job.ts'

/** Jobs of one look; what is left is found by the next. */
const MAX_JOBS = 200

/** Makes the use case: a job for each accepted query that is due. One that waits or runs already is not sent again. */
export const makeSendDueRechecks =
  (deps: {
    readonly due: (now: Date, most: number) => Promise<readonly string[]>
    readonly send: (data: JobData['recheck-verified']) => Promise<void>
    readonly now: () => Date
  }): (() => Promise<void>) =>
  async () => {
    for (const queryId of await deps.due(deps.now(), MAX_JOBS)) await deps.send({ queryId })
  }
