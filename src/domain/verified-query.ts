import type { DraftInput } from './candidate.ts'
import type { Database } from './database.ts'
import type { ReferencedTable } from './schema-drift.ts'
import type { Dialect } from './sql.ts'

/**
 * `proposed` waits for review; only `accepted` queries are used; `stale` ones no longer ran or their tables changed,
 * and wait for their owner; `removed` ones stay visible.
 */
export type VerifiedStatus = 'proposed' | 'accepted' | 'stale' | 'removed'

export const verifiedStatuses = [
  'proposed',
  'accepted',
  'stale',
  'removed',
] as const satisfies readonly VerifiedStatus[]

/**
 * A part of a verified question that became literals in its SQL, so that a question naming another value, number or
 * period can use its own. `at` is [start, end) in UTF-16 units of the question.
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

/** What is derived once from a question and its SQL when they are saved. */
interface VerifiedTemplate {
  /** The question with values, numbers, periods and schema words masked (DAIL-SQL 3.2). */
  readonly maskedQuestion: string
  /** The SQL without names and literals; null if it cannot be parsed. */
  readonly skeleton: string | null
  readonly slots: readonly VerifiedSlot[]
  /** The part of the schema the SQL read at that time; null if the SQL cannot be parsed. */
  readonly touches: readonly ReferencedTable[] | null
}

