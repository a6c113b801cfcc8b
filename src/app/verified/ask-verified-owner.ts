import type { JobData } from '../../core/job.ts'
import type { AskOwner, KeptVerifiedQuery } from '../../core/verified-recheck.ts'

/** Makes the use case: asks the owner, unless the query was settled in the meantime. */
export const makeAskVerifiedOwner =
  (deps: {
    readonly find: (id: string) => Promise<KeptVerifiedQuery | null>
    readonly askOwner: AskOwner
  }): ((data: JobData['ask-verified-owner']) => Promise<void>) =>
  async ({ queryId, since }) => {
    const query = await deps.find(queryId)
    const at = new Date(since)
    if (query === null || query.staleness?.since.getTime() !== at.getTime()) return
    await deps.askOwner(query, at)
  }
