import type { Config } from '../config/config.ts'
import type { ModelSpending } from '../core/model-ledger.ts'
import type { Check } from './check.ts'

/** What today's models have cost, and how much of the limits of a day that is. Looks at what is stored alone. */
export const checkBudget = (spent: readonly ModelSpending[], config: Config): Omit<Check, 'part'> => {
  if (!config.models) return { status: 'not-set', finding: 'No model is configured; nothing is spent.' }
  const tokens = sum(spent.map(tokensOf))
  const money = sum(spent.map(({ money }) => money ?? 0))
  const byPerson = Map.groupBy(
    spent.filter(({ askedBy }) => askedBy !== null),
    ({ askedBy }) => askedBy,
  )
  const most = Math.max(0, ...[...byPerson.values()].map(rows => sum(rows.map(tokensOf))))
  const { tokensPerDay, moneyPerDay, tokensPerUserPerDay } = config.budget
  const limits = [
    { key: 'tokensPerDay', limit: tokensPerDay, spent: tokens },
    { key: 'moneyPerDay', limit: moneyPerDay, spent: money },
    { key: 'tokensPerUserPerDay', limit: tokensPerUserPerDay, spent: most },
  ].flatMap(({ limit, ...rest }) => (limit === null ? [] : [{ ...rest, limit }]))
  const reached = limits.filter(({ limit, spent }) => spent >= limit).map(({ key }) => `budget.${key}`)
  const finding = [
    `today ${count(sum(spent.map(({ calls }) => calls)), 'request')} and ${count(tokens, 'token')}`,
    ...(Object.keys(config.models.prices).length > 0 ? [`${money.toFixed(2)} in money`] : []),
    ...limits.map(({ key, limit, spent }) => `${share(spent, limit)} of ${key}`),
  ].join(', ')
  if (reached.length === 0) return { status: 'ok', finding }
  return {
    status: 'weak',
    finding,
    todo: `Over ${reached.join(' and ')} questions are answered without models: raise it in querent.yml, or wait until tomorrow.`,
  }
}

const tokensOf = ({ promptTokens, completionTokens }: ModelSpending): number =>
  promptTokens + completionTokens

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

const share = (spent: number, limit: number): string =>
  `${limit === 0 ? 100 : Math.min(100, Math.floor((spent / limit) * 100))} %`