/** A question with SQL that a person vouches for. */
export interface VerifiedQuery extends VerifiedTemplate {
  readonly id: string
  /** Name of the database, as in `Database.name`. */
  readonly database: string
  readonly question: string
  readonly sql: string
  /** Catalog fingerprint when it was saved. */
  readonly fingerprint: string
  readonly status: VerifiedStatus
  readonly savedBy: string | null
  readonly savedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

/** The accepted queries of a database, newest first. */
export type ListVerified = (
  database: string,
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly VerifiedQuery[]>

/** Derives the template from a question and its SQL. Rejects only when the signal fired. */
export type BuildVerifiedTemplate = (
  given: { readonly question: string; readonly sql: string },
  database: Database,
  options?: { readonly signal?: AbortSignal },
) => Promise<VerifiedTemplate>

/**
 * The result of saving. `unfit`: the guard or the database refused the SQL. `taken`: the question already has an
 * accepted query.
 */
export type SaveVerifiedResult =
  | { readonly status: 'saved'; readonly query: VerifiedQuery; readonly rowCount: number }
  | { readonly status: 'unfit'; readonly reason: string }
  | { readonly status: 'taken' }

/** Saves a question with its SQL after the guard allowed it and the database ran it. */
export type SaveVerified = (given: {
  readonly question: string
  readonly sql: string
  readonly database: Database
  readonly status: 'proposed' | 'accepted'
  readonly savedBy: string | null
  readonly signal?: AbortSignal
}) => Promise<SaveVerifiedResult>

/** An accepted verified query and how similar its question is to the one asked, 0 to 1. */
export interface SimilarVerifiedQuery {
  readonly query: VerifiedQuery
  readonly likeness: number
}

/**
 * Finds the verified queries of a database, most similar first; none if they cannot be read. Rejects only when the
 * signal fired.
 */
export type FindSimilarVerified = (
  input: Pick<DraftInput, 'understanding' | 'database' | 'matches' | 'signal'>,
) => Promise<readonly SimilarVerifiedQuery[]>

/**
 * Builds the measure of how much a statement resembles the verified queries, 0 to 1. Pure; similar queries are parsed
 * only once.
 */
export type MakeVerifiedSimilarity = (
  near: readonly SimilarVerifiedQuery[],
  dialect: Dialect,
) => (sql: string) => number

/** The result of running a verified query. */
export type VerifiedTrial =
  | {
      readonly status: 'ran'
      /** Rows read; a cap may have cut them. */
      readonly rowCount: number
      /** Equal for equal results in any row order; null if a cap cut the rows. */
      readonly resultHash: string | null
    }
  /** The guard or the database refused it, and will again. */
  | { readonly status: 'broken'; readonly reason: string }
  /** It reads too much without confirmation. It is still valid: a person who asks it confirms. */
  | { readonly status: 'too-heavy'; readonly reason: string }
  /** The database was unavailable or too slow, which says nothing about the query. */
  | { readonly status: 'unreachable'; readonly reason: string }

/** The last recheck of a verified query. */
export type VerifiedRun = VerifiedTrial & {
  readonly at: Date
  /** When it first was too expensive since it last ran; its owner was told then. */
  readonly heavySince?: Date | undefined
}

/** Why an accepted query is no longer used: sentences without a final period. */
export interface Staleness {
  readonly since: Date
  readonly reasons: readonly string[]
}

/** A verified query and what happened to it since it was saved. */
export interface StoredVerifiedQuery extends VerifiedQuery {
  readonly lastRun: VerifiedRun | null
  /** Set while its status is `stale`. */
  readonly staleness: Staleness | null
  /** When an accepted query is due for a recheck; null for at once. */
  readonly dueAt: Date | null
}

/** Rechecks a verified query under the guard and caps of its database. Rejects only when the signal fired. */
export type TryVerified = (
  query: Pick<VerifiedQuery, 'sql'>,
  database: Database,
  options?: { readonly signal?: AbortSignal },
) => Promise<VerifiedTrial>

/** Identifies one time a query went stale: the owner is told once, and it is resolved once. */
export interface StalenessKey {
  readonly queryId: string
  readonly since: Date
}

/**
 * The result of resolving a stale query. `unfit`: it still does not run, so it cannot be kept. `taken`: its question
 * has another accepted query by now. `settled`: it was resolved before. `not-theirs`: only the owner can decide here.
 */
export type ResolveStaleResult =
  | { readonly status: 'kept'; readonly query: StoredVerifiedQuery }
  | { readonly status: 'removed'; readonly query: StoredVerifiedQuery }
  | { readonly status: 'taken'; readonly query: StoredVerifiedQuery }
  | { readonly status: 'unfit'; readonly query: StoredVerifiedQuery; readonly reason: string }
  | { readonly status: 'settled'; readonly query: StoredVerifiedQuery | null }
  | { readonly status: 'not-theirs' }

/**
 * Accepts a proposed query, or removes it. `taken` if its question has an accepted one; null if it is not proposed any
 * more.
 */
export type DecideVerified = (given: {
  readonly queryId: string
  readonly decision: 'accept' | 'remove'
  readonly by: string
}) => Promise<StoredVerifiedQuery | 'taken' | null>

/** Keeps or removes a stale query. */
export type ResolveStaleVerified = (given: {
  readonly key: StalenessKey
  readonly decision: 'keep' | 'remove'
  readonly by: string | null
  /** Whether `by` must be the person who saved it. */
  readonly ownerOnly: boolean
  readonly signal?: AbortSignal
}) => Promise<ResolveStaleResult>

/**
 * Tells the owner of a stale query and asks what to do with it, once; for a query that has become too expensive, only
 * tells. Does nothing if the owner cannot be reached.
 */
export type AskOwner = (query: StoredVerifiedQuery, since: Date) => Promise<void>

/** The log of owner notices, as `OutboundMessageLog` is for answers: claimed before posting, `ts` stored after. */
export interface OwnerNoticeLog {
  /** False if it was claimed before. */
  claim(notice: StalenessKey & { readonly channel: string; readonly claimedAt: Date }): Promise<boolean>
  find(key: StalenessKey): Promise<{ readonly channel: string; readonly ts: string | null } | null>
  markPosted(key: StalenessKey, posted: { readonly ts: string; readonly at: Date }): Promise<void>
}

/** Saves the SQL of an answer with its question, as a proposal or, for a reviewer, as accepted. */
export type ProposeVerified = (given: {
  readonly questionId: string
  readonly person: string
  readonly status: 'proposed' | 'accepted'
  /** The SQL that was reviewed, if the answer may have changed since. */
  readonly sql?: string
  readonly signal?: AbortSignal
}) => Promise<SaveVerifiedResult | { readonly status: 'gone' }>
