import { CallFailure, type CallFailureKind } from './call-failure.ts'
import type { CallModel } from './call-model.ts'

/** Waits; rejects when the signal fires. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** How often and how patiently a request is repeated. `random` is from 0 to 1. */
export interface RetryDeps {
  readonly sleep: Sleep
  readonly random: () => number
  readonly now: () => number
}

/** One request and at most this many repetitions. */
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
 * Repeats a request that failed for a passing reason. Waits as long as the endpoint asked, else twice as long each
 * time with jitter; gives up at once when the wait would end after the deadline (ms since the epoch).
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
