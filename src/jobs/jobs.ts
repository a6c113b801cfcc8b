import { PgBoss } from 'pg-boss'
import { QuerentError } from '../domain/errors.ts'
import type { DeadJobs, JobData, QueueName, Tx } from '../domain/operations/jobs.ts'
import { type Log, type Metrics, noMetrics, silentLog } from '../domain/operations/telemetry.ts'
import { DEAD_QUEUE, declareDeadQueue, makeDeadJobs } from './dead-jobs.ts'
import { teamOfGroup } from './fair-share.ts'
import { JOBS_SCHEMA } from './pg-boss-tables.ts'
import { queueNames, queues } from './queues.ts'
import { makeWorkers, type Work } from './workers.ts'

const MAX_CONNECTIONS = 6

/** The longest delay between two attempts in seconds; the delay doubles until then. */
const MOST_RETRY_DELAY = 60

/** Done jobs are kept for a day to look into: pg-boss counts all of them each time it looks for dead workers. */
const KEPT_WHEN_DONE = 24 * 60 * 60

/** Options of `makeJobs`. */
export interface JobsOptions {
  readonly url: string
  /** Runs a statement with `$1` placeholders in a transaction of the store. */
  readonly executeIn: (
    tx: Tx,
    sql: string,
    values?: readonly unknown[],
  ) => Promise<{ rows: Record<string, unknown>[] }>
  readonly log?: Log
  /** Whether trying again cannot help, whatever the queue allows; the job is then dead at once. */
  readonly isPermanent?: (error: unknown) => boolean
  readonly metrics?: Pick<Metrics, 'job' | 'jobOvertook'>
  /** How often to look for jobs whose worker died, in seconds. A lost job is found after its heartbeat plus this. */
  readonly superviseSeconds?: number
  /** How often a worker polls for jobs it was not notified of, in seconds; at least 0.5. */
  readonly pollSeconds?: number
  /** Overrides the heartbeat of every queue, in seconds; at least 10. */
  readonly heartbeatSeconds?: number
}

/** Options for sending a job. */
interface SendOptions {
  /** The job exists if and only if this transaction commits. If left out, it exists at once. */
  readonly tx?: Tx
  /** The key that makes jobs of a queue the same; the queue's own key if left out. */
  readonly key?: string
  readonly startAfterSeconds?: number
  /**
   * The job's group: a workspace, or a workspace and a person separated by a space. At most `perGroup` jobs of a group
   * run at a time in all processes; `byTeam` uses the workspace.
   */
  readonly group?: string
}

/** The queues. */
export interface Jobs {
  /**
   * Queues a job and notifies workers at once. Does nothing if a job with its key waits or runs. Throws `internal` if
   * the data does not fit the queue.
   */
  send<Q extends QueueName>(queue: Q, data: JobData[Q], options?: SendOptions): Promise<void>
  readonly work: Work
  /** Jobs that failed for good. */
  readonly dead: DeadJobs
  /** Takes no new jobs, waits for running ones, then aborts the rest; other processes try aborted jobs again. */
  stop(options: { readonly timeoutMs: number }): Promise<void>
}

/** Connects to the queues in the store and creates what is missing. Call `stop` when done. */
export const makeJobs = async (options: JobsOptions): Promise<Jobs> => {
  const { url, executeIn, log = silentLog, superviseSeconds = 3, pollSeconds = 1, heartbeatSeconds } = options
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'querent-jobs',
    schema: JOBS_SCHEMA,
    max: MAX_CONNECTIONS,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    // Heartbeats are checked where queues are counted, so both intervals must be set. One process does it for all.
    monitorIntervalSeconds: superviseSeconds,
    // Querent has no recurring jobs, so pg-boss need not check the clock.
    schedule: false,
  })
  const logError = makeThrottledLog(
    (error, times) => log.error({ error, times }, 'the job queue reported an error'),
    Date.now,
  )
  boss.on('error', logError)
  boss.on('warning', warning => log.warn({ warning }, 'the job queue reported a warning'))
  await boss.start().catch((cause: Error) => {
    throw new QuerentError(
      'store-unavailable',
      `the job queue cannot be used (${cause.message}); check DATABASE_URL and that its server is running`,
      { cause },
    )
  })
  try {
    await declareDeadQueue(boss)
    for (const name of queueNames) await declareQueue(boss, name, heartbeatSeconds)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  const workers = makeWorkers(boss, {
    ...{ log, pollSeconds },
    isPermanent: options.isPermanent ?? (() => false),
    metrics: options.metrics ?? noMetrics,
  })
  return {
    send: async (name, data, { tx, key, startAfterSeconds, group } = {}) => {
      const queue = queues[name]
      const checked = queue.data.safeParse(data)
      if (!checked.success) {
        throw new QuerentError('internal', `a job of queue ${name} has data that it does not carry`, {
          cause: checked.error,
        })
      }
      await boss.send(name, checked.data, {
        singletonKey: key ?? queue.keyOf(checked.data),
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
        ...(group === undefined ? {} : { group: { id: group, tier: teamOfGroup(group) } }),
        ...(tx ? { db: { executeSql: (sql, values) => executeIn(tx, sql, values) } } : {}),
      })
    },
    work: workers.work,
    dead: makeDeadJobs(boss),
    stop: async ({ timeoutMs }) => {
      await workers.stop(timeoutMs)
      await boss.stop({ graceful: false })
    },
  }
}

/** Creates a queue, or updates an older one; only its policy stays as created. */
const declareQueue = async (boss: PgBoss, name: QueueName, heartbeat: number | undefined): Promise<void> => {
  const { retryLimit, retryDelay, heartbeatSeconds, expireInSeconds } = queues[name]
  const settings = {
    retryLimit,
    retryDelay,
    retryBackoff: true,
    retryDelayMax: MOST_RETRY_DELAY,
    heartbeatSeconds: heartbeat ?? heartbeatSeconds,
    expireInSeconds,
    deleteAfterSeconds: KEPT_WHEN_DONE,
    notify: true,
    deadLetter: DEAD_QUEUE,
  }
  await boss.createQueue(name, { ...settings, policy: 'exclusive' })
  await boss.updateQueue(name, settings)
}

/**
 * The shortest interval between two log lines about one error: while a server is unavailable, every poll of every
 * worker fails.
 */
const LOG_EVERY_MS = 10_000

/** Logs an error the first time, and then now and then with how often it happened. */
export const makeThrottledLog = (
  write: (error: unknown, times: number) => void,
  now: () => number,
): ((error: unknown) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY
  let times = 0
  return error => {
    times++
    if (now() - saidAt < LOG_EVERY_MS) return
    write(error, times)
    saidAt = now()
    times = 0
  }
}
