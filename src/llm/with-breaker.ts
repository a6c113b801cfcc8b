import type { Breaker } from './breaker.ts'
import { CallFailure, type CallFailureKind } from './call-failure.ts'
import type { CallModel } from './call-model.ts'

/** Failures that the next request to the same model is likely to meet again, whatever it asks. */
const isOutage: Record<CallFailureKind, boolean> = {
  'rate-limited': true,
  'quota-spent': true,
  'server-error': true,
  'timed-out': true,
  unreachable: true,
  unreadable: true,
  rejected: false,
  resting: false,
}

/** A wrong key or an unknown model is wrong for every request; other rejections are about the request. */
const modelRejectionStatuses = new Set([401, 403, 404])

const isModelFailure = ({ facts }: CallFailure): boolean =>
  isOutage[facts.kind] || modelRejectionStatuses.has(facts.status ?? 0)

/**
 * Sends requests past the breaker of their model, which learns how they end. One that is not let through fails as
 * `resting`. `isStopped` says that a person stopped the question: that is nobody's failure.
 */
export const withBreaker =
  (callModel: CallModel, breaker: Breaker, isStopped: () => boolean): CallModel =>
  async call => {
    const pass = breaker.enter()
    if (pass === null) throw breakerOpenFailure()
    try {
      const reply = await callModel(call)
      pass.succeeded()
      return reply
    } catch (error) {
      if (error instanceof CallFailure && !isStopped() && isModelFailure(error)) {
        pass.failed(error.facts.retryAfterMs, error.message)
      } else pass.left()
      throw error
    }
  }

/** What a request fails with that is not sent because the last ones failed. */
export const breakerOpenFailure = (): CallFailure =>
  new CallFailure('left alone because its last requests failed', {
    kind: 'resting',
    status: null,
    code: null,
    param: null,
    retryAfterMs: null,
  })
