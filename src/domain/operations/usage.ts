import type { NotAllowed } from '../access/access.ts'
import type { ErrorCode } from '../errors.ts'
import type { ModelRole } from '../model.ts'
import type { RunContext } from './audit.ts'
import type { Tx } from './jobs.ts'

/** A limit on what models may cost: for one question, for a role's share of it, or for a day. */
export interface BudgetLimit {
  readonly of: 'question' | 'role' | 'day' | 'person' | 'channel'
  readonly unit: 'calls' | 'tokens' | 'money' | 'seconds'
  readonly most: number
}

/** Why a call brought nothing. `limit` is the one that was reached; null if none was, or if it is unknown. */
export interface CallLoss {
  readonly why: 'budget-spent' | 'model-failed'
  readonly limit: BudgetLimit | null
}

/** Calls of one role that brought nothing for the same reason. Code or a vote did their work. */
export interface LostCalls extends CallLoss {
  readonly role: ModelRole
  readonly count: number
}

/** What one question cost. Tokens are as the endpoint counted them. */
export interface ModelUsage {
  readonly modelCalls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /**
   * In the currency of the prices in querent.yml; null if a model without a price replied, left out if costs were not
   * counted.
   */
  readonly money?: number | null
  /** How many of the prompt tokens came from a provider's cache; left out if no endpoint said so. */
  readonly cachedTokens?: number
  /** Calls that brought nothing; left out if there are none. */
  readonly lost?: readonly LostCalls[]
}

export const noModelUsage: ModelUsage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }

export const addModelUsage = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  modelCalls: a.modelCalls + b.modelCalls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  ...(a.money === undefined && b.money === undefined ? {} : { money: addCosts(usageCost(a), usageCost(b)) }),
  ...(a.cachedTokens === undefined && b.cachedTokens === undefined
    ? {}
    : { cachedTokens: (a.cachedTokens ?? 0) + (b.cachedTokens ?? 0) }),
  ...(a.lost === undefined && b.lost === undefined
    ? {}
    : { lost: addLost([...(a.lost ?? []), ...(b.lost ?? [])]) }),
})

const addLost = (lost: readonly LostCalls[]): readonly LostCalls[] =>
  [...Map.groupBy(lost, ({ role, why, limit }) => JSON.stringify([role, why, limit])).values()].map(same => ({
    ...same[0]!,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }))

/** Adds a call that brought nothing to what was used; a call that somebody stopped is not lost. */
export const addLostCall = (
  usage: ModelUsage,
  role: ModelRole,
  { code, limit = null }: { readonly code: ErrorCode; readonly limit?: BudgetLimit | null },
): ModelUsage =>
  code === 'cancelled'
    ? usage
    : addModelUsage(usage, { ...noModelUsage, lost: [{ role, ...callLoss({ code, limit }), count: 1 }] })

/** Why a call brought nothing, from the error of asking. */
export const callLoss = ({
  code,
  limit = null,
}: {
  readonly code: ErrorCode
  readonly limit?: BudgetLimit | null
}): CallLoss => ({ why: code === 'budget-spent' ? 'budget-spent' : 'model-failed', limit })

/** Cost of a usage in money: zero if no model was called, null if unknown. */
export const usageCost = ({ money, modelCalls }: ModelUsage): number | null =>
  money === undefined ? (modelCalls === 0 ? 0 : null) : money

const addCosts = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b

/** Requests to one model in one role for one person. `day` is `YYYY-MM-DD`. */
export interface ModelSpending {
  readonly day: string
  /** The person; null if unknown (the command line). */
  readonly askedBy: string | null
  readonly model: string
  readonly role: ModelRole
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Null if the model has no price. */
  readonly money: number | null
}

/** What a day has cost so far. Tokens include prompts and replies; `money` covers models with a price. */
export interface DaySpending {
  readonly tokens: number
  readonly money: number
  /** For the requested person; 0 for none. */
  readonly tokensOfPerson: number
  readonly moneyOfPerson: number
  /** For the requested channel; 0 for none. */
  readonly tokensOfChannel: number
  readonly moneyOfChannel: number
}

/** What one role has used for one question. */
export interface QuestionSpending {
  readonly role: ModelRole
  readonly calls: number
  readonly tokens: number
  /** For models with a price. */
  readonly money: number
}

/** What else a cost counts for; null if there is none. */
export interface SpendingContext {
  readonly questionId: string | null
  readonly channel: string | null
}

