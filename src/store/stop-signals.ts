import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { QuerentError } from '../domain/errors.ts'
import type { NotificationBus } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { AnnounceStop, WatchStop } from '../domain/question.ts'
import type { Repositories } from './repositories/repositories.ts'
import type { ExecuteIn } from './transactions.ts'

/** The LISTEN/NOTIFY channel; its payload is a question id. */
const CHANNEL = 'querent_stop'

/** How soon a stop without a notification is noticed, and a broken connection reopened. */
const LOOK_EVERY_MS = 5_000

/** When to check whether the stop's transaction has committed, so that its notice can be sent. */
const COMMITTED_AFTER_MS = [20, 60, 200, 700]

/** Delivers stops to the worker of a question, in any process. */
interface StopSignals {
  readonly watch: WatchStop
  readonly announce: AnnounceStop
  close(): Promise<void>
}

/**
 * Uses the store's Postgres. A notification arrives at once; while questions are watched, their status is also polled
 * every few seconds, in case the listening connection was broken. If there is a separate notification bus, such as
 * Redis, it is used too: a connection pooler in front of Postgres may not support LISTEN.
 */
export const makeStopSignals = (deps: {
  readonly url: string
  readonly questions: Pick<Repositories['questions'], 'listStopping'>
  readonly executeIn: ExecuteIn
  readonly notices?: Pick<NotificationBus, 'publish' | 'subscribe'>
  readonly log: Log
}): StopSignals => {
  const watched = new Map<string, Set<AbortController>>()
  let listening: Client | null = null
  let closed = false

  const stop = (questionId: string): void => {
    for (const controller of watched.get(questionId) ?? []) {
      controller.abort(new QuerentError('cancelled', 'the question was stopped'))
    }
  }

  /** Which of some questions must stop; none if that is unavailable now. */
  const stopping = (ids: readonly string[]): Promise<readonly string[]> =>
    deps.questions.listStopping(ids).catch((error: unknown) => {
      deps.log.warn({ error }, 'could not look for questions to stop')
      return []
    })

  /** A notice is not part of the transaction, which may still roll back: it is sent once the stop is visible. */
  const notifyOnceCommitted = async (questionId: string): Promise<void> => {
    for (const ms of COMMITTED_AFTER_MS) {
      await setTimeout(ms, undefined, { ref: false })
      if (closed) return
      if ((await stopping([questionId])).length > 0) return deps.notices?.publish('stop', { questionId })
    }
  }
  const unsubscribe = deps.notices?.subscribe('stop', ({ questionId }) => {
    if (watched.has(questionId)) void stopping([questionId]).then(ids => ids.forEach(stop))
  })

  const listen = async (): Promise<void> => {
    if (listening || closed) return
    const client = new Client({ connectionString: deps.url, application_name: 'querent-stop' })
    listening = client
    const onLost = (error: unknown): void => {
      if (listening !== client) return
      listening = null
      if (!closed) deps.log.warn({ error }, 'lost the connection that listens for stop signals')
      void client.end().catch(() => {})
    }
    client.on('error', onLost)
    client.on('end', () => onLost(null))
    client.on('notification', ({ payload }) => stop(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      onLost(error)
    }
  }

  const checkStopped = async (): Promise<void> => {
    if (watched.size === 0) return
    await listen()
    for (const id of await stopping([...watched.keys()])) stop(id)
  }
  const timer = setInterval(() => void checkStopped(), LOOK_EVERY_MS)
  timer.unref()

  return {
    watch: questionId => {
      const controller = new AbortController()
      const controllers = watched.get(questionId) ?? new Set()
      watched.set(questionId, controllers.add(controller))
      void listen()
      return {
        signal: controller.signal,
        close: () => {
          controllers.delete(controller)
          if (controllers.size === 0 && watched.get(questionId) === controllers) watched.delete(questionId)
        },
      }
    },
    announce: async (questionId, tx) => {
      await deps.executeIn(tx, 'select pg_notify($1, $2)', [CHANNEL, questionId])
      if (deps.notices) void notifyOnceCommitted(questionId)
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      unsubscribe?.()
      await listening?.end().catch(() => {})
    },
  }
}
