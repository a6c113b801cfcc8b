/** What was wrong with something that the bot sent, whether it was refused for it or not. */
export interface Problem {
  readonly at: number
  /** The Web API method, or `response_url`, `view_submission`. */
  readonly method: string
  /** The error that the bot was answered with; null when Slack would have taken it all the same. */
  readonly error: string | null
  readonly problems: readonly string[]
  readonly sent: unknown
}

/** One request to the bot. */
export interface Delivery {
  readonly at: number
  readonly kind: 'event' | 'interaction' | 'command'
  /** Such as `app_mention`, `message`, `block_actions`, or the command itself. */
  readonly type: string
  /** Of events only: the same for all deliveries of one event. */
  readonly eventId: string | null
  /** 0 for the first delivery. */
  readonly retry: number
  readonly retryReason: string | null
  readonly outcome: 'acknowledged' | 'refused' | 'timed-out' | 'unreachable'
  readonly status: number | null
  readonly ms: number
  readonly body: unknown
}

/** One call of the Web API by the bot. */
export interface ApiCallRecord {
  readonly at: number
  readonly method: string
  readonly ok: boolean
  readonly error: string | null
  /** The fault that was played, if any. */
  readonly fault: string | null
}