/** The ledger of model costs by day. All calls reject if it cannot be reached. */
export interface ModelUsageLedger {
  /** Adds to what is recorded for the same day, person, model and role. */
  record(spending: ModelSpending, spentFor?: SpendingContext): Promise<void>
  spentOn(day: string, askedBy: string | null, channel?: string | null): Promise<DaySpending>
  /** What a question has used so far, in all processes. */
  spentFor(questionId: string): Promise<readonly QuestionSpending[]>
  /** Costs of a day by person, model and role; most tokens first. */
  list(day: string): Promise<readonly ModelSpending[]>
}

/** What was read from databases: rows, and how long statements ran. */
export interface QueryUsage {
  readonly rows: number
  readonly milliseconds: number
}

export const noQueryUsage: QueryUsage = { rows: 0, milliseconds: 0 }

/** The account that pays. `day` is `YYYY-MM-DD`; the others are null if there is no person, channel or question. */
export interface UsageAccount {
  readonly day: string
  readonly person: string | null
  readonly channel: string | null
  readonly questionId: string | null
}

/** The usage of one statement, with its account. */
export interface RecordedUsage extends QueryUsage, UsageAccount {}

/** What counts toward a limit: what was used, and what running statements have reserved. */
export interface UsageTotals {
  readonly used: QueryUsage
  readonly reserved: QueryUsage
}

/** Usage totals of an account; zero for a missing person, channel or question. */
export type AccountUsage = Readonly<Record<'ofAll' | 'ofPerson' | 'ofChannel' | 'ofQuestion', UsageTotals>>

/** A statement about to be sent, by the id that settles it, and the most it may read. */
export interface UsageReservation {
  readonly id: string
  readonly account: UsageAccount
  readonly most: QueryUsage
}

/** Decides how much of a request to reserve, given the account's usage; null for nothing. */
export type DecideReservation = (request: UsageReservation, usage: AccountUsage) => QueryUsage | null

/** A finished statement. `id` is that of its reservation, null if none was made. */
export interface SettledUsage extends RecordedUsage {
  readonly id: string | null
}

/** The ledger of what is read by day, with reservations. All calls reject if it cannot be reached. */
export interface QueryUsageLedger {
  usageOf(account: UsageAccount): Promise<AccountUsage>
  /**
   * Decides on each request in turn and reserves what is granted, for `leaseMs` unless renewed. Decisions are
   * serialized across processes, and each request sees what earlier ones were granted.
   */
  reserve(
    asks: readonly UsageReservation[],
    decide: DecideReservation,
    options: { readonly leaseMs: number },
    tx?: Tx,
  ): Promise<void>
  /** Extends reservations to `leaseMs` from now; expired ones stay expired. */
  renew(ids: readonly string[], options: { readonly leaseMs: number }): Promise<void>
  /** Records what was read and ends the reservations, atomically. */
  settle(readings: readonly SettledUsage[], tx?: Tx): Promise<void>
}

/** The highest usage of any person or channel on a day; tokens and money for channels only. */
export interface DailyUsagePeaks {
  readonly ofAll: QueryUsage
  readonly ofPerson: QueryUsage
  readonly ofChannel: QueryUsage & { readonly tokens: number; readonly money: number }
}

/** A day without usage. */
export const noUsagePeaks: DailyUsagePeaks = {
  ofAll: noQueryUsage,
  ofPerson: noQueryUsage,
  ofChannel: { ...noQueryUsage, tokens: 0, money: 0 },
}

/** Read quotas; null for no limit. Seconds count the running time of statements. */
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

/** A rate limit rule. Each rule has its own counters, one per key (a person, a team). */
export interface RateRule {
  readonly name: string
  /** Points allowed within the window. */
  readonly points: number
  readonly windowMs: number
}

/** Whether another point is within the limit. `retryAfterMs` is when the next one is. */
export type RateVerdict =
  | { readonly status: 'within'; readonly left: number }
  | { readonly status: 'over'; readonly retryAfterMs: number }

/**
 * Counts against a limit shared by all processes. Never rejects: if the shared counters are unavailable, this process
 * counts alone, so the limit still holds, and logs it once.
 */
export type ConsumeRateLimit = (rule: RateRule, key: string, points?: number) => Promise<RateVerdict>

/** Why a person cannot read more in a location; null if they can. Not tied to a question. */
export type FindQuotaRefusal = (
  who: Pick<RunContext, 'origin' | 'person' | 'team' | 'channel'>,
) => Promise<NotAllowed | null>
