import type { Log } from '../../core/log.ts'
import type { Checkpoints } from '../../store/checkpoints.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'
import type { PurgeCounts } from './purge-by-age.ts'

const HOUR_MS = 60 * 60 * 1000
/** Slack delivers again for minutes, not days; a month is far beyond any twin of a message. */
const MESSAGES_FOR_MS = 30 * 24 * HOUR_MS
/** Long enough for every further attempt of a job that still has to show the end. */
const CHECKPOINTS_FOR_MS = 24 * HOUR_MS
/** Threads forgotten in one go; a busy day's worth takes several. */
const MAX_THREADS = 200

/**
 * Deletes rows of results and traces that have expired, messages heard long ago, the checkpoints of questions that ended
 * a day ago, and what the configuration wants kept no longer, now and every hour. Returns how to stop. A failure is logged and tried again in an hour.
 */
export const startHourlyPurge = (
  repositories: Pick<
    Repositories,
    'savedResults' | 'traces' | 'inboundMessages' | 'comments' | 'questions'
  > & {
    readonly checkpoints: Pick<Checkpoints, 'forget'>
    readonly purgeByAge: () => Promise<PurgeCounts>
  },
  now: () => Date,
  log: Log,
): (() => void) => {
  /** One question after the other, each marked when its thread is gone: cut short, it goes on in an hour. */
  const forgetEnded = async (): Promise<number> => {
    const { questions, checkpoints } = repositories
    let forgotten = 0
    for (;;) {
      const before = new Date(now().getTime() - CHECKPOINTS_FOR_MS)
      const ended = await questions.listToForget(before, MAX_THREADS)
      for (const id of ended) {
        await checkpoints.forget(id)
        await questions.markForgotten(id, now())
      }
      forgotten += ended.length
      if (ended.length < MAX_THREADS) return forgotten
    }
  }

  const purge = async (): Promise<void> => {
    try {
      const results = await repositories.savedResults.purgeExpired(now())
      const traces = await repositories.traces.purgeExpired(now())
      const messages = await repositories.inboundMessages.purgeBefore(
        new Date(now().getTime() - MESSAGES_FOR_MS),
      )
      const remarks = await repositories.comments.purgeBefore(new Date(now().getTime() - MESSAGES_FOR_MS))
      const checkpoints = await forgetEnded()
      const aged = await repositories.purgeByAge()
      log.debug({ results, traces, messages, remarks, checkpoints, ...aged }, 'purged what has expired')
    } catch (error) {
      log.warn({ error }, 'what has expired could not be purged')
    }
  }
  void purge()
  const timer = setInterval(() => void purge(), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
