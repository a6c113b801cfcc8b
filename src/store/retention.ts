import type { Log } from '../domain/operations/telemetry.ts'
import { startPolling } from '../lib/poll.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Repositories } from './repositories/repositories.ts'

const HOUR_MS = 60 * 60 * 1000

/** Slack repeats deliveries for minutes, not days; a month is far beyond any duplicate. */
const MESSAGES_FOR_MS = 30 * 24 * HOUR_MS

/** Long enough for every further attempt of a job that still has to show the end. */
const CHECKPOINTS_FOR_MS = 24 * HOUR_MS

/** Threads deleted at once; a busy day needs several rounds. */
const MAX_THREADS = 200

/**
 * Deletes expired rows of results and traces, old messages, checkpoints of questions that ended a day ago, and what the
 * configured retention no longer keeps, now and every hour. Returns a function that stops it. A failure is logged and
 * tried again in an hour.
 */
export const startHourlyPurge = (
  repositories: Pick<
    Repositories,
    'savedResults' | 'cachedAnswers' | 'traces' | 'inboundMessages' | 'comments' | 'questions'
  > & {
    readonly checkpoints: Pick<Checkpoints, 'forget'>
    readonly purgeByAge: () => Promise<PurgeCounts>
  },
  now: () => Date,
  log: Log,
): (() => void) => {
  /** One question at a time, each marked once its thread is deleted: if interrupted, it continues in an hour. */
  const forgetEnded = async (): Promise<number> => {
    const { questions, checkpoints } = repositories
    let forgotten = 0
    for (;;) {
      const before = new Date(now().getTime() - CHECKPOINTS_FOR_MS)
      const ended = await questions.listToForget(before, MAX_THREADS)
      for (const id of ended) {
        await checkpoints.forget(id)
        await questions.markForgotten(id, now())
      }
      forgotten += ended.length
      if (ended.length < MAX_THREADS) return forgotten
    }
  }

  const purge = async (): Promise<void> => {
    const results = await repositories.savedResults.purgeExpired(now())
    const reusable = await repositories.cachedAnswers.purgeExpired(now())
    const traces = await repositories.traces.purgeExpired(now())
    const messagesBefore = new Date(now().getTime() - MESSAGES_FOR_MS)
    const messages = await repositories.inboundMessages.purgeBefore(messagesBefore)
    const comments = await repositories.comments.purgeBefore(messagesBefore)
    const checkpoints = await forgetEnded()
    const aged = await repositories.purgeByAge()
    log.debug({ results, reusable, traces, messages, comments, checkpoints, ...aged }, 'purged expired data')
  }
  return startPolling(purge, {
    everyMs: HOUR_MS,
    onError: error => log.warn({ error }, 'could not purge expired data'),
  })
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Questions deleted in one statement: each takes dozens of rows of other tables with it. */
const QUESTIONS_AT_ONCE = 100

/** Counts of what was deleted. */
interface PurgeCounts {
  readonly questions: number
  readonly usage: number
  readonly statements: number
  /** Daily files of the audit log. */
  readonly auditFiles: number
  readonly digestRuns: number
}

/**
 * Deletes what has exceeded the configured retention, in batches, so that nobody waits long for locks; if interrupted,
 * it continues at the next call.
 */
export const makePurgeByAge = (
  repositories: Pick<Repositories, 'retention' | 'auditLog' | 'digestRuns'>,
  deps: {
    /** Days that each is kept; null to keep it forever. */
    readonly retention: Readonly<
      Record<'questionDays' | 'usageDays' | 'auditDays' | 'digestRunDays', number | null>
    >
    readonly forgetThread: Checkpoints['forget']
    /** Deletes audit log files of days before a moment; returns how many. */
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
      // The thread's checkpoints are deleted first: without its question they could not be found again.
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
