import type { Config } from '../../config/config.ts'
import type { Checkpoints } from '../../store/checkpoints.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Questions deleted in one statement: each takes dozens of rows of other tables with it. */
const QUESTIONS_AT_ONCE = 100

/** How much was deleted, by what it is. */
export interface PurgeCounts {
  readonly questions: number
  readonly usage: number
  readonly statements: number
  /** Days of the audit log that lies in files. */
  readonly auditFiles: number
  readonly digestRuns: number
}

/**
 * Makes the deletion of what has been kept for as long as the configuration says. Every statement deletes a batch, so
 * that nobody waits long for its locks; cut short, it goes on at the next call.
 */
export const makePurgeByAge = (
  repositories: Pick<Repositories, 'retention' | 'auditLog' | 'digestRuns'>,
  deps: {
    readonly retention: Config['retention']
    readonly forgetThread: Checkpoints['forget']
    /** Deletes the files of the audit log with days before a moment; how many those were. */
    readonly purgeAuditFiles: (before: Date) => Promise<number>
    readonly now: () => Date
  },
): (() => Promise<PurgeCounts>) => {
  const { retention, auditLog, digestRuns } = repositories
  const { questionDays, usageDays, auditDays, digestRunDays } = deps.retention
  const before = (days: number): Date => new Date(deps.now().getTime() - days * DAY_MS)

  const purgeQuestions = async (days: number): Promise<number> => {
    let purged = 0
    for (;;) {
      const ids = await retention.listQuestions(before(days), QUESTIONS_AT_ONCE)
      // What of a thread is left goes first: without its question nobody would find it again.
      for (const id of ids) await deps.forgetThread(id)
      if (ids.length > 0) purged += await retention.deleteQuestions(ids)
      if (ids.length < QUESTIONS_AT_ONCE) return purged
    }
  }
  const purgeDigests = async (days: number): Promise<number> => {
    await retention.deleteDigestMessages(before(days))
    return digestRuns.purge(before(days))
  }

  return async () => ({
    questions: questionDays === null ? 0 : await purgeQuestions(questionDays),
    usage: usageDays === null ? 0 : await retention.deleteUsage(before(usageDays).toISOString().slice(0, 10)),
    statements: auditDays === null ? 0 : await auditLog.purgeBefore(before(auditDays)),
    auditFiles: auditDays === null ? 0 : await deps.purgeAuditFiles(before(auditDays)),
    digestRuns: digestRunDays === null ? 0 : await purgeDigests(digestRunDays),
  })
}
