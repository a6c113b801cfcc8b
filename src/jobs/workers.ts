import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import type { JobData, QueueName } from '../domain/operations/jobs.ts'
import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import { redactError } from '../lib/redact.ts'
import { type FairShare, makeFairShare } from './fair-share.ts'
import type { ExecuteSql } from './pg-boss-tables.ts'
import { type JobPriority, queues } from './queues.ts'

/** What a handler knows about its job besides the data. `attempt` counts from 1. */
interface JobRun {
  /** Aborted when the process stops, the job takes too long, or the job was given to another worker. */
  readonly signal: AbortSignal
  readonly attempt: number
  /** This is the last attempt: report failures now. */
  readonly lastAttempt: boolean
}

/** Does one job. If it rejects, the job is tried again according to its queue. */
export type JobHandler<Q extends QueueName> = (data: JobData[Q], run: JobRun) => Promise<void>

/** Starts taking jobs from a queue, up to `concurrency` at a time. */
export type Work = <Q extends QueueName>(
  queue: Q,
  handler: JobHandler<Q>,
  options: {
    readonly concurrency: number
    /** At most this many jobs of one group run at a time, over all processes. */
    readonly perGroup?: number
    /** While jobs of several workspaces wait, a free worker serves the one with the fewest running jobs. */
    readonly byTeam?: true
  },
) => Promise<void>

/** Takes jobs from the queues until stopped. */
interface Workers {
  readonly work: Work
  stop(timeoutMs: number): Promise<void>
}

/** How long an aborted handler may take to clean up. */
const ABORT_GRACE_MS = 5_000

/**
 * Runs the workers of one connection to the queues. Workers are notified of new jobs; those that become due later
 * (delayed, retried, or sent during a connection loss) are found by polling every `pollSeconds`.
 */
export const makeWorkers = (
  boss: PgBoss,
  deps: {
    readonly log: Log
    readonly pollSeconds: number
    /** Whether trying again cannot help. */
    readonly isPermanent: (error: unknown) => boolean
    readonly metrics: Pick<Metrics, 'job' | 'jobOvertook'>
  },
): Workers => {
  const { log, pollSeconds, isPermanent, metrics } = deps
  const stopping = new AbortController()
  const running = new Set<string>()
  const worked = new Set<QueueName>()
  const turns = makePriorityGate()
  const execute: ExecuteSql = (sql, values) => boss.getDb().executeSql(sql, [...(values ?? [])])
  let drains = false

  const startOne = async <Q extends QueueName>(
    name: Q,
    handler: JobHandler<Q>,
    perGroup: number | undefined,
    teams: FairShare | null,
  ): Promise<void> => {
    let id: string | null = null
    const options = {
      batchSize: 1,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
      perJobResults: true,
      ...(perGroup !== undefined && { groupConcurrency: perGroup }),
    } as const
    id = await boss.work<JobData[Q], unknown, typeof options>(name, options, async ([job]) => {
      if (!job) return []
      // Look for the next job right after this one: otherwise a worker sleeps until its next poll.
      if (id !== null) boss.notifyWorker(id)
      teams?.began(job.groupTier ?? null)
      const attempt = job.retryCount + 1
      const began = performance.now()
      const count = (outcome: 'done' | 'failed' | 'dead'): void =>
        metrics.job({ queue: name, outcome, milliseconds: performance.now() - began })
      running.add(job.id)
      const lastAttempt = job.retryCount >= queues[name].retryLimit
      try {
        const signal = AbortSignal.any([job.signal, stopping.signal])
        const data = queues[name].data.parse(job.data)
        const giveBack = await turns.take(name, signal)
        await handler(data, { signal, attempt, lastAttempt }).finally(giveBack)
        count('done')
        return [{ id: job.id, status: 'completed' }]
      } catch (error) {
        const isDead = isPermanent(error)
        count(isDead || lastAttempt ? 'dead' : 'failed')
        log.warn(
          { queue: name, attempt, ...subjectIdsOf(job.data), error, ...(isDead && { dead: true }) },
          'a job failed',
        )
        // The queue stores errors with all that hangs on them.
        const stored = redactError(error)
        if (!isDead) throw stored
        return [{ id: job.id, status: 'deadletter', output: stored }]
      } finally {
        running.delete(job.id)
        // The job ends, and the worker looks for the next one, only after this.
        if (!drains) await teams?.callNext(job.id)
      }
    })
  }

  return {
    // One worker per slot: a worker with many slots cannot be woken by id.
    work: async (name, handler, { concurrency, perGroup, byTeam }) => {
      worked.add(name)
      turns.declare(name, queues[name].rank, concurrency)
      const teams = byTeam ? makeFairShare(execute, { queue: name, perGroup, metrics, log }) : null
      for (let slot = 0; slot < concurrency; slot++) {
        await teams?.callNext(null)
        await startOne(name, handler, perGroup, teams)
      }
    },
    stop: async timeoutMs => {
      drains = true
      const drained = Promise.all([...worked].map(name => boss.offWork(name, { wait: true })))
      if (await settlesWithin(drained, timeoutMs)) return
      log.warn(
        { jobs: running.size },
        'jobs are still running after the shutdown timeout; aborting them, they will be retried',
      )
      stopping.abort(new QuerentError('cancelled', 'the process is stopping'))
      await settlesWithin(drained, ABORT_GRACE_MS)
    },
  }
}

