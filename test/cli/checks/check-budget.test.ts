import { expect, it } from 'vitest'
import { checkBudget } from '../../../src/cli/checks/check-budget.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { ModelSpending } from '../../../src/domain/operations/usage.ts'
import { makeFolder } from '../../config/make-folder.ts'

const config = (yaml: string) =>
  loadConfig({ cwd: makeFolder({ 'querent.yml': yaml }), env: { OPENAI_API_KEY: 'key' } })

const models = 'models: {drafter: {model: m}, prices: {m: {prompt: 1, completion: 2}}}\n'

const spent = (given: Partial<ModelSpending>): ModelSpending => ({
  ...{ day: '2026-03-02', askedBy: 'ada', model: 'm', role: 'drafter' },
  ...{ calls: 2, promptTokens: 900, completionTokens: 100, money: 1.5 },
  ...given,
})

it('says that nothing is spent without a model', () => {
  expect(checkBudget([], config('')).status).toBe('not-set')
})

it('reports the usage of today and the share of each limit', () => {
  const found = checkBudget(
    [spent({}), spent({ askedBy: 'bob', calls: 1, promptTokens: 100, completionTokens: 0, money: null })],
    config(`${models}budget: {tokensPerDay: 4000, tokensPerUserPerDay: 2000, moneyPerDay: 2}`),
  )
  expect(found).toEqual({
    status: 'ok',
    finding:
      'today 3 requests and 1,100 tokens, price 1.50, 27% of tokensPerDay, 75% of moneyPerDay, 50% of tokensPerUserPerDay',
  })
})

it('is weak if a limit is reached, and says which', () => {
  const found = checkBudget(
    [spent({})],
    config(`${models}budget: {tokensPerUserPerDay: 1000, tokensPerDay: 9999}`),
  )
  expect(found).toMatchObject({
    status: 'weak',
    todo: expect.stringContaining('because budget.tokensPerUserPerDay is used up.'),
  })
})

it('reports the person and the channel that read most', () => {
  const reading = (rows: number, seconds: number) => ({ rows, milliseconds: seconds * 1000 })
  const found = checkBudget(
    [],
    config('budget: {rowsPerUserPerDay: 100, secondsPerChannelPerDay: 10, rowsPerDay: 1000}'),
    {
      ofAll: reading(500, 3),
      ofPerson: reading(100, 2),
      ofChannel: { ...reading(9, 2.5), tokens: 0, money: 0 },
    },
  )
  expect(found).toEqual({
    status: 'weak',
    finding: '50% of rowsPerDay, 100% of rowsPerUserPerDay, 25% of secondsPerChannelPerDay',
    todo: 'Databases are not read, because budget.rowsPerUserPerDay is used up. Raise the limit in querent.yml, or wait until tomorrow.',
  })
})
