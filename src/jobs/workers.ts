import type { PgBoss } from 'pg-boss'
import { QuerentError } from '../core/errors.ts'
import type { JobData, QueueName } from '../core/job.ts'
import type { Log } from '../core/log.ts'
import { queues } from './queues.ts'

/** What a handler knows of its job besides the data. `attempt` counts from 1. */
export interface JobRun {
  /** Aborted when the process stops, when the job took too long, and when it was given to somebody else. */
  readonly signal: AbortSignal
  readonly attempt: number
  /** No further attempt will be made: what cannot be done now is to be said now. */
  readonly lastAttempt: boolean
}

/** Does one job. When it rejects, the job is tried again as its queue says. */
export type JobHandler<Q extends QueueName> = (data: JobData[Q], run: JobRun) => Promise<void>

/** Begins to take jobs off a queue, up to `concurrency` at a time. */
export type Work = <Q extends QueueName>(
  queue: Q,
  handler: JobHandler<Q>,
  options: { readonly concurrency: number },
) => Promise<void>

/** Takes jobs off the queues until stopped. */
export interface Workers {
  readonly work: Work
  stop(timeoutMs: number): Promise<void>
}

/** How long an aborted handler may take to let go of what it holds. */
const LET_GO_MS = 5_000

/**
 * Makes the workers of one connection to the queues. Workers are notified of new jobs; those that fall due later
 * (delayed, tried again, or sent while the connection was broken) are found by looking every `pollSeconds`.
 */
export const makeWorkers = (
  boss: PgBoss,
  { log, pollSeconds }: { readonly log: Log; readonly pollSeconds: number },
): Workers => {
  const stopping = new AbortController()
  const running = new Set<string>()
  const worked = new Set<QueueName>()

  const startOne = async <Q extends QueueName>(name: Q, handler: JobHandler<Q>): Promise<void> => {
    let id: string | null = null
    id = await boss.work<JobData[Q]>(
      name,
      { batchSize: 1, pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds },
      async ([job]) => {
        if (!job) return
        // Look for the next job right after this one: without a nudge a worker sleeps out its interval first.
        if (id !== null) boss.notifyWorker(id)
        const attempt = job.retryCount + 1
        running.add(job.id)
        try {
          const signal = AbortSignal.any([job.signal, stopping.signal])
          const lastAttempt = job.retryCount >= queues[name].retryLimit
          await handler(queues[name].data.parse(job.data), { signal, attempt, lastAttempt })
        } catch (error) {
          log.warn({ queue: name, attempt, error }, 'a job failed')
          throw error
        } finally {
          running.delete(job.id)
        }
      },
    )
  }

  return {
    // One worker a slot rather than one with many: only a worker of its own can be nudged by id.
    work: async (name, handler, { concurrency }) => {
      worked.add(name)
      for (let slot = 0; slot < concurrency; slot++) await startOne(name, handler)
    },
    stop: async timeoutMs => {
      const drained = Promise.all([...worked].map(name => boss.offWork(name, { wait: true })))
      if (await settles(drained, timeoutMs)) return
      log.warn(
        { jobs: running.size },
        'jobs still run after the time to stop; they are aborted and tried again',
      )
      stopping.abort(new QuerentError('cancelled', 'the process stops'))
      await settles(drained, LET_GO_MS)
    },
  }
}

/** Whether a promise is done in time. */
const settles = async (promise: Promise<unknown>, ms: number): Promise<boolean> => {
  const timeout = Promise.withResolvers<false>()
  const timer = setTimeout(() => timeout.resolve(false), ms)
  try {
    return await Promise.race([promise.then(() => true as const), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
