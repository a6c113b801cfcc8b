import type { AccessFactSource, LookupPatience } from '../domain/access.ts'

/** Somebody who becomes a guest, or a channel that becomes shared, is noticed within this time. */
const FRESH_MS = 5 * 60_000

/** Facts kept of one kind; beyond it the oldest go. */
const MAX_ENTRIES = 10_000

/**
 * Facts that were learned lately are not asked for again; those that could not be learned are. Equal questions at once
 * are one call.
 */
export const cacheFacts = (facts: AccessFactSource, now: () => number): AccessFactSource => ({
  person: caching(facts.person, now),
  channel: caching(facts.channel, now),
  members: caching(facts.members, now),
  isIn: cachingYes(facts.isIn, now),
  channelsOf: caching(facts.channelsOf, now),
})

/** Only that somebody is in a channel is kept: who was told to join it does so, and tries again. */
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

/** What could not be learned is not kept, and neither is this. */
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
    // Whoever has little time does not join somebody who has much.
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
