import type { NotAllowed } from '../access.ts'
import type { ModelRole } from '../model.ts'
import type { RunContext } from './audit.ts'
import type { Tx } from './transaction.ts'

/** What one question cost. Tokens as the endpoint counted them. */
export interface ModelUsage {
  readonly modelCalls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** In the currency of the prices in querent.yml; null where a model without a price replied, left out where nobody counted. */
  readonly money?: number | null
}

export const noModelUsage: ModelUsage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }

export const addModelUsage = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  modelCalls: a.modelCalls + b.modelCalls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  ...(a.money === undefined && b.money === undefined ? {} : { money: addCosts(usageCost(a), usageCost(b)) }),
})

/** What a usage cost in money: nothing where no model was asked, null where that is not known. */
export const usageCost = ({ money, modelCalls }: ModelUsage): number | null =>
  money === undefined ? (modelCalls === 0 ? 0 : null) : money

const addCosts = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b

/** Requests to one model in one role on one person's behalf. `day` is `YYYY-MM-DD`. */
export interface ModelSpending {
  readonly day: string
  /** Who asked; null where nobody is known (the command line). */
  readonly askedBy: string | null
  readonly model: string
  readonly role: ModelRole
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Null where the model has no price. */
  readonly money: number | null
}

/** What a day has cost so far. Tokens are prompts and replies together; `money` is that of models with a price. */
export interface DaySpending {
  readonly tokens: number
  readonly money: number
  /** Of the one person who was asked about; 0 for nobody. */
  readonly tokensOfPerson: number
  readonly moneyOfPerson: number
  /** Of the one channel that was asked about; 0 for none. */
  readonly tokensOfChannel: number
  readonly moneyOfChannel: number
}

/** What one role has used for one question. */
export interface QuestionSpending {
  readonly role: ModelRole
  readonly calls: number
  readonly tokens: number
  /** That of models with a price. */
  readonly money: number
}

/** Where else a cost is counted; null where there is no such thing. */
export interface SpendingContext {
  readonly questionId: string | null
  readonly channel: string | null
}

/** The books on what models cost, kept over days. All reject when they cannot be reached. */
export interface ModelUsageLedger {
  /** Adds to what is booked for the same day, person, model and role. */
  record(spending: ModelSpending, spentFor?: SpendingContext): Promise<void>
  spentOn(day: string, askedBy: string | null, channel?: string | null): Promise<DaySpending>
  /** What a question has used so far, by whichever process. */
  spentFor(questionId: string): Promise<readonly QuestionSpending[]>
  /** What a day cost, by person, model and role; the dearest in tokens first. */
  list(day: string): Promise<readonly ModelSpending[]>
}

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
  readonly used: QueryUsage
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

/** Why nothing more may be read for somebody in a place; null where it may. For no question yet. */
export type FindQuotaRefusal = (
  who: Pick<RunContext, 'origin' | 'person' | 'team' | 'channel'>,
) => Promise<NotAllowed | null>
