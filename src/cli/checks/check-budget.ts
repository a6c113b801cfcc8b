import type { BudgetSettings, Config } from '../../config/config.ts'
import { type DailyUsagePeaks, type ModelSpending, noUsagePeaks } from '../../domain/operations/usage.ts'
import { budgetFindings } from '../copy/operations.ts'
import type { Check } from './checks.ts'

/**
 * Reports today's usage of models and databases, and how much of each daily limit is used. For limits of a person or a
 * channel it takes the one with the highest usage. Reads only the store.
 */
export const checkBudget = (
  spent: readonly ModelSpending[],
  config: Config,
  peaks: DailyUsagePeaks = noUsagePeaks,
): Omit<Check, 'part'> => {
  const limits = [...modelLimits(spent, config, peaks), ...readingLimits(config.budget, peaks)]
  if (!config.models && limits.length === 0) return { status: 'not-set', finding: budgetFindings.noModel }
  const reached = limits.filter(({ limit, spent }) => spent >= limit)
  const shares = limits.map(({ key, limit, spent }) => budgetFindings.share(percentOf(spent, limit), key))
  const finding = [...(config.models ? totals(spent, config) : []), ...shares].join(', ')
  if (reached.length === 0) return { status: 'ok', finding }
  const keys = (of: 'models' | 'databases') =>
    reached.filter(limit => limit.of === of).map(({ key }) => `budget.${key}`)
  return { status: 'weak', finding, todo: budgetFindings.reached(keys('models'), keys('databases')) }
}

interface DayLimit {
  readonly of: 'models' | 'databases'
  readonly key: keyof BudgetSettings
  readonly limit: number
  readonly spent: number
}

const modelLimits = (
  spent: readonly ModelSpending[],
  { budget, models }: Config,
  { ofChannel }: DailyUsagePeaks,
): readonly DayLimit[] => {
  if (!models) return []
  const byPerson = [
    ...Map.groupBy(
      spent.filter(({ askedBy }) => askedBy !== null),
      ({ askedBy }) => askedBy,
    ).values(),
  ]
  const used: Partial<Record<keyof BudgetSettings, number>> = {
    tokensPerDay: sum(spent.map(tokensOf)),
    moneyPerDay: sum(spent.map(moneyOf)),
    tokensPerUserPerDay: Math.max(0, ...byPerson.map(rows => sum(rows.map(tokensOf)))),
    moneyPerUserPerDay: Math.max(0, ...byPerson.map(rows => sum(rows.map(moneyOf)))),
    tokensPerChannelPerDay: ofChannel.tokens,
    moneyPerChannelPerDay: ofChannel.money,
  }
  return toLimits('models', used, budget)
}

const readingLimits = (
  budget: BudgetSettings,
  { ofAll, ofPerson, ofChannel }: DailyUsagePeaks,
): readonly DayLimit[] =>
  toLimits(
    'databases',
    {
      rowsPerDay: ofAll.rows,
      secondsPerDay: ofAll.milliseconds / 1000,
      rowsPerUserPerDay: ofPerson.rows,
      secondsPerUserPerDay: ofPerson.milliseconds / 1000,
      rowsPerChannelPerDay: ofChannel.rows,
      secondsPerChannelPerDay: ofChannel.milliseconds / 1000,
    },
    budget,
  )

const toLimits = (
  of: DayLimit['of'],
  used: Partial<Record<keyof BudgetSettings, number>>,
  budget: BudgetSettings,
): readonly DayLimit[] =>
  (Object.entries(used) as [keyof BudgetSettings, number][]).flatMap(([key, spent]) => {
    const limit = budget[key]
    return limit === null ? [] : [{ of, key, limit, spent }]
  })

const totals = (spent: readonly ModelSpending[], { models }: Config): readonly string[] => [
  budgetFindings.today(sum(spent.map(({ calls }) => calls)), sum(spent.map(tokensOf))),
  ...(Object.keys(models?.prices ?? {}).length > 0 ? [budgetFindings.money(sum(spent.map(moneyOf)))] : []),
]

const tokensOf = ({ promptTokens, completionTokens }: ModelSpending): number =>
  promptTokens + completionTokens

const moneyOf = ({ money }: ModelSpending): number => money ?? 0

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const percentOf = (spent: number, limit: number): number =>
  limit === 0 ? 100 : Math.min(100, Math.floor((spent / limit) * 100))
