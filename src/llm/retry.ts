import { QuerentError } from '../domain/errors.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { CallFailure, type CallFailureKind } from './call-failure.ts'
import type { CallModel } from './call-model.ts'

/** Waits; rejects when the signal fires. */
type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** What retries need. `random` is from 0 to 1. */
export interface RetryDeps {
  readonly sleep: Sleep
  readonly random: () => number
  readonly now: () => number
}

/** Retries after the first request. */
const maxRetries = 3

const firstWaitMs = 500

const maxWaitMs = 8_000

const isWorthRetrying: Record<CallFailureKind, boolean> = {
  'rate-limited': true,
  'server-error': true,
  'timed-out': true,
  unreachable: true,
  'quota-spent': false,
  rejected: false,
  unreadable: false,
  resting: false,
}

/**
 * Retries a request that failed for a temporary reason. Waits as long as the endpoint asked, else twice as long each
 * time with jitter. Gives up at once if the wait would end after the deadline (ms since the epoch).
 */
export const withRetries =
  (callModel: CallModel, deadline: number, deps: RetryDeps): CallModel =>
  async call => {
    for (let retry = 0; ; retry++) {
      try {
        return await callModel(call)
      } catch (error) {
        if (call.signal.aborted || !(error instanceof CallFailure)) throw error
        if (retry >= maxRetries || !isWorthRetrying[error.facts.kind]) throw error
        const wait = error.facts.retryAfterMs ?? backoff(retry, deps.random())
        if (deps.now() + wait >= deadline) throw error
        await deps.sleep(wait, call.signal)
      }
    }
  }

const backoff = (retry: number, random: number): number =>
  Math.min(maxWaitMs, firstWaitMs * 2 ** retry) * (0.5 + random / 2)

/** The models to ask, first choice first, and how long that may take in all. */
interface FallbackOptions {
  readonly models: readonly string[]
  readonly timeoutMs: number
  /** False for a model whose breaker is open. */
  readonly isPassable: (model: string) => boolean
  readonly now: () => number
  readonly log: Log
}

/**
 * Asks one model after the other until one answers. Models with an open breaker are skipped. The time is divided
 * evenly among the remaining models, so that one that hangs leaves time for the next. Throws the last error with all
 * reasons in its message; an error other than `model-failed` ends it at once.
 */
export const askWithFallback = async <T>(
  askOne: (model: string, timeoutMs: number) => Promise<T>,
  { models, timeoutMs, isPassable, now, log }: FallbackOptions,
): Promise<{ readonly value: T; readonly model: string }> => {
  const ends = now() + timeoutMs
  const passable = [...new Set(models)].filter(isPassable)
  // If all breakers are open, the first model's error says so.
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
      if (next !== undefined) log.warn({ model, next, error }, 'falling back to another model')
    }
  }
  const last = failures.at(-1)
  const message = failures.map(failure => failure.message).join(' ')
  throw new QuerentError('model-failed', message, { cause: last?.cause })
}
