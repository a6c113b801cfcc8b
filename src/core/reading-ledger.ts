/** What was read from databases: rows, and how long statements ran for them. */
export interface Reading {
  readonly rows: number
  readonly milliseconds: number
}

/** Nothing read. */
export const noReading: Reading = { rows: 0, milliseconds: 0 }

/** One statement's reading, on whose account. `day` is `YYYY-MM-DD`; null where nobody is known. */
export interface BookedReading extends Reading {
  readonly day: string
  readonly person: string | null
  readonly channel: string | null
}

/** The most that anybody, or any channel, has used on a day; tokens and money of a channel alone. */
export interface DayPeaks {
  readonly ofAll: Reading
  readonly ofPerson: Reading
  readonly ofChannel: Reading & { readonly tokens: number; readonly money: number }
}

/** A day on which nothing was used. */
export const noPeaks: DayPeaks = {
  ofAll: noReading,
  ofPerson: noReading,
  ofChannel: { ...noReading, tokens: 0, money: 0 },
}

/** What a day's reading came to so far; of nobody and of no channel it is nothing. */
export interface DayReading {
  readonly ofAll: Reading
  readonly ofPerson: Reading
  readonly ofChannel: Reading
}

/** What may be read at most; null for any amount. Seconds are those that statements run. */
export interface ReadingLimits {
  readonly rowsPerQuestion: number | null
  readonly secondsPerQuestion: number | null
  readonly rowsPerUserPerDay: number | null
  readonly secondsPerUserPerDay: number | null
  readonly rowsPerChannelPerDay: number | null
  readonly secondsPerChannelPerDay: number | null
  readonly rowsPerDay: number | null
  readonly secondsPerDay: number | null
}
