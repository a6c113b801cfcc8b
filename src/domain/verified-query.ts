import type { DraftInput } from './candidate.ts'
import type { Database } from './database.ts'
import type { ReferencedTable } from './schema-drift.ts'
import type { Dialect } from './sql.ts'

/**
 * `proposed` waits for somebody to look at it; only `accepted` ones are used; `stale` ones were accepted until they
 * stopped running or their tables changed, and wait for their owner; `removed` ones are kept to be seen.
 */
export type VerifiedStatus = 'proposed' | 'accepted' | 'stale' | 'removed'

export const verifiedStatuses = [
  'proposed',
  'accepted',
  'stale',
  'removed',
] as const satisfies readonly VerifiedStatus[]

/**
 * A piece of a verified question that became literals of its SQL, so that a question which names another value, number
 * or period there can have its own. `at` is [start, end) in UTF-16 units of the question.
 */
export type VerifiedSlot =
  | {
      readonly kind: 'value'
      readonly at: readonly [number, number]
      readonly table: string
      readonly column: string
      readonly value: string
    }
  | { readonly kind: 'number'; readonly at: readonly [number, number]; readonly value: number }
  | {
      readonly kind: 'period'
      readonly at: readonly [number, number]
      readonly from: string | null
      readonly until: string | null
    }

/** What is read of a question and its SQL together, once, when they are saved. */
interface VerifiedTemplate {
  /** The question with what it names put out of sight: values, numbers, periods, words of the schema (DAIL-SQL 3.2). */
  readonly maskedQuestion: string
  /** The SQL without names and literals; null where it cannot be parsed. */
  readonly skeleton: string | null
  readonly slots: readonly VerifiedSlot[]
  /** The part of the schema that the SQL reads, as it was then; null where the SQL cannot be parsed. */
  readonly touches: readonly ReferencedTable[] | null
}

/** A question with SQL that somebody stands for. */
export interface VerifiedQuery extends VerifiedTemplate {
  readonly id: string
  /** Name of the database, as in `Database.name`. */
  readonly database: string
  readonly question: string
  readonly sql: string
  /** Of the catalog under which it was saved. */
  readonly fingerprint: string
  readonly status: VerifiedStatus
  readonly savedBy: string | null
  readonly savedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

/** The accepted queries of a database, the newest first. */
export type ListVerified = (
  database: string,
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly VerifiedQuery[]>

/** Reads a question and its SQL together. Rejects only when the signal fired. */
export type BuildVerifiedTemplate = (
  given: { readonly question: string; readonly sql: string },
  database: Database,
  options?: { readonly signal?: AbortSignal },
) => Promise<VerifiedTemplate>

/** How saving went. `unfit`: the guard or the database refused the SQL. `taken`: the question has an accepted query. */
export type SaveVerifiedResult =
  | { readonly status: 'saved'; readonly query: VerifiedQuery; readonly rowCount: number }
  | { readonly status: 'unfit'; readonly reason: string }
  | { readonly status: 'taken' }

/** Saves a question with its SQL, once the guard has let the SQL through and the database has run it. */
export type SaveVerified = (given: {
  readonly question: string
  readonly sql: string
  readonly database: Database
  readonly status: 'proposed' | 'accepted'
  readonly savedBy: string | null
  readonly signal?: AbortSignal
}) => Promise<SaveVerifiedResult>

/** An accepted verified query, and how alike its question is to the one that is asked, from 0 to 1. */
export interface SimilarVerifiedQuery {
  readonly query: VerifiedQuery
  readonly likeness: number
}

/** Finds all of a database, the most alike first; none where they cannot be read. Rejects only when the signal fired. */
export type FindSimilarVerified = (
  input: Pick<DraftInput, 'understanding' | 'database' | 'matches' | 'signal'>,
) => Promise<readonly SimilarVerifiedQuery[]>

/** Makes the measure of how much a statement looks like them, from 0 to 1. Pure; what is near is taken apart once. */
export type MakeVerifiedSimilarity = (
  near: readonly SimilarVerifiedQuery[],
  dialect: Dialect,
) => (sql: string) => number

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

/** Saves the SQL of an answer with its question, as a proposal or, by whoever was asked to look at it, as accepted. */
export type ProposeVerified = (given: {
  readonly questionId: string
  readonly person: string
  readonly status: 'proposed' | 'accepted'
  /** The SQL that was looked at, where the answer may have changed meanwhile. */
  readonly sql?: string
  readonly signal?: AbortSignal
}) => Promise<SaveVerifiedResult | { readonly status: 'gone' }>
