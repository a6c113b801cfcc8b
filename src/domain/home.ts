import type { NotAllowed } from './access/access.ts'
import type { VoteCount } from './feedback.ts'
import type { ProposedRule } from './knowledge.ts'
import type { SlackLocation } from './message.ts'
import type { LayerProposal } from './metrics/layer-decision.ts'
import type { DeadJob } from './operations/jobs.ts'
import type { QuestionStatus } from './question.ts'
import type { ChallengeReport } from './selection/ranking.ts'
import type { StoredVerifiedQuery } from './verified-query.ts'

/** A database as one person sees it. */
export interface HomeDatabase {
  /** As in `Database.name`. */
  readonly name: string
  readonly description: string | null
  /** The channels where the person can ask it, without `#`. */
  readonly channels: readonly string[]
  readonly direct: boolean
  /** What the person sees of it and why; empty if everyone who can ask sees the same. */
  readonly rights: readonly string[]
  /** Null while it is read for the first time, or if it cannot be reached. */
  readonly known: {
    readonly tables: readonly { readonly name: string; readonly rows: number | null }[]
    /** When the oldest profile was made. */
    readonly measuredAt: Date
  } | null
}

/** A recent question and where it was asked. */
export interface RecentQuestion {
  readonly id: string
  readonly text: string
  readonly status: QuestionStatus
  readonly askedAt: Date
  readonly location: SlackLocation
}

/** A failed question, with the reason if it was stored. */
export interface FailedQuestion extends RecentQuestion {
  readonly reason: string | null
  /** As `formatDatabaseRef` writes it, with the rights of who asked. */
  readonly database: string
}

/** What admins see and decide. Counts cover all time. */
export interface AdminFacts {
  readonly questions: { readonly answered: number; readonly refused: number; readonly failed: number }
  readonly votes: VoteCount
  /** `report` is null for the selector that ships with Querent; it was measured elsewhere. */
  readonly selector: { readonly version: string; readonly report: ChallengeReport | null }
  readonly verified: {
    readonly accepted: number
    readonly proposed: readonly StoredVerifiedQuery[]
    readonly stale: readonly StoredVerifiedQuery[]
  }
  readonly rules: readonly ProposedRule[]
  /** Metrics and segments that nobody has decided about. Null if a database was not ready in time. */
  readonly proposals: readonly LayerProposal[] | null
  readonly failed: readonly FailedQuestion[]
  /** Jobs that failed for good: the latest ones, and the total. */
  readonly dead: { readonly jobs: readonly DeadJob[]; readonly total: number }
  /** Databases whose index can be rebuilt. */
  readonly databases: readonly string[]
  /** Workspaces whose token could not be refreshed. */
  readonly failedTokens: readonly FailedToken[]
}

/** A workspace that must reinstall the app unless a refresh succeeds before its token expires. */
export interface FailedToken {
  readonly teamName: string
  readonly reason: string
  readonly expiresAt: Date | null
}

/** What App Home shows one person. */
export interface HomeFacts {
  /** Null if the person can get answers somewhere. */
  readonly notAllowed: NotAllowed | null
  readonly databases: readonly HomeDatabase[]
  /** Example questions that are known to give an answer in direct messages. */
  readonly examples: readonly string[]
  readonly recent: readonly RecentQuestion[]
  /** Null for everyone who is not an admin. */
  readonly admin: AdminFacts | null
  /** Some part was not ready in time; loading again is worthwhile. */
  readonly isPartial: boolean
}

/**
 * Collects what App Home shows a person: within a second or two, with what is ready by then, or, if `patient`, all of
 * it, however long that takes.
 */
export type DescribeHome = (
  asker: { readonly person: string; readonly team: string },
  options?: { readonly patient: boolean },
) => Promise<HomeFacts>

/** The tables of a location's database, or one table. */
export type SchemaDescription =
  | NotAllowed
  | {
      readonly status: 'tables'
      readonly database: string
      readonly tables: readonly {
        readonly name: string
        readonly rows: number | null
        readonly comment: string | null
      }[]
    }
  | {
      readonly status: 'table'
      readonly database: string
      readonly name: string
      readonly rows: number | null
      readonly comment: string | null
      readonly columns: readonly {
        readonly name: string
        readonly type: string
        readonly comment: string | null
        /** Its values are never shown. */
        readonly masked: boolean
      }[]
    }
  | {
      readonly status: 'no-such-table'
      readonly database: string
      readonly table: string
      readonly tables: readonly string[]
    }

export type DescribeSchema = (given: {
  readonly person: string
  readonly location: Pick<SlackLocation, 'team' | 'channel'>
  readonly table: string | null
}) => Promise<SchemaDescription>

/** The verified queries of a location's database. */
export type VerifiedDescription =
  | NotAllowed
  | {
      readonly status: 'verified'
      readonly database: string
      /** Questions of accepted queries, newest first. */
      readonly questions: readonly string[]
    }

export type DescribeVerified = (given: {
  readonly person: string
  readonly location: Pick<SlackLocation, 'team' | 'channel'>
}) => Promise<VerifiedDescription>

/**
 * Rebuilds a database's index for an admin. Once it resolves with `begun`, a stored job does the work even if this
 * process dies, and refreshes the admin's home tab.
 */
export type RebuildIndex = (given: {
  readonly database: string
  readonly by: { readonly person: string; readonly team: string }
}) => Promise<
  { readonly status: 'begun' } | { readonly status: 'not-admin' } | { readonly status: 'unknown' }
>
