import type { SeesValue } from '../domain/access/sees-value.ts'
import type {
  ResolveStaleResult,
  ResolveStaleVerified,
  StoredVerifiedQuery,
} from '../domain/verified-query.ts'
import { type ReadingDeps, readableQuery } from './readable-decisions.ts'

interface Reader {
  readonly person: string
  readonly team: string
}

/** A verified query as one person may read it. */
export const makeReadVerified =
  ({ findReader, dialectOf }: ReadingDeps) =>
  async (query: StoredVerifiedQuery, reader: Reader): Promise<StoredVerifiedQuery> => {
    const sees: SeesValue = await findReader({ ...reader, writtenFor: query.database })
    return readableQuery(query, sees, dialectOf(query.database))
  }

/** What owners and admins do with verified queries, with every query as they may read it. */
export const makeReadableVerified = (
  resolve: ResolveStaleVerified,
  deps: ReadingDeps & { readonly find: (id: string) => Promise<StoredVerifiedQuery | null> },
) => {
  const read = makeReadVerified(deps)
  return {
    findVerified: async (queryId: string, reader: Reader): Promise<StoredVerifiedQuery | null> => {
      const query = await deps.find(queryId)
      return query && read(query, reader)
    },
    resolveStaleVerified: async (
      given: Parameters<ResolveStaleVerified>[0] & { readonly by: string; readonly team: string },
    ): Promise<ResolveStaleResult> => {
      const settled = await resolve(given)
      if (settled.status === 'not-theirs' || settled.query === null) return settled
      const query = await read(settled.query, { person: given.by, team: given.team })
      // What the database said names values as well.
      return settled.status === 'unfit' && query !== settled.query
        ? { ...settled, query, reason: unreadableReason }
        : { ...settled, query }
    },
  }
}

const unreadableReason = 'it failed on rows that you may not see'
