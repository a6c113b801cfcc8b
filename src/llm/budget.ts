import { BudgetError } from '../domain/errors.ts'
import type { ModelRole } from '../domain/model.ts'
import type { BudgetLimit, ModelUsageLedger, QuestionSpending } from '../domain/operations/usage.ts'
import { once } from '../lib/once.ts'

/** The most that one question may cost. */
export interface BudgetLimits {
  readonly modelCallsPerQuestion: number
  readonly tokensPerQuestion: number
  /** Counts models that have a price. No limit if left out. */
  readonly moneyPerQuestion?: number | null
  /** How long it may wait for models; overlapping waits count once. No limit if left out. */
  readonly modelTimePerQuestionMs?: number
}

/** The budget of one question as seen by one role. */
export interface Budget {
  /** Counts one request before it is sent. Throws `budget-spent` if the calls or the tokens are used up. */
  readonly spendCall: () => void
  /** Counts what a reply cost. A reply may exceed the tokens; the next request is then not sent. */
  readonly spendTokens: (tokens: number, money?: number) => void
}

/** The usage of one question against its limits. */
interface QuestionAccount {
  /** What a role may use: everything, or a share (0 to 1) of the calls and the tokens. */
  readonly forRole: (role: ModelRole, share?: number) => Budget
  /**
   * Starts a wait for models. Returns how long it may still take, at any time, and `end`, to be called when the wait is
   * over. Both throw `budget-spent` if no time is left.
   */
  readonly beginWait: () => { readonly leftMs: () => number; readonly end: () => void }
  /** Adds what other processes, or this one before a restart, have used. Reads it once; rejects if that fails. */
  readonly restore: () => Promise<void>
}

/** Questions whose usage is kept in memory; a question is over long before a thousand others have begun. */
const maxOpenAccounts = 1_000

/** With less time left than this, a request would only look as if the model had hung. */
const minWaitMs = 500

/** Finds the usage of a question, or starts it. Each call without a question is counted by itself. */
export const makeBudgets = (
  limits: BudgetLimits,
  now: () => number = () => performance.now(),
  spentFor: ModelUsageLedger['spentFor'] = async () => [],
): ((questionId?: string) => QuestionAccount) => {
  const accounts = new Map<string, QuestionAccount>()
  return questionId => {
    if (questionId === undefined) return makeAccount(limits, now, async () => [])
    const account = accounts.get(questionId) ?? makeAccount(limits, now, () => spentFor(questionId))
    // Re-inserted so that the first key is always the least recently used one.
    accounts.delete(questionId)
    accounts.set(questionId, account)
    const oldest = accounts.keys().next().value
    if (accounts.size > maxOpenAccounts && oldest !== undefined) accounts.delete(oldest)
    return account
  }
}

interface QuestionUsage {
  calls: number
  tokens: number
  money: number
}

const makeAccount = (
  limits: BudgetLimits,
  now: () => number,
  spentBefore: () => Promise<readonly QuestionSpending[]>,
): QuestionAccount => {
  const total: QuestionUsage = { calls: 0, tokens: 0, money: 0 }
  const byRole = new Map<ModelRole, QuestionUsage>()
  return {
    forRole: (role, share = 1) => {
      const own = byRole.get(role) ?? { calls: 0, tokens: 0, money: 0 }
      byRole.set(role, own)
      const most = {
        calls: Math.max(1, Math.floor(limits.modelCallsPerQuestion * share)),
        tokens: Math.max(1, Math.floor(limits.tokensPerQuestion * share)),
      }
      return {
        spendCall: () => {
          checkTotal(total, limits)
          if (own.calls >= most.calls) throw shareSpent(role, 'calls', most.calls)
          if (own.tokens >= most.tokens) throw shareSpent(role, 'tokens', most.tokens)
          total.calls += 1
          own.calls += 1
        },
        spendTokens: (more, money = 0) => {
          total.money += money
          total.tokens += more
          own.tokens += more
        },
      }
    },
    restore: once(async () => {
      for (const { role, calls, tokens, money } of await spentBefore()) {
        const own = byRole.get(role) ?? { calls: 0, tokens: 0, money: 0 }
        byRole.set(role, own)
        for (const spent of [total, own]) {
          spent.calls += calls
          spent.tokens += tokens
          spent.money += money
        }
      }
    }),
    beginWait: makeWaits(limits.modelTimePerQuestionMs ?? Number.POSITIVE_INFINITY, now),
  }
}

const checkTotal = (spent: QuestionUsage, limits: BudgetLimits): void => {
  const { modelCallsPerQuestion, tokensPerQuestion } = limits
  if (spent.calls >= modelCallsPerQuestion) {
    throw budgetSpent('calls', modelCallsPerQuestion, 'modelCallsPerQuestion')
  }
  const { moneyPerQuestion = null } = limits
  if (moneyPerQuestion !== null && spent.money >= moneyPerQuestion)
    throw budgetSpent('money', moneyPerQuestion, 'moneyPerQuestion')
  if (spent.tokens >= tokensPerQuestion) throw budgetSpent('tokens', tokensPerQuestion, 'tokensPerQuestion')
}

/** Counts wall-clock time while at least one wait is in progress: drafts that are made together wait together. */
const makeWaits = (mostMs: number, now: () => number): QuestionAccount['beginWait'] => {
  let waiting = 0
  let since = 0
  let spentMs = 0
  const left = (): number => {
    const leftMs = mostMs - spentMs - (waiting > 0 ? now() - since : 0)
    if (leftMs < minWaitMs) throw budgetSpent('seconds', mostMs / 1000, 'modelTimePerQuestionMs')
    return leftMs
  }
  return () => {
    left()
    if (waiting === 0) since = now()
    waiting += 1
    return {
      leftMs: left,
      end: () => {
        waiting -= 1
        if (waiting === 0) spentMs += now() - since
      },
    }
  }
}

/** The amounts of a question's limits, in words. */
const amountText: Readonly<Record<BudgetLimit['unit'], (most: number) => string>> = {
  calls: most => `${most} model calls`,
  tokens: most => `${most} tokens`,
  money: most => `${most} for models`,
  seconds: most => `${most} s of waiting for models`,
}

const budgetSpent = (unit: BudgetLimit['unit'], most: number, key: string): BudgetError =>
  new BudgetError(
    { of: 'question', unit, most },
    `This question has used its ${amountText[unit](most)}. Raise budget.${key} in querent.yml if questions like it need more.`,
  )

const shareSpent = (role: ModelRole, unit: 'calls' | 'tokens', most: number): BudgetError =>
  new BudgetError(
    { of: 'role', unit, most },
    `The ${role} has used its share of this question's budget, ${amountText[unit](most)}. Raise budgetShare of models.${role} in querent.yml if it needs more.`,
  )
