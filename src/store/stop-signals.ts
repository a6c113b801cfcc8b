import { Client } from 'pg'
import { QuerentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { AnnounceStop, WatchStop } from '../core/stop.ts'
import type { Repositories } from './repositories/make-repositories.ts'
import type { ExecuteIn } from './transactions.ts'

/** The channel of LISTEN and NOTIFY; its payload is the id of a question. */
const CHANNEL = 'querent_stop'
/** How soon a stop is seen that no notification told of, and how soon a broken connection is made again. */
const LOOK_EVERY_MS = 5_000

/** Stops that reach whoever works on the question, in whichever process. */
export interface StopSignals {
  readonly watch: WatchStop
  readonly announce: AnnounceStop
  close(): Promise<void>
}

/**
 * Makes them over our own Postgres. A notification tells at once; while something is watched, the questions are looked
 * at every few seconds too, so that a stop is seen although the connection that listens was broken.
 */
export const makeStopSignals = (deps: {
  readonly url: string
  readonly questions: Pick<Repositories['questions'], 'listStopping'>
  readonly executeIn: ExecuteIn
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

  const listen = async (): Promise<void> => {
    if (listening || closed) return
    const client = new Client({ connectionString: deps.url, application_name: 'querent-stop' })
    listening = client
    const lost = (error: unknown): void => {
      if (listening !== client) return
      listening = null
      if (!closed) deps.log.warn({ error }, 'the connection that listens for stops broke')
      void client.end().catch(() => {})
    }
    client.on('error', lost)
    client.on('end', () => lost(null))
    client.on('notification', ({ payload }) => stop(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      lost(error)
    }
  }

  const look = async (): Promise<void> => {
    if (watched.size === 0) return
    try {
      await listen()
      for (const id of await deps.questions.listStopping([...watched.keys()])) stop(id)
    } catch (error) {
      deps.log.warn({ error }, 'it could not be looked for questions to stop')
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
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
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      await listening?.end().catch(() => {})
    },
  }
}
