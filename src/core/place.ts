/** Where in a workspace something was said, and where the reply to it belongs. Timestamps are the surface's own ids. */
export interface SlackLocation {
  readonly team: string
  readonly channel: string
  /** The message that began the thread: the question itself when it was not asked in one. */
  readonly thread: string
  /** The message itself. */
  readonly message: string
}

/** The key under which a question is stored once, however often its message is delivered. */
export const slackLocationKey = (place: SlackLocation): string =>
  `${place.team}:${place.channel}:${place.message}`
