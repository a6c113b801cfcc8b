import { QuerentError } from '../core/errors.ts'

/** What one question may cost at most. */
export interface BudgetLimits {
  readonly modelCallsPerQuestion: number
  readonly tokensPerQuestion: number
}

/** The account of one question. */
export interface Budget {
  /** Books one request before it is sent. Throws `budget-spent` when the calls or the tokens are used up. */
  readonly spendCall: () => void
  /** Books what a reply cost. A reply may overdraw the tokens; the next request is then not sent. */
  readonly spendTokens: (tokens: number) => void
}

/** Accounts that are kept open; a question's drafts and repairs are over long before a thousand others began. */
const MOST_ACCOUNTS = 1_000

/** Opens the account of a question, or goes on with it. Calls that name no question get an account of their own. */
export const makeBudgets = (limits: BudgetLimits): ((questionId?: string) => Budget) => {
  const accounts = new Map<string, Budget>()
  return questionId => {
    if (questionId === undefined) return makeBudget(limits)
    const budget = accounts.get(questionId) ?? makeBudget(limits)
    // Re-inserted, so that the first key is always the one longest unused.
    accounts.delete(questionId)
    accounts.set(questionId, budget)
    const oldest = accounts.keys().next().value
    if (accounts.size > MOST_ACCOUNTS && oldest !== undefined) accounts.delete(oldest)
    return budget
  }
}

const makeBudget = (limits: BudgetLimits): Budget => {
  let calls = 0
  let tokens = 0
  return {
    spendCall: () => {
      if (calls >= limits.modelCallsPerQuestion) {
        throw budgetSpent(`${limits.modelCallsPerQuestion} model calls`, 'modelCallsPerQuestion')
      }
      if (tokens >= limits.tokensPerQuestion) {
        throw budgetSpent(`${limits.tokensPerQuestion} tokens`, 'tokensPerQuestion')
      }
      calls += 1
    },
    spendTokens: more => {
      tokens += more
    },
  }
}

const budgetSpent = (what: string, key: string): QuerentError =>
  new QuerentError(
    'budget-spent',
    `This question has used its ${what}. Raise budget.${key} in querent.yml if questions like it need more.`,
  )
