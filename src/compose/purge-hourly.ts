import type { Log } from '../core/log.ts'
import type { Repositories } from '../store/repositories/make-repositories.ts'

const HOUR_MS = 60 * 60 * 1000
/** Slack delivers again for minutes, not days; a month is far beyond any twin of a message. */
const HEARD_FOR_MS = 30 * 24 * HOUR_MS

/**
 * Deletes rows of results and traces that have expired, and keys of messages heard long ago, now and every hour. Returns how to
 * stop. A failure is logged and tried again in an hour.
 */
export const purgeHourly = (
  repositories: Pick<Repositories, 'savedResults' | 'traces' | 'heardMessages'>,
  now: () => Date,
  log: Log,
): (() => void) => {
  const purge = async (): Promise<void> => {
    try {
      const results = await repositories.savedResults.purgeExpired(now())
      const traces = await repositories.traces.purgeExpired(now())
      const messages = await repositories.heardMessages.purgeBefore(new Date(now().getTime() - HEARD_FOR_MS))
      log.debug({ results, traces, messages }, 'purged what has expired')
    } catch (error) {
      log.warn({ error }, 'what has expired could not be purged')
    }
  }
  void purge()
  const timer = setInterval(() => void purge(), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
