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
}

/** The books on what models cost, kept over days. Both reject when they cannot be reached. */
export interface ModelLedger {
  /** Adds to what is booked for the same day, person, model and role. */
  book(spending: ModelSpending): Promise<void>
  spentOn(day: string, askedBy: string | null): Promise<DaySpending>
  /** What a day cost, by person, model and role; the dearest in tokens first. */
  list(day: string): Promise<readonly ModelSpending[]>
}
