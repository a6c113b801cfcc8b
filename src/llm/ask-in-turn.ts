import { QuerentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'

/** Whom to ask, first choice first, and how long that may take in all. */
export interface FallbackOptions {
  readonly models: readonly string[]
  readonly timeoutMs: number
  /** False for a model that is being left alone. */
  readonly isPassable: (model: string) => boolean
  readonly now: () => number
  readonly log: Log
}

/**
 * Asks one model after the other until one answers. Models that are left alone are passed over; the time is shared out
 * evenly among those still to be asked, so that one that hangs leaves time for the next. Throws what the last one
 * threw, all reasons in its message; anything but `model-failed` ends it at once.
 */
export const askWithFallback = async <T>(
  askOne: (model: string, timeoutMs: number) => Promise<T>,
  { models, timeoutMs, isPassable, now, log }: FallbackOptions,
): Promise<{ readonly value: T; readonly model: string }> => {
  const ends = now() + timeoutMs
  const passable = [...new Set(models)].filter(isPassable)
  // All of them left alone: the first says so.
  const turns = passable.length > 0 ? passable : models.slice(0, 1)
  const failures: QuerentError[] = []
  for (const [turn, model] of turns.entries()) {
    const timeLeft = Math.floor((ends - now()) / (turns.length - turn))
    if (timeLeft <= 0 && failures.length > 0) break
    try {
      return { value: await askOne(model, Math.max(1, timeLeft)), model }
    } catch (error) {
      if (!(error instanceof QuerentError) || error.code !== 'model-failed') throw error
      failures.push(error)
      const next = turns[turn + 1]
      if (next !== undefined)
        log.warn({ model, next, reason: error.message }, 'falling back to another model')
    }
  }
  const last = failures.at(-1)
  const message = failures.map(failure => failure.message).join(' ')
  throw new QuerentError('model-failed', message, { cause: last?.cause })
}
