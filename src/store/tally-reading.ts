import {
  type AccountUsage,
  noQueryUsage,
  type QueryUsage,
  type UsageAccount,
  type UsageTotals,
} from '../core/reading-ledger.ts'

/** Sums of what was read, or is reserved, by whose it is. */
export interface UsageSums {
  readonly addBooked: (scope: UsageScope, reading: QueryUsage) => void
  readonly addReserved: (account: UsageAccount, reading: QueryUsage) => void
  readonly usageOf: (account: UsageAccount) => AccountUsage
}

/** Something that reading is counted for: a day of everybody, of a person or of a channel, or a question on all days. */
export interface UsageScope {
  readonly scope: 'all' | 'person' | 'channel' | 'question'
  readonly day: string
  readonly name: string
}

/** What a reading on an account counts for. */
export const usageScopesOf = ({ day, person, channel, questionId }: UsageAccount): readonly UsageScope[] => [
  { scope: 'all', day, name: '' },
  ...(person === null ? [] : [{ scope: 'person' as const, day, name: person }]),
  ...(channel === null ? [] : [{ scope: 'channel' as const, day, name: channel }]),
  ...(questionId === null ? [] : [{ scope: 'question' as const, day, name: questionId }]),
]

/** Makes an empty one. */
export const makeUsageSums = (): UsageSums => {
  const standings = new Map<string, UsageTotals>()
  const of = (scope: UsageScope): UsageTotals => standings.get(keyOf(scope)) ?? noUsageYet
  return {
    addBooked: (scope, reading) => {
      const { booked, reserved } = of(scope)
      standings.set(keyOf(scope), { booked: addUsage(booked, reading), reserved })
    },
    addReserved: (account, reading) => {
      for (const scope of usageScopesOf(account)) {
        const { booked, reserved } = of(scope)
        standings.set(keyOf(scope), { booked, reserved: addUsage(reserved, reading) })
      }
    },
    usageOf: account => {
      const scopes = usageScopesOf(account)
      const standing = (wanted: UsageScope['scope']): UsageTotals => {
        const found = scopes.find(({ scope }) => scope === wanted)
        return found ? of(found) : noUsageYet
      }
      return {
        ofAll: standing('all'),
        ofPerson: standing('person'),
        ofChannel: standing('channel'),
        ofQuestion: standing('question'),
      }
    },
  }
}

const noUsageYet: UsageTotals = { booked: noQueryUsage, reserved: noQueryUsage }

const keyOf = ({ scope, day, name }: UsageScope): string =>
  JSON.stringify([scope, scope === 'question' ? '' : day, name])

const addUsage = (a: QueryUsage, b: QueryUsage): QueryUsage => ({
  rows: a.rows + b.rows,
  milliseconds: a.milliseconds + b.milliseconds,
})
