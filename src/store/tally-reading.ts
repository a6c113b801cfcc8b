import {
  type AccountStanding,
  noReading,
  type Reading,
  type ReadingAccount,
  type ReadingStanding,
} from '../core/reading-ledger.ts'

/** Sums of what was read, or is reserved, by whose it is. */
export interface ReadingTally {
  readonly addBooked: (scope: ReadingScope, reading: Reading) => void
  readonly addReserved: (account: ReadingAccount, reading: Reading) => void
  readonly standingOf: (account: ReadingAccount) => AccountStanding
}

/** Something that reading is counted for: a day of everybody, of a person or of a channel, or a question on all days. */
export interface ReadingScope {
  readonly scope: 'all' | 'person' | 'channel' | 'question'
  readonly day: string
  readonly name: string
}

/** What a reading on an account counts for. */
export const scopesOf = ({ day, person, channel, questionId }: ReadingAccount): readonly ReadingScope[] => [
  { scope: 'all', day, name: '' },
  ...(person === null ? [] : [{ scope: 'person' as const, day, name: person }]),
  ...(channel === null ? [] : [{ scope: 'channel' as const, day, name: channel }]),
  ...(questionId === null ? [] : [{ scope: 'question' as const, day, name: questionId }]),
]

/** Makes an empty one. */
export const makeReadingTally = (): ReadingTally => {
  const standings = new Map<string, ReadingStanding>()
  const of = (scope: ReadingScope): ReadingStanding => standings.get(keyOf(scope)) ?? nothing
  return {
    addBooked: (scope, reading) => {
      const { booked, reserved } = of(scope)
      standings.set(keyOf(scope), { booked: addReading(booked, reading), reserved })
    },
    addReserved: (account, reading) => {
      for (const scope of scopesOf(account)) {
        const { booked, reserved } = of(scope)
        standings.set(keyOf(scope), { booked, reserved: addReading(reserved, reading) })
      }
    },
    standingOf: account => {
      const scopes = scopesOf(account)
      const standing = (wanted: ReadingScope['scope']): ReadingStanding => {
        const found = scopes.find(({ scope }) => scope === wanted)
        return found ? of(found) : nothing
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

const nothing: ReadingStanding = { booked: noReading, reserved: noReading }

const keyOf = ({ scope, day, name }: ReadingScope): string =>
  JSON.stringify([scope, scope === 'question' ? '' : day, name])

const addReading = (a: Reading, b: Reading): Reading => ({
  rows: a.rows + b.rows,
  milliseconds: a.milliseconds + b.milliseconds,
})
