import type { JobData } from '../../core/job.ts'
import type { AskOwner, StoredVerifiedQuery } from '../../core/verified-recheck.ts'

/** Makes the use case: asks the owner, unless the query was settled, or ran well again, in the meantime. */
export const makeAskVerifiedOwner =
  (deps: {
    readonly find: (id: string) => Promise<StoredVerifiedQuery | null>
    readonly askOwner: AskOwner
  }): ((data: JobData['ask-verified-owner']) => Promise<void>) =>
  async ({ queryId, since }) => {
    const query = await deps.find(queryId)
    const at = new Date(since)
    const isAbout = (moment: Date | undefined): boolean => moment?.getTime() === at.getTime()
    if (query === null || !(isAbout(query.staleness?.since) || isAbout(query.lastRun?.heavySince))) return
    await deps.askOwner(query, at)
  }
