/** How long things take in the simulated Slack, in milliseconds. Tests shorten them. */
export interface Timing {
  /** How long the bot may take to answer an event, a click or a command. */
  readonly answerWithin: number
  /** Pause before each further delivery of an event that was not acknowledged; as many retries as entries. */
  readonly retryAfter: readonly number[]
  /** How long a trigger id opens a modal; once, in any case. */
  readonly triggerLasts: number
  readonly responseUrlLasts: number
  readonly responseUrlUses: number
  /** How long after its start a streaming message takes text. */
  readonly streamLasts: number
  /** How long a status stays without a message of the bot. */
  readonly statusLasts: number
  /** How long an uploaded file takes to appear. */
  readonly fileProcessing: number
}

/** As Slack does it, by its documentation and by what users of streams report. */
export const slackTiming: Timing = {
  answerWithin: 3_000,
  retryAfter: [0, 60_000, 300_000],
  triggerLasts: 3_000,
  responseUrlLasts: 30 * 60_000,
  responseUrlUses: 5,
  streamLasts: 5 * 60_000,
  statusLasts: 2 * 60_000,
  fileProcessing: 0,
}
