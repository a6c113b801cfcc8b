import type { ListVerified } from '../../core/verified-query.ts'
import type { ReadIfReachable } from './reach-store.ts'

/** The accepted queries for a question that is kept in memory, where our store can be reached at little cost. */
export const makeListReachableVerified =
  (reach: ReadIfReachable): ListVerified =>
  (database, { signal } = {}) =>
    reach(store => store.repositories.verifiedQueries.list({ database, status: 'accepted' }), {
      otherwise: [],
      ...(signal ? { signal } : {}),
    })
