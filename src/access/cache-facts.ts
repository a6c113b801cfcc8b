import type { AccessFactSource, LookupPatience } from '../domain/access/access.ts'

/** A new guest or a newly shared channel is noticed within this time. */
const FRESH_MS = 5 * 60_000

/** The most cached facts of one kind; beyond that the oldest are dropped. */
const MAX_ENTRIES = 10_000

/** Caches facts; failed lookups are not cached. Equal lookups at the same time share one call. */
export const cacheFacts = (facts: AccessFactSource, now: () => number): AccessFactSource => ({
  person: caching(facts.person, now),
  channel: caching(facts.channel, now),
  members: caching(facts.members, now),
  isIn: cachingYes(facts.isIn, now),
  channelsOf: caching(facts.channelsOf, now),
  channelMembers: caching(facts.channelMembers, now),
})

/** Only membership is cached, not its absence: a person told to join a channel does so and tries again. */
const cachingYes = (learn: AccessFactSource['isIn'], now: () => number): AccessFactSource['isIn'] => {
  const isKnown = caching(async (key, patience) => {
    const [person = '', channel = ''] = key.split(' ')
    if (!(await learn(person, channel, patience))) throw new NotIn()
  }, now)
  return async (person, channel, patience) => {
    try {
      await isKnown(`${person} ${channel}`, patience)
      return true
    } catch (error) {
      if (error instanceof NotIn) return false
      throw error
    }
  }
}

/** Failures and absences are not cached. */
class NotIn extends Error {}

const caching = <T>(
  learn: (id: string, patience: LookupPatience) => Promise<T>,
  now: () => number,
): ((id: string, patience: LookupPatience) => Promise<T>) => {
  const kept = new Map<string, { readonly at: number; readonly fact: T }>()
  const asking = new Map<string, Promise<T>>()
  return (id, patience) => {
    const known = kept.get(id)
    if (known && now() - known.at < FRESH_MS) return Promise.resolve(known.fact)
    // A quick caller does not wait for a patient lookup.
    const key = `${patience} ${id}`
    const underWay = asking.get(key)
    if (underWay) return underWay
    const asked = learn(id, patience)
      .then(fact => {
        kept.delete(id)
        kept.set(id, { at: now(), fact })
        const [oldest] = kept.keys()
        if (kept.size > MAX_ENTRIES && oldest !== undefined) kept.delete(oldest)
        return fact
      })
      .finally(() => asking.delete(key))
    asking.set(key, asked)
    return asked
  }
}
