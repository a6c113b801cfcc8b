import type { Database } from './database.ts'
import type { ReferencedTable } from './touched-table.ts'

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
export interface VerifiedTemplate {
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
