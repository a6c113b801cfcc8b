import type { ModelRole } from './model.ts'

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
