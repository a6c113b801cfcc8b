import { PgBoss } from 'pg-boss'
import type { DeadJob } from '../core/dead-job.ts'
import { makeDeadJobs } from './dead-jobs.ts'
import { JOBS_SCHEMA } from './jobs-schema.ts'

/** The latest jobs that failed for good, and how many there are, read without making or working on anything. */
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
    // No bot has run on this database yet, or only one from before there was such a queue.
    if (error instanceof Error && /is not installed|does not exist/.test(error.message)) {
      return { jobs: [], total: 0 }
    }
    throw error
  } finally {
    await boss.stop({ graceful: false })
  }
}
