import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../domain/operations/telemetry.ts'

/** How often a server is looked at. */
const POLL_MS = 1_000

/** Pauses between starts grow from the first to the second while they fail, as on a full disk. */
const pauses = { first: 1_000, longest: 60_000 }

/** After so long a start counts as good. */
const STEADY_MS = 60_000

/** What is kept running. */
interface KeptServer {
  readonly isUp: () => Promise<boolean>
  /** Rejects if it cannot be started now. */
  readonly startAgain: () => Promise<void>
  readonly log: Log
}

/** Starts a server again whenever it is gone: a crash, a kill, a disk that was full. Ends once `stop` resolves. */
export const keepRunning = ({ isUp, startAgain, log }: KeptServer): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false, signal: stopping.signal })
  const watch = async (): Promise<void> => {
    let failures = 0
    let startedAt = 0
    for (;;) {
      await pause(POLL_MS)
      if (await isUp()) {
        if (Date.now() - startedAt > STEADY_MS) failures = 0
        continue
      }
      if (failures > 0) await pause(Math.min(pauses.longest, pauses.first * 2 ** failures))
      failures += 1
      startedAt = Date.now()
      log.warn({}, 'the built-in Postgres is gone and is started again')
      try {
        await startAgain()
        log.info({}, 'the built-in Postgres runs again')
      } catch (error) {
        log.error({ error }, 'the built-in Postgres does not start; the next try comes within a minute')
      }
    }
  }
  const ended = watch().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ error }, 'the built-in Postgres is no longer watched')
  })
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
