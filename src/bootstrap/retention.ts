import { randomBytes } from 'node:crypto'
import { type ForgetPerson, makeForgetPerson } from '../audit/forget-person.ts'
import type { Config } from '../config/config.ts'
import type { AnswerCache } from '../domain/answer-cache.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { deleteJobsOfPerson } from '../jobs/pg-boss-tables.ts'
import { eraseFromAuditFiles } from '../store/audit-file/erase-person.ts'
import type { Checkpoints } from '../store/checkpoints.ts'
import type { Repositories } from '../store/repositories/repositories.ts'
import type { OwnStore } from './own-store.ts'

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
    'savedResults' | 'traces' | 'inboundMessages' | 'comments' | 'questions'
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
    try {
      const results = await repositories.savedResults.purgeExpired(now())
      const traces = await repositories.traces.purgeExpired(now())
      const messages = await repositories.inboundMessages.purgeBefore(
        new Date(now().getTime() - MESSAGES_FOR_MS),
      )
      const remarks = await repositories.comments.purgeBefore(new Date(now().getTime() - MESSAGES_FOR_MS))
      const checkpoints = await forgetEnded()
      const aged = await repositories.purgeByAge()
      log.debug({ results, traces, messages, remarks, checkpoints, ...aged }, 'purged expired data')
    } catch (error) {
      log.warn({ error }, 'could not purge expired data')
    }
  }
  void purge()
  const timer = setInterval(() => void purge(), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
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
    readonly retention: Config['retention']
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

/**
 * Deletes a person from the store, its queues, the checkpoints, the shared cache, and the audit log files. The store
 * and the files use the same alias.
 */
export const makeForgetPersonEverywhere = (
  { store, checkpoints }: OwnStore,
  cache: Pick<AnswerCache, 'forget'>,
  auditFolder: string,
): ForgetPerson => {
  const { personalData } = store.repositories
  return async (person, options) => {
    const alias = `forgotten-${randomBytes(4).toString('hex')}`
    const forget = makeForgetPerson({
      inTransaction: store.inTransaction,
      listQuestions: personalData.listQuestions,
      forgetRows: personalData.forget,
      forgetJobs: (given, tx) => deleteJobsOfPerson((sql, values) => store.executeIn(tx, sql, values), given),
      forgetBeside: async questionId => {
        await checkpoints.forget(questionId)
        await cache.forget(questionId)
      },
      newAlias: () => alias,
    })
    const rows = await forget(person, options)
    const inFiles = await eraseFromAuditFiles(auditFolder, { person, alias }, options)
    return {
      ...rows,
      statements: rows.statements + inFiles.statements,
      mentions: rows.mentions + inFiles.mentions,
    }
  }
}
