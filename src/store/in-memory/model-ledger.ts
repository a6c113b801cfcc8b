import type { ModelLedger, ModelSpending } from '../../core/model-ledger.ts'

/** Days that are kept: today, and the day that was today when a question began. */
const MOST_DAYS = 2

/** A ledger for runs without a store. It begins anew with the process. */
export const makeMemoryModelLedger = (): ModelLedger => {
  const days = new Map<string, Map<string, ModelSpending>>()
  const rowsOf = (day: string): Map<string, ModelSpending> => {
    const rows = days.get(day) ?? new Map<string, ModelSpending>()
    days.set(day, rows)
    const oldest = [...days.keys()].sort()[0]
    if (days.size > MOST_DAYS && oldest !== undefined) days.delete(oldest)
    return rows
  }
  return {
    book: async spending => {
      const { day, askedBy, model, role } = spending
      const rows = rowsOf(day)
      const key = JSON.stringify([askedBy, model, role])
      const before = rows.get(key)
      rows.set(key, before ? sumOf(before, spending) : spending)
    },
    spentOn: async (day, askedBy) => {
      const rows = [...(days.get(day)?.values() ?? [])]
      return {
        tokens: sum(rows.map(tokensOf)),
        money: sum(rows.map(({ money }) => money ?? 0)),
        tokensOfPerson: askedBy === null ? 0 : sum(rows.filter(row => row.askedBy === askedBy).map(tokensOf)),
      }
    },
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
