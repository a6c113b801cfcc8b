import type { ListVerified } from '../domain/verified-query.ts'

/** The drafts of one question read the same list a dozen times. An accepted query is used after this time at most. */
const FRESH_MS = 5_000

/** Caches lists of verified queries for a moment. Failures are not cached. */
export const cacheVerifiedBriefly = (listVerified: ListVerified, now: () => number): ListVerified => {
  const known = new Map<string, { readonly at: number; readonly list: ReturnType<ListVerified> }>()
  return database => {
    const read = known.get(database)
    if (read && now() - read.at < FRESH_MS) return read.list
    // Without the caller's signal: others wait for the same list.
    const list = listVerified(database)
    known.set(database, { at: now(), list })
    list.catch(() => known.delete(database))
    return list
  }
}
