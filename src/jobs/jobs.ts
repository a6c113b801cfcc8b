import { PgBoss } from 'pg-boss'
import { QuerentError } from '../domain/errors.ts'
import type { DeadJobs, JobData, QueueName } from '../domain/operations/jobs.ts'
import { type Log, type Metrics, noMetrics, silentLog } from '../domain/operations/telemetry.ts'
import type { Tx } from '../domain/operations/transaction.ts'
import { DEAD_QUEUE, declareDeadQueue, makeDeadJobs } from './dead-jobs.ts'
import { teamOfGroup } from './fair-share.ts'
import { JOBS_SCHEMA } from './pg-boss-tables.ts'
import { queueNames, queues } from './queues.ts'
import { makeWorkers, type Work } from './workers.ts'

const MAX_CONNECTIONS = 6

/** Seconds between two attempts at the most; the delay doubles until then. */
const MOST_RETRY_DELAY = 60

/** Done jobs are kept for a look into the last day: pg-boss counts what is kept each time it looks for dead workers. */
const KEPT_WHEN_DONE = 24 * 60 * 60

/** What `makeJobs` is told. */
export interface JobsOptions {
  readonly url: string
  /** Runs a statement with `$1` placeholders in a transaction of the store. */
  readonly executeIn: (
    tx: Tx,
    sql: string,
    values?: readonly unknown[],
  ) => Promise<{ rows: Record<string, unknown>[] }>
  readonly log?: Log
  /** Whether trying again cannot help, whatever the queue allows; then a job is dead at once. */
  readonly isPermanent?: (error: unknown) => boolean
  readonly metrics?: Pick<Metrics, 'job' | 'jobOvertook'>
  /** How often to look for jobs whose worker died, in seconds. A lost job is found after its heartbeat and this. */
  readonly superviseSeconds?: number
  /** How often a worker looks for jobs that no notification told of, in seconds; at least 0.5. */
  readonly pollSeconds?: number
  /** Overrides the heartbeat of every queue, in seconds; at least 10. */
  readonly heartbeatSeconds?: number
}

/** How a job is sent. */
interface SendOptions {
  /** The job exists if and only if this transaction commits. Left out, it exists at once. */
  readonly tx?: Tx
  /** Under which of the jobs of a queue are the same; the queue's own choice when left out. */
  readonly key?: string
  readonly startAfterSeconds?: number
  /**
   * Whose job it is: a workspace, or a workspace and a person with a space between. Of one group, at most `perGroup` of
   * `work` run at a time in all processes; `byTeam` goes by the workspace.
   */
  readonly group?: string
}

/** The queues. */
export interface Jobs {
  /**
   * Puts a job on a queue; workers are told at once. Does nothing when one of its key waits or runs already. Throws
   * `internal` when the data is not what the queue carries.
   */
  send<Q extends QueueName>(queue: Q, data: JobData[Q], options?: SendOptions): Promise<void>
  readonly work: Work
  /** What failed for good. */
  readonly dead: DeadJobs
  /** Takes no new jobs, waits for those that run, then aborts what is left; aborted jobs are tried again by others. */
  stop(options: { readonly timeoutMs: number }): Promise<void>
}

/** Connects to the queues on our own database and makes what is missing of them. Call `stop` when done. */
export const makeJobs = async (options: JobsOptions): Promise<Jobs> => {
  const { url, executeIn, log = silentLog, superviseSeconds = 3, pollSeconds = 1, heartbeatSeconds } = options
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'querent-jobs',
    schema: JOBS_SCHEMA,
    max: MAX_CONNECTIONS,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    // Heartbeats are looked at where queues are counted, so one interval is not enough. Of all processes one does it.
    monitorIntervalSeconds: superviseSeconds,
    // Nothing recurs yet: no need to look at the clock.
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

/** Makes a queue, or brings an older one in line; only its policy stays what it was made with. */
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

/** What is said at most so often, however often it happens: a server that is away breaks every look of every worker. */
const LOG_EVERY_MS = 10_000

/** Makes a way to say that something went wrong: the first time, and then now and then with how often it was. */
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
