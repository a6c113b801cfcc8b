import { type JobWithMetadata, PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { DeadJob, DeadJobs } from '../domain/operations/jobs.ts'
import { JOBS_SCHEMA } from './pg-boss-tables.ts'

/** The queue of jobs that failed for good. It has no workers: admins decide about its jobs. */
export const DEAD_QUEUE = 'dead'

/** How many seconds a job stays there. */
const RETENTION_SECONDS = 30 * 24 * 60 * 60

const MAX_REASON = 300

/** The error as pg-boss stores it: its own fields, and those Querent's errors add. */
const Output = z.looseObject({ message: z.string().optional(), code: z.string().optional() })

/** Creates the queue of dead jobs, or updates an older one. */
export const declareDeadQueue = async (boss: PgBoss): Promise<void> => {
  await boss.createQueue(DEAD_QUEUE, { retentionSeconds: RETENTION_SECONDS, retryLimit: 0 })
  await boss.updateQueue(DEAD_QUEUE, { retentionSeconds: RETENTION_SECONDS })
}

/** Lists the queue of dead jobs, and retries or deletes one. */
export const makeDeadJobs = (boss: PgBoss): DeadJobs => ({
  list: async most => {
    const found = await boss.findJobs(DEAD_QUEUE)
    const jobs = found
      .map(toDeadJob)
      .toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime())
      .slice(0, most)
    return { jobs, total: found.length }
  },
  retry: async id => (await boss.redrive(DEAD_QUEUE, { ids: [id] })) === 1,
  drop: async id => {
    const [found] = await boss.findJobs(DEAD_QUEUE, { id })
    if (!found) return false
    await boss.deleteJob(DEAD_QUEUE, id)
    return true
  },
})

const toDeadJob = (job: JobWithMetadata<unknown>): DeadJob => {
  // A job that could not be requeued, because another with its key waits, has the reason as its own output.
  const output = Output.safeParse(job.sourceOutput ?? job.output)
  return {
    id: job.id,
    queue: job.sourceName ?? DEAD_QUEUE,
    failedAt: job.createdOn,
    attempts: (job.sourceRetryCount ?? 0) + 1,
    code: (output.success && output.data.code) || null,
    reason: ((output.success && output.data.message) || 'The reason is not known.').slice(0, MAX_REASON),
  }
}

/** The latest jobs that failed for good and the total, read without creating or changing anything. */
export const readDeadJobs = async (
  url: string,
  most: number,
): Promise<{ readonly jobs: readonly DeadJob[]; readonly total: number }> => {
  const boss = new PgBoss({
    ...{ connectionString: url, application_name: 'querent-doctor', schema: JOBS_SCHEMA, max: 1 },
    ...{ migrate: false, createSchema: false, supervise: false, schedule: false },
  })
  boss.on('error', () => {})
  try {
    await boss.start()
    return await makeDeadJobs(boss).list(most)
  } catch (error) {
    // No bot has run on this database yet, or only a version without this queue.
    if (error instanceof Error && /is not installed|does not exist/.test(error.message)) {
      return { jobs: [], total: 0 }
    }
    throw error
  } finally {
    await boss.stop({ graceful: false })
  }
}
