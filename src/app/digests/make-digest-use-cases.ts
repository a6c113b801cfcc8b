import type { DigestUseCases } from '../../core/digest-use-cases.ts'
import type { DigestDeps } from './digest-deps.ts'
import { makeEditDigest } from './edit-digest.ts'
import { digestRefusal } from './hold-digest.ts'
import { makeManageDigest } from './keep-digest.ts'
import { makeCanReceive } from './may-receive.ts'
import { makeScheduleDigest, nextRuns } from './schedule-digest.ts'

/** Makes everything that people do with digests. */
export const makeDigestUseCases = (given: DigestDeps): DigestUseCases => {
  const deps = { ...given, mayReceive: makeCanReceive(given.access) }
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
