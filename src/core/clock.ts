/** What "now" is, and in whose days: a parameter everywhere, so that tests and `--as-of` can pin it. */
export interface Clock {
  readonly now: () => Date
  /** IANA name, such as `Europe/Berlin`; relative periods are cut in it. */
  readonly timeZone: string
}
