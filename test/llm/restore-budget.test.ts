import { expect, it } from 'vitest'
import type { QuestionSpending } from '../../src/domain/operations/usage.ts'
import { makeBudgets } from '../../src/llm/budget.ts'

const limits = { modelCallsPerQuestion: 10, tokensPerQuestion: 1_000, moneyPerQuestion: 2 }

const open = (spent: Partial<QuestionSpending>) => {
  let reads = 0
  const budgetOf = makeBudgets(
    limits,
    () => 0,
    async () => {
      reads += 1
      return [{ role: 'drafter', calls: 1, tokens: 10, money: 0.1, ...spent }]
    },
  )
  return { budgetOf, reads: () => reads }
}

it('a question goes on with what it had used before its process was killed', async () => {
  const { budgetOf, reads } = open({ calls: 9 })
  const account = budgetOf('q')
  await account.restore()
  await budgetOf('q').restore()
  expect(reads()).toBe(1)
  const budget = account.forRole('drafter')
  budget.spendCall()
  expect(() => budget.spendCall()).toThrow(/10 model calls/)
})

it.each([
  [{ tokens: 1_000 }, /1000 tokens.*budget\.tokensPerQuestion/],
  [{ money: 2 }, /2 for models.*budget\.moneyPerQuestion/],
])('with %j used nothing more is asked, in any role', async (spent, refusal) => {
  const account = open(spent).budgetOf('q')
  await account.restore()
  expect(() => account.forRole('judge').spendCall()).toThrow(refusal)
})

it('a role that has used its share has used it for good', async () => {
  const account = open({ role: 'judge', calls: 5 }).budgetOf('q')
  await account.restore()
  expect(() => account.forRole('judge', 0.5).spendCall()).toThrow(/judge has used its share/)
  account.forRole('drafter', 0.5).spendCall()
})

it('money is counted with the tokens it was paid for', () => {
  const budget = open({}).budgetOf('q').forRole('drafter')
  budget.spendTokens(10, 1.5)
  budget.spendCall()
  budget.spendTokens(10, 0.5)
  expect(() => budget.spendCall()).toThrow(/moneyPerQuestion/)
})

it('reads usage again after it could not be read', async () => {
  let isAway = true
  const account = makeBudgets(
    limits,
    () => 0,
    async () => {
      if (isAway) throw new Error('gone')
      return []
    },
  )('q')
  await expect(account.restore()).rejects.toThrow('gone')
  isAway = false
  await account.restore()
})
