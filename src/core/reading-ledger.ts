import type { Tx } from './tx.ts'

/** What was read from databases: rows, and how long statements ran for them. */
export interface Reading {
  readonly rows: number
  readonly milliseconds: number
}

/** Nothing read. */
export const noReading: Reading = { rows: 0, milliseconds: 0 }

/** Whose reading it is. `day` is `YYYY-MM-DD`; null where nobody is known, no channel, and no question. */
export interface ReadingAccount {
  readonly day: string
  readonly person: string | null
  readonly channel: string | null
  readonly questionId: string | null
}

/** One statement's reading, on whose account. */
export interface BookedReading extends Reading, ReadingAccount {}

/** What counts towards a limit: what was read, and what statements under way may still come to. */
export interface ReadingStanding {
  readonly booked: Reading
  readonly reserved: Reading
}

/** How an account stands; of nobody, no channel and no question it is nothing. */
export type AccountStanding = Readonly<
  Record<'ofAll' | 'ofPerson' | 'ofChannel' | 'ofQuestion', ReadingStanding>
>

/** A statement that is to be sent, under the id that it is settled by, and what it might read at most. */
export interface ReadingAsk {
  readonly id: string
  readonly account: ReadingAccount
  readonly most: Reading
}

/** Says what of an ask is reserved, seen how its account stands; null for nothing. */
export type DecideReading = (ask: ReadingAsk, standing: AccountStanding) => Reading | null

/** A statement that has ended. `id` is that of its reservation, null where none was made. */
export interface SettledReading extends BookedReading {
  readonly id: string | null
}

/** The books on what is read, kept over days, with what is reserved. All reject when they cannot be reached. */
export interface ReadingLedger {
  standingOf(account: ReadingAccount): Promise<AccountStanding>
  /**
   * Decides on each ask in turn and reserves what is given, for `leaseMs` unless it is renewed. Nobody else decides
   * meanwhile, in this process or another, and each ask sees what was given to those before it.
   */
  reserve(
    asks: readonly ReadingAsk[],
    decide: DecideReading,
    options: { readonly leaseMs: number },
    tx?: Tx,
  ): Promise<void>
  /** Keeps reservations for `leaseMs` from now on; those that are over stay so. */
  renew(ids: readonly string[], options: { readonly leaseMs: number }): Promise<void>
  /** Books what was read, and ends the reservations, both at once. */
  settle(readings: readonly SettledReading[], tx?: Tx): Promise<void>
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
