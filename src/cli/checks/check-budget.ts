import type { BudgetSettings, Config } from '../../config/config.ts'
import { type DailyUsagePeaks, type ModelSpending, noUsagePeaks } from '../../domain/operations/usage.ts'
import type { Check } from './checks.ts'

/**
 * What today has cost of models and of databases, and how much of the limits of a day that is: of a person or a channel,
 * the one that has used most. Looks at what is stored alone.
 */
export const checkBudget = (
  spent: readonly ModelSpending[],
  config: Config,
  peaks: DailyUsagePeaks = noUsagePeaks,
): Omit<Check, 'part'> => {
  const limits = [...limitsOfModels(spent, config, peaks), ...limitsOfReading(config.budget, peaks)]
  if (!config.models && limits.length === 0)
    return { status: 'not-set', finding: 'No model is configured; nothing is spent.' }
  const reached = limits.filter(({ limit, spent }) => spent >= limit)
  const shares = limits.map(({ key, limit, spent }) => `${share(spent, limit)} of ${key}`)
  const finding = [...(config.models ? totals(spent, config) : []), ...shares].join(', ')
  if (reached.length === 0) return { status: 'ok', finding }
  const keys = (of: 'models' | 'databases') =>
    reached.filter(limit => limit.of === of).map(({ key }) => `budget.${key}`)
  const [models, databases] = [keys('models'), keys('databases')]
  const effects = [
    ...(models.length > 0 ? [`Over ${models.join(' and ')} questions are answered without models`] : []),
    ...(databases.length > 0 ? [`Over ${databases.join(' and ')} databases are not read`] : []),
  ]
  return {
    status: 'weak',
    finding,
    todo: `${effects.join('. ')}: raise it in querent.yml, or wait until tomorrow.`,
  }
}

interface DayLimit {
  readonly of: 'models' | 'databases'
  readonly key: keyof BudgetSettings
  readonly limit: number
  readonly spent: number
}

const limitsOfModels = (
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
  return limited('models', used, budget)
}

const limitsOfReading = (
  budget: BudgetSettings,
  { ofAll, ofPerson, ofChannel }: DailyUsagePeaks,
): readonly DayLimit[] =>
  limited(
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

const limited = (
  of: DayLimit['of'],
  used: Partial<Record<keyof BudgetSettings, number>>,
  budget: BudgetSettings,
): readonly DayLimit[] =>
  (Object.entries(used) as [keyof BudgetSettings, number][]).flatMap(([key, spent]) => {
    const limit = budget[key]
    return limit === null ? [] : [{ of, key, limit, spent }]
  })

const totals = (spent: readonly ModelSpending[], { models }: Config): readonly string[] => [
  `today ${count(sum(spent.map(({ calls }) => calls)), 'request')} and ${count(sum(spent.map(tokensOf)), 'token')}`,
  ...(Object.keys(models?.prices ?? {}).length > 0 ? [`${sum(spent.map(moneyOf)).toFixed(2)} in money`] : []),
]

const tokensOf = ({ promptTokens, completionTokens }: ModelSpending): number =>
  promptTokens + completionTokens

const moneyOf = ({ money }: ModelSpending): number => money ?? 0

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

const share = (spent: number, limit: number): string =>
  `${limit === 0 ? 100 : Math.min(100, Math.floor((spent / limit) * 100))} %`
