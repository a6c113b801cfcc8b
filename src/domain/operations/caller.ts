import type { NotAllowed } from '../access/access.ts'
import type { Claims } from '../access/data-rights.ts'
import type { AnswerRunOptions, Outcome } from '../answer.ts'
import type { ForeignKey } from '../catalog.ts'
import type { ClarificationReply } from '../clarification.ts'
import type { LayerListing, NamedQuery } from '../metrics/named-query.ts'
import type { ValueMatch } from '../question-context.ts'
import type { ResultTable } from '../result.ts'

/** A person who asks through a program instead of a conversation in Slack. */
export interface Caller {
  /** Null for the person at the shell, who has the rights of the command line. */
  readonly person: string | null
  /** The Slack workspace whose rules decide for the person; null if none does. */
  readonly team: string | null
  /** The databases that the program may ask on their behalf, the default first; null if nothing narrows them. */
  readonly databases: readonly string[] | null
  /** What is known about the person, for groups under `access`; nothing if left out. With a team, Slack tells instead. */
  readonly claims?: Claims
}

/**
 * The databases that a caller can ask now, the default first, as `formatDatabaseRef` writes them, with the key of the
 * caller's rights.
 */
export type ListCallerDatabases = (caller: Caller) => Promise<readonly string[] | NotAllowed>

/** Decides which database a caller asks: the named one, or the default for null. */
export type AdmitCaller = (
  caller: Caller,
  named: string | null,
) => Promise<{ readonly status: 'admitted'; readonly database: string } | NotAllowed>

/**
 * How a question of a program ended, or that it goes on longer than its caller waits. `unknown`: there is none with this id
 * that the caller asked. `no-option`: it has only so many options.
 */
export type CallerAnswer =
  | {
      readonly status: 'done'
      readonly questionId: string
      readonly database: string
      readonly outcome: Outcome
      /** The rows of an answer; null for every other outcome, and once they have expired. */
      readonly table: ResultTable | null
    }
  | { readonly status: 'working'; readonly questionId: string; readonly database: string }
  | { readonly status: 'no-option'; readonly number: number; readonly options: number }
  | { readonly status: 'unknown' | 'stopped' }
  | NotAllowed

/**
 * How long a caller waits. With `patienceMs` the question goes on without them; otherwise it is stopped if the signal
 * fires.
 */
export interface CallerRunOptions extends AnswerRunOptions {
  readonly patienceMs?: number
}

/** Asks a question and waits for its outcome. */
export type AskAsCaller = (
  caller: Caller,
  asked: {
    readonly text: string
    readonly database: string | null
    /** The id of an earlier question that this one follows. */
    readonly follows?: string
  },
  run?: CallerRunOptions,
) => Promise<CallerAnswer>

/**
 * Replies to a question back and waits for the outcome; without a reply, only waits. A question whose process died is
 * continued where it was; one that has ended gives its outcome again.
 */
export type ReplyAsCaller = (
  caller: Caller,
  given: { readonly questionId: string; readonly reply: ClarificationReply | null },
  run?: CallerRunOptions,
) => Promise<CallerAnswer>

/** How a caller names a database; null for the default. */
interface OfDatabase {
  readonly database: string | null
}

interface Stoppable {
  readonly signal?: AbortSignal
}

/** The rows of a statement that a caller asked for. `unfit`: it was not run, or did not work, and what to do next. */
export type CallerRows =
  | {
      readonly status: 'ran'
      readonly database: string
      readonly headline: string
      readonly table: ResultTable
      readonly sql: string
      readonly assumptions: readonly string[]
    }
  | { readonly status: 'unfit'; readonly reason: string; readonly nextStep: string }
  | NotAllowed

/** Runs one read-only statement, under the guard, limits and quotas of every other. */
export type RunSqlAsCaller = (
  caller: Caller,
  given: OfDatabase & { readonly sql: string },
  options?: Stoppable,
) => Promise<CallerRows>

/** Computes a metric query. */
export type QueryMetricAsCaller = (
  caller: Caller,
  given: OfDatabase & { readonly query: NamedQuery },
  options?: Stoppable,
) => Promise<CallerRows>

/** A table or view as a caller may see it. */
export interface FoundTable {
  readonly name: string
  readonly type: 'table' | 'view'
  readonly rowCount: number | null
  readonly description: string | null
  /** Left out in a list of all tables. */
  readonly columns?: readonly {
    readonly name: string
    readonly type: string
    readonly description: string | null
    /** Its values are hidden. */
    readonly isMasked: boolean
  }[]
}

/** What a search for tables and columns found. */
export type CallerSchema =
  | {
      readonly status: 'found'
      readonly database: string
      readonly databases: readonly string[]
      readonly tables: readonly FoundTable[]
      /** All tables there are, also those that are not in the list. */
      readonly tableCount: number
      readonly keys: readonly ForeignKey[]
      readonly values: readonly ValueMatch[]
    }
  | NotAllowed

/** Finds the tables, columns and values that words are about; without words, lists the tables. */
export type SearchSchemaAsCaller = (
  caller: Caller,
  given: OfDatabase & { readonly words: string },
  options?: Stoppable,
) => Promise<CallerSchema>

/** Lists the semantic layer of a database, or the part of it that has the words. */
export type ListMetricsAsCaller = (
  caller: Caller,
  given: OfDatabase & { readonly words: string },
  options?: Stoppable,
) => Promise<
  { readonly status: 'listed'; readonly database: string; readonly layer: LayerListing } | NotAllowed
>

/** Lists questions with SQL that people approved, or those that have the words. */
export type ListVerifiedAsCaller = (
  caller: Caller,
  given: OfDatabase & { readonly words: string },
  options?: Stoppable,
) => Promise<
  | {
      readonly status: 'listed'
      readonly database: string
      readonly queries: readonly { readonly question: string; readonly sql: string }[]
    }
  | NotAllowed
>
