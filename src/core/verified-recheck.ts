import type { Database } from './database.ts'
import type { VerifiedQuery } from './verified-query.ts'

/** How running a verified query went. */
export type VerifiedTrial =
  | {
      readonly status: 'ran'
      /** Rows that were read, which a cap may have cut. */
      readonly rowCount: number
      /** Equal for equal results, whatever their order; null where a cap cut the rows. */
      readonly resultHash: string | null
    }
  /** The guard or the database refused it, and will again. */
  | { readonly status: 'broken'; readonly reason: string }
  /** It reads more than is read unasked. That says nothing against it: whoever asks for it is asked. */
  | { readonly status: 'too-heavy'; readonly reason: string }
  /** The database was away or too slow, which says nothing of the query. */
  | { readonly status: 'unreachable'; readonly reason: string }

/** The last time that a verified query was run again. */
export type VerifiedRun = VerifiedTrial & {
  readonly at: Date
  /** When it was first too heavy, while it has not run since: its owner was told then. */
  readonly heavySince?: Date | undefined
}

/** Why an accepted query is used no more: sentences for a person, without a full stop. */
export interface Staleness {
  readonly since: Date
  readonly reasons: readonly string[]
}

/** A verified query with what became of it since it was saved. */
export interface StoredVerifiedQuery extends VerifiedQuery {
  readonly lastRun: VerifiedRun | null
  /** Set while its status is `stale`. */
  readonly staleness: Staleness | null
  /** When it is to be run again, while it is accepted; null for at once. */
  readonly dueAt: Date | null
}

/** Runs a verified query again under the guard and the caps of its database. Rejects only when the signal fired. */
export type TryVerified = (
  query: Pick<VerifiedQuery, 'sql'>,
  database: Database,
  options?: { readonly signal?: AbortSignal },
) => Promise<VerifiedTrial>

/** Names one time of being stale: each of them is told to the owner once, and settled once. */
export interface StalenessKey {
  readonly queryId: string
  readonly since: Date
}

/**
 * How settling it went. `unfit`: it still does not run, so it cannot be kept. `taken`: its question has another accepted
 * query by now. `settled`: somebody did already. `not-theirs`: only the owner decides here.
 */
export type ResolveStaleResult =
  | { readonly status: 'kept'; readonly query: StoredVerifiedQuery }
  | { readonly status: 'removed'; readonly query: StoredVerifiedQuery }
  | { readonly status: 'taken'; readonly query: StoredVerifiedQuery }
  | { readonly status: 'unfit'; readonly query: StoredVerifiedQuery; readonly reason: string }
  | { readonly status: 'settled'; readonly query: StoredVerifiedQuery | null }
  | { readonly status: 'not-theirs' }

/** Keeps a stale query, or removes it. */
export type ResolveStaleVerified = (given: {
  readonly key: StalenessKey
  readonly decision: 'keep' | 'remove'
  readonly by: string | null
  /** Whether `by` has to be who saved it. */
  readonly ownerOnly: boolean
  readonly signal?: AbortSignal
}) => Promise<ResolveStaleResult>

/**
 * Tells the owner of a stale query and asks what shall become of it, once; of one that is too heavy since then, only that it is
 * so. Does nothing where the owner cannot be reached.
 */
export type AskOwner = (query: StoredVerifiedQuery, since: Date) => Promise<void>

/** The log of what owners were asked, as `OutboundMessageLog` is of answers: claimed before it is posted, `ts` stored after. */
export interface OwnerNoticeLog {
  /** False when it was claimed before. */
  claim(notice: StalenessKey & { readonly channel: string; readonly claimedAt: Date }): Promise<boolean>
  find(key: StalenessKey): Promise<{ readonly channel: string; readonly ts: string | null } | null>
  markPosted(key: StalenessKey, posted: { readonly ts: string; readonly at: Date }): Promise<void>
}
