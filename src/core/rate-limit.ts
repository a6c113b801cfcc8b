/** What is limited: each rule has its own counters, and a counter is of one key (a person, a team). */
export interface RateRule {
  readonly name: string
  /** So many points within the window. */
  readonly points: number
  readonly windowMs: number
}

/** Whether one more is within the limit. `retryAfterMs` is when the next would be. */
export type RateVerdict =
  | { readonly status: 'within'; readonly left: number }
  | { readonly status: 'over'; readonly retryAfterMs: number }

/**
 * Counts against a limit that all processes share. Never rejects: where the shared counters are away, this process
 * counts alone (a limit fails safe, never open), and the log says so once.
 */
export type ConsumeRateLimit = (rule: RateRule, key: string, points?: number) => Promise<RateVerdict>
