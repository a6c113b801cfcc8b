import { PgBoss } from 'pg-boss'
import { QuerentError } from '../core/errors.ts'
import type { JobData, QueueName } from '../core/job.ts'
import { type Log, silentLog } from '../core/log.ts'
import type { Tx } from '../core/tx.ts'
import { queueNames, queues } from './queues.ts'
import { makeWorkers, type Work } from './workers.ts'

/** The schema of pg-boss's tables. They are its own: nobody else reads or migrates them. */
const SCHEMA = 'querent_jobs'
const MAX_CONNECTIONS = 6
/** Seconds between two attempts at the most; the delay doubles until then. */
const MOST_RETRY_DELAY = 60

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
  /** How often to look for jobs whose worker died, in seconds. A lost job is found after its heartbeat and this. */
  readonly superviseSeconds?: number
  /** How often a worker looks for jobs that no notification told of, in seconds; at least 0.5. */
  readonly pollSeconds?: number
  /** Overrides the heartbeat of every queue, in seconds; at least 10. */
  readonly heartbeatSeconds?: number
}

/** How a job is sent. */
export interface SendOptions {
  /** The job exists if and only if this transaction commits. Left out, it exists at once. */
  readonly tx?: Tx
  /** Under which of the jobs of a queue are the same; the queue's own choice when left out. */
  readonly key?: string
  readonly startAfterSeconds?: number
}

/** The queues. */
export interface Jobs {
  /**
   * Puts a job on a queue; workers are told at once. Does nothing when one of its key waits or runs already. Throws
   * `internal` when the data is not what the queue carries.
   */
  send<Q extends QueueName>(queue: Q, data: JobData[Q], options?: SendOptions): Promise<void>
  readonly work: Work
  /** Takes no new jobs, waits for those that run, then aborts what is left; aborted jobs are tried again by others. */
  stop(options: { readonly timeoutMs: number }): Promise<void>
}

/** Connects to the queues on our own database and makes what is missing of them. Call `stop` when done. */
export const makeJobs = async (options: JobsOptions): Promise<Jobs> => {
  const {
    url,
    executeIn,
    log = silentLog,
    superviseSeconds = 10,
    pollSeconds = 2,
    heartbeatSeconds,
  } = options
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'querent-jobs',
    schema: SCHEMA,
    max: MAX_CONNECTIONS,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // Nothing recurs yet: no need to look at the clock.
    schedule: false,
  })
  boss.on('error', error => log.error({ error }, 'the job queue reported an error'))
  boss.on('warning', warning => log.warn({ warning }, 'the job queue gave a warning'))
  await boss.start().catch((cause: Error) => {
    throw new QuerentError(
      'store-unavailable',
      `the job queue cannot be used (${cause.message}); check DATABASE_URL and that its server runs`,
      { cause },
    )
  })
  try {
    for (const name of queueNames) await declareQueue(boss, name, heartbeatSeconds)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  const workers = makeWorkers(boss, { log, pollSeconds })
  return {
    send: async (name, data, { tx, key, startAfterSeconds } = {}) => {
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
        ...(tx ? { db: { executeSql: (sql, values) => executeIn(tx, sql, values) } } : {}),
      })
    },
    work: workers.work,
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
    notify: true,
  }
  await boss.createQueue(name, { ...settings, policy: 'exclusive' })
  await boss.updateQueue(name, settings)
}
