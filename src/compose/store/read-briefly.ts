import type { ListVerified } from '../../core/verified-query.ts'

/** The drafts of one question read the same list a dozen times; somebody who accepts a query waits no longer than this. */
const FRESH_MS = 5_000

/** The list as it was read a moment ago, else read anew. What could not be read is not remembered. */
export const cacheVerifiedBriefly = (listVerified: ListVerified, now: () => number): ListVerified => {
  const known = new Map<string, { readonly at: number; readonly list: ReturnType<ListVerified> }>()
  return database => {
    const read = known.get(database)
    if (read && now() - read.at < FRESH_MS) return read.list
    // Without the signal of whoever asks first: others wait for the same list.
    const list = listVerified(database)
    known.set(database, { at: now(), list })
    list.catch(() => known.delete(database))
    return list
  }
}
