import type { ModelRole } from '../../core/model.ts'
import type { ModelSpending, ModelUsageLedger, QuestionSpending } from '../../core/model-ledger.ts'

/** Days that are kept: today, and the day that was today when a question began. */
const MAX_DAYS = 2

/** Questions that are kept; their work is long over before so many others began. */
const MAX_QUESTIONS = 1_000

/** A ledger for runs without a store. It begins anew with the process. */
export const makeMemoryModelLedger = (): ModelUsageLedger => {
  const days = new Map<string, Map<string, ModelSpending>>()
  const channels = new Map<string, { readonly tokens: number; readonly money: number }>()
  const questions = new Map<string, Map<ModelRole, QuestionSpending>>()
  const rowsOf = (day: string): Map<string, ModelSpending> => {
    const rows = days.get(day) ?? new Map<string, ModelSpending>()
    days.set(day, rows)
    const oldest = [...days.keys()].sort()[0]
    if (days.size > MAX_DAYS && oldest !== undefined) days.delete(oldest)
    return rows
  }
  return {
    record: async (spending, { questionId, channel } = { questionId: null, channel: null }) => {
      if (channel !== null) {
        const used = channels.get(JSON.stringify([spending.day, channel])) ?? { tokens: 0, money: 0 }
        channels.set(JSON.stringify([spending.day, channel]), {
          tokens: used.tokens + tokensOf(spending),
          money: used.money + (spending.money ?? 0),
        })
      }
      if (questionId !== null) {
        const roles = questions.get(questionId) ?? new Map<ModelRole, QuestionSpending>()
        const used = roles.get(spending.role)
        roles.set(spending.role, {
          role: spending.role,
          calls: (used?.calls ?? 0) + spending.calls,
          tokens: (used?.tokens ?? 0) + tokensOf(spending),
          money: (used?.money ?? 0) + (spending.money ?? 0),
        })
        questions.set(questionId, roles)
        const oldest = questions.keys().next().value
        if (questions.size > MAX_QUESTIONS && oldest !== undefined) questions.delete(oldest)
      }
      const { day, askedBy, model, role } = spending
      const rows = rowsOf(day)
      const key = JSON.stringify([askedBy, model, role])
      const before = rows.get(key)
      rows.set(key, before ? sumOf(before, spending) : spending)
    },
    spentOn: async (day, askedBy, channel = null) => {
      const rows = [...(days.get(day)?.values() ?? [])]
      const own = askedBy === null ? [] : rows.filter(row => row.askedBy === askedBy)
      const used = channels.get(JSON.stringify([day, channel])) ?? { tokens: 0, money: 0 }
      return {
        tokens: sum(rows.map(tokensOf)),
        money: sum(rows.map(({ money }) => money ?? 0)),
        tokensOfPerson: sum(own.map(tokensOf)),
        moneyOfPerson: sum(own.map(({ money }) => money ?? 0)),
        tokensOfChannel: used.tokens,
        moneyOfChannel: used.money,
      }
    },
    spentFor: async questionId =>
      [...(questions.get(questionId)?.values() ?? [])].sort((a, b) => (a.role < b.role ? -1 : 1)),
    list: async day => [...(days.get(day)?.values() ?? [])].sort((a, b) => tokensOf(b) - tokensOf(a)),
  }
}

const sumOf = (a: ModelSpending, b: ModelSpending): ModelSpending => ({
  ...a,
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  money: a.money === null || b.money === null ? null : a.money + b.money,
})

const tokensOf = ({ promptTokens, completionTokens }: ModelSpending): number =>
  promptTokens + completionTokens

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
