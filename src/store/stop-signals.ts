import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { QuerentError } from '../domain/errors.ts'
import type { NotificationBus } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { AnnounceStop, WatchStop } from '../domain/question.ts'
import type { Repositories } from './repositories/repositories.ts'
import type { ExecuteIn } from './transactions.ts'

/** The channel of LISTEN and NOTIFY; its payload is the id of a question. */
const CHANNEL = 'querent_stop'

/** How soon a stop is seen that no notification told of, and how soon a broken connection is made again. */
const LOOK_EVERY_MS = 5_000

/** When it is looked whether the transaction of a stop has committed, so that the notice of it may go out. */
const COMMITTED_AFTER_MS = [20, 60, 200, 700]

/** Stops that reach whoever works on the question, in whichever process. */
interface StopSignals {
  readonly watch: WatchStop
  readonly announce: AnnounceStop
  close(): Promise<void>
}

/**
 * Makes them over our own Postgres. A notification tells at once; while something is watched, the questions are looked
 * at every few seconds too, so that a stop is seen although the connection that listens was broken. Where there is a
 * board for notices besides, as with Redis, that tells too: a pooler in front of Postgres may let nobody listen.
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

  /** Which of some questions are to be stopped; none where that cannot be seen now. */
  const stopping = (ids: readonly string[]): Promise<readonly string[]> =>
    deps.questions.listStopping(ids).catch((error: unknown) => {
      deps.log.warn({ error }, 'could not look for questions to stop')
      return []
    })

  /** A notice is no part of the transaction, which may still be rolled back: it goes out once the stop is to be seen. */
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
