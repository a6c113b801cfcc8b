/**
 * Why a request came to nothing. `rate-limited` is a 429 that waiting can cure, `quota-spent` one that it cannot;
 * `rejected` is any other 4xx; `unreadable` is a success whose body is not what an OpenAI-compatible endpoint sends;
 * `resting` was not sent at all, because the last requests to the model failed.
 */
export type CallFailureKind =
  | 'rate-limited'
  | 'quota-spent'
  | 'server-error'
  | 'timed-out'
  | 'unreachable'
  | 'rejected'
  | 'unreadable'
  | 'resting'

/** What is known of a failure. `param` is the field of the request that the endpoint named, where it named one. */
export interface CallFailureFacts {
  readonly kind: CallFailureKind
  readonly status: number | null
  readonly code: string | null
  readonly param: string | null
  /** How long the endpoint asked to be left alone. */
  readonly retryAfterMs: number | null
}

/** One failed request. The message is the endpoint's own, without secrets and cut to a readable length. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly facts: CallFailureFacts

  constructor(message: string, facts: CallFailureFacts) {
    super(message)
    this.facts = facts
  }
}
