/** What goes wrong with events on their way to the bot. */
export interface EventFaults {
  /** How often each event is delivered; 2 doubles all. */
  readonly copies?: number
  /** How long each event is held back, in milliseconds. */
  readonly delayMs?: number
  /** Events that occur within this many milliseconds are delivered last first. */
  readonly reverseWithinMs?: number
}
