import type { CheckAudience } from '../domain/access/access.ts'
import type { Digest, DigestDelivery, DigestRunKey } from '../domain/digests/digest.ts'
import type { JobData } from '../domain/operations/jobs.ts'

/** Questions that are read at once. */
const PAGE = 200

/** Where somebody joined. */
type Channel = Pick<JobData['recheck-channel'], 'team' | 'channel'>

/**
 * Looks again at what was posted in a channel, because somebody joined it: answers and digests that not everyone there
 * may see now are taken out. Rejects if Slack does not tell who is there, and can be repeated.
 */
export const makeRecheckChannel =
  (deps: {
    readonly listAnswered: (
      channel: Channel,
      page: { readonly after: string | null; readonly most: number },
    ) => Promise<readonly { readonly id: string; readonly database: string }[]>
    readonly audience: CheckAudience
    readonly withholdAnswer: (questionId: string) => Promise<void>
    readonly listDigestPosts: (channel: Channel) => Promise<readonly DigestRunKey[]>
    readonly findDigest: (digestId: string) => Promise<Digest | null>
    /** Whether everyone who is in its channel now may see what a digest shows. */
    readonly isForAll: (digest: Digest) => Promise<boolean>
    readonly digestDelivery: Pick<DigestDelivery, 'withhold'>
  }) =>
  async ({ team, channel }: Channel, { signal }: { readonly signal: AbortSignal }): Promise<void> => {
    const here = { team, channel }
    const certain = { isFresh: true, mustKnow: true } as const
    const known = new Map<string, boolean>()
    const maySee = async (database: string): Promise<boolean> => {
      const before = known.get(database)
      if (before !== undefined) return before
      const { kind } = await deps.audience({ ...here, database }, certain)
      known.set(database, kind === 'everyone')
      return kind === 'everyone'
    }
    for (let after: string | null = null; ; ) {
      const page = await deps.listAnswered(here, { after, most: PAGE })
      for (const { id, database } of page) {
        signal.throwIfAborted()
        if (!(await maySee(database))) await deps.withholdAnswer(id)
      }
      after = page.at(-1)?.id ?? null
      if (page.length < PAGE) break
    }

    const posts = Map.groupBy(await deps.listDigestPosts(here), ({ digestId }) => digestId)
    for (const [digestId, runs] of posts) {
      const digest = await deps.findDigest(digestId)
      if (digest === null) continue
      // It may go elsewhere by now; what was posted here stays here.
      if (await deps.isForAll({ ...digest, target: { kind: 'channel', channel } })) continue
      for (const run of runs) {
        signal.throwIfAborted()
        await deps.digestDelivery.withhold({ ...run, team })
      }
    }
  }
