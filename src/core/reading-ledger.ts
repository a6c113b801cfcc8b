import type { Tx } from './tx.ts'

/** What was read from databases: rows, and how long statements ran for them. */
export interface QueryUsage {
  readonly rows: number
  readonly milliseconds: number
}

/** Nothing read. */
export const noQueryUsage: QueryUsage = { rows: 0, milliseconds: 0 }

/** Whose reading it is. `day` is `YYYY-MM-DD`; null where nobody is known, no channel, and no question. */
export interface UsageAccount {
  readonly day: string
  readonly person: string | null
  readonly channel: string | null
  readonly questionId: string | null
}

/** One statement's reading, on whose account. */
export interface RecordedUsage extends QueryUsage, UsageAccount {}

/** What counts towards a limit: what was read, and what statements under way may still come to. */
export interface UsageTotals {
  readonly booked: QueryUsage
  readonly reserved: QueryUsage
}

/** How an account stands; of nobody, no channel and no question it is nothing. */
export type AccountUsage = Readonly<Record<'ofAll' | 'ofPerson' | 'ofChannel' | 'ofQuestion', UsageTotals>>

/** A statement that is to be sent, under the id that it is settled by, and what it might read at most. */
export interface UsageReservation {
  readonly id: string
  readonly account: UsageAccount
  readonly most: QueryUsage
}

/** Says what of an ask is reserved, seen how its account stands; null for nothing. */
export type DecideReservation = (ask: UsageReservation, standing: AccountUsage) => QueryUsage | null

/** A statement that has ended. `id` is that of its reservation, null where none was made. */
export interface SettledUsage extends RecordedUsage {
  readonly id: string | null
}

/** The books on what is read, kept over days, with what is reserved. All reject when they cannot be reached. */
export interface QueryUsageLedger {
  usageOf(account: UsageAccount): Promise<AccountUsage>
  /**
   * Decides on each ask in turn and reserves what is given, for `leaseMs` unless it is renewed. Nobody else decides
   * meanwhile, in this process or another, and each ask sees what was given to those before it.
   */
  reserve(
    asks: readonly UsageReservation[],
    decide: DecideReservation,
    options: { readonly leaseMs: number },
    tx?: Tx,
  ): Promise<void>
  /** Keeps reservations for `leaseMs` from now on; those that are over stay so. */
  renew(ids: readonly string[], options: { readonly leaseMs: number }): Promise<void>
  /** Books what was read, and ends the reservations, both at once. */
  settle(readings: readonly SettledUsage[], tx?: Tx): Promise<void>
}

/** The most that anybody, or any channel, has used on a day; tokens and money of a channel alone. */
export interface DailyUsagePeaks {
  readonly ofAll: QueryUsage
  readonly ofPerson: QueryUsage
  readonly ofChannel: QueryUsage & { readonly tokens: number; readonly money: number }
}

/** A day on which nothing was used. */
export const noUsagePeaks: DailyUsagePeaks = {
  ofAll: noQueryUsage,
  ofPerson: noQueryUsage,
  ofChannel: { ...noQueryUsage, tokens: 0, money: 0 },
}

/** What may be read at most; null for any amount. Seconds are those that statements run. */
export interface QueryQuotas {
  readonly rowsPerQuestion: number | null
  readonly secondsPerQuestion: number | null
  readonly rowsPerUserPerDay: number | null
  readonly secondsPerUserPerDay: number | null
  readonly rowsPerChannelPerDay: number | null
  readonly secondsPerChannelPerDay: number | null
  readonly rowsPerDay: number | null
  readonly secondsPerDay: number | null
}