/** Whether a promise settles in time. */
const settlesWithin = async (promise: Promise<unknown>, ms: number): Promise<boolean> => {
  const timeout = Promise.withResolvers<false>()
  const timer = setTimeout(() => timeout.resolve(false), ms)
  try {
    return await Promise.race([promise.then(() => true as const), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

const priorities: Record<JobPriority, number> = { people: 2, schedule: 1, maintenance: 0 }

/** The longest time a job yields; otherwise, work that is always late would never be done. */
const MAX_WAIT_MS = 60_000

/** Lets jobs that people wait for go first in one process, whose queues share one processor. */
interface PriorityGate {
  /** Declares how many jobs of a queue this process works on at a time. */
  declare(queue: string, rank: JobPriority, slots: number): void
  /**
   * Waits while a queue of higher rank has all its slots busy, then takes a slot; the result releases it. Rejects when
   * the signal fires.
   */
  take(queue: string, signal: AbortSignal): Promise<() => void>
}

export const makePriorityGate = (patienceMs: number = MAX_WAIT_MS): PriorityGate => {
  const queues = new Map<string, { readonly rank: JobPriority; slots: number; running: number }>()
  let changed = Promise.withResolvers<void>()

  const mustWait = (rank: JobPriority): boolean =>
    [...queues.values()].some(
      other => priorities[other.rank] > priorities[rank] && other.slots > 0 && other.running >= other.slots,
    )

  return {
    declare: (queue, rank, slots) => {
      const known = queues.get(queue)
      if (known) known.slots += slots
      else queues.set(queue, { rank, slots, running: 0 })
    },
    take: async (queue, signal) => {
      const own = queues.get(queue)
      if (!own) throw new Error(`the queue ${queue} was not declared`)
      const waited = new AbortController()
      try {
        const patience = sleep(patienceMs, 'over' as const, {
          signal: AbortSignal.any([signal, waited.signal]),
          ref: false,
        })
        patience.catch(() => {})
        while (mustWait(own.rank)) {
          if ((await Promise.race([changed.promise, patience])) === 'over') break
        }
      } finally {
        waited.abort()
      }
      signal.throwIfAborted()
      own.running++
      return () => {
        own.running--
        changed.resolve()
        changed = Promise.withResolvers()
      }
    },
  }
}

const Ids = z.object({
  questionId: z.string().exactOptional(),
  digestId: z.string().exactOptional(),
  queryId: z.string().exactOptional(),
})

/** Ids in a job's data, so that an operator finds every log line of a question. */
export const subjectIdsOf = (data: unknown): z.infer<typeof Ids> => Ids.safeParse(data).data ?? {}
