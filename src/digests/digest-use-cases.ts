import type { DigestUseCases } from '../domain/digests/use-cases.ts'
import type { FindQuotaRefusal } from '../domain/operations/usage.ts'
import { type DigestDeps, makeCanReceive } from './digest-deps.ts'
import { makeEditDigest } from './edit-digest.ts'
import { makeManageDigest } from './manage-digest.ts'
import { makeScheduleDigest, nextRuns } from './schedule-digest.ts'
import { digestRefusal } from './update-digest.ts'

/** Builds all digest use cases. */
export const makeDigestUseCases = (given: DigestDeps): DigestUseCases => {
  const deps = { ...given, canReceive: makeCanReceive(given.access) }
  return {
    schedule: makeScheduleDigest(deps),
    ...makeEditDigest(deps),
    ...makeManageDigest(deps),

    find: async ({ digestId, person }) => {
      const digest = await deps.digests.find(digestId)
      return digest && (digestRefusal(digest, person, deps.isAdmin) ?? digest)
    },

    findStatements: async ({ digestId, scheduledFor, person }) => {
      const digest = await deps.digests.find(digestId)
      if (!digest || digestRefusal(digest, person, deps.isAdmin)) return null
      return deps.findStatements({ digestId, scheduledFor })
    },

    list: async ({ person, team, all, offset, limit }) => {
      const wanted = { team, owner: all && deps.isAdmin(person) ? null : person }
      const [digests, total] = await Promise.all([
        deps.digests.list({ ...wanted, offset, limit }),
        deps.digests.count(wanted),
      ])
      return { digests, total }
    },

    readWords: deps.readWords,

    preview: (text, timeZone) => {
      const read = deps.parseSchedule(text, timeZone)
      if (read.status === 'unclear') return read
      const { schedule } = read
      return { status: 'read', words: schedule.words, next: nextRuns(deps.nextDue, schedule, deps.now()) }
    },
  }
}

/**
 * Requires read quota for `Run now`, which counts for the person who clicks. A person who cannot see the digest is told
 * that instead, and nothing about quotas.
 */
export const requireQuotaToRunNow =
  (
    { find, runNow }: Pick<DigestUseCases, 'find' | 'runNow'>,
    findQuotaRefusal: FindQuotaRefusal,
  ): DigestUseCases['runNow'] =>
  async given => {
    const { digestId, person } = given
    const digest = await find({ digestId, person })
    if (digest === null || 'status' in digest) return runNow(given)
    const { team, target } = digest
    const channel = target.kind === 'channel' ? target.channel : null
    return (await findQuotaRefusal({ origin: 'digest', person, team, channel })) ?? runNow(given)
  }
