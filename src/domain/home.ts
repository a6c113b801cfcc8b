import type { NotAllowed } from './access.ts'
import type { VoteCount } from './feedback.ts'
import type { ProposedRule } from './knowledge.ts'
import type { SlackLocation } from './message.ts'
import type { DeadJob } from './operations/jobs.ts'
import type { QuestionStatus } from './question.ts'
import type { ChallengeReport } from './ranking.ts'
import type { StoredVerifiedQuery } from './verified-query.ts'

/** A database as a person sees it. */
export interface HomeDatabase {
  /** As in `Database.name`. */
  readonly name: string
  readonly description: string | null
  /** Where the person may ask it: names of channels, without `#`. */
  readonly channels: readonly string[]
  readonly direct: boolean
  /** Null while it is read for the first time, or where it cannot be reached. */
  readonly known: {
    readonly tables: readonly { readonly name: string; readonly rows: number | null }[]
    /** When the oldest of its measurements was made. */
    readonly measuredAt: Date
  } | null
}

/** A question of somebody's, with where it stands. */
export interface RecentQuestion {
  readonly id: string
  readonly text: string
  readonly status: QuestionStatus
  readonly askedAt: Date
  readonly location: SlackLocation
}

/** A question that failed, and why as far as that was kept. */
export interface FailedQuestion extends RecentQuestion {
  readonly reason: string | null
}

/** What admins see and decide. Counts are of all time. */
export interface AdminFacts {
  readonly questions: { readonly answered: number; readonly refused: number; readonly failed: number }
  readonly votes: VoteCount
  /** `report` is null for the selector that comes with Querent: it was measured elsewhere. */
  readonly selector: { readonly version: string; readonly report: ChallengeReport | null }
  readonly verified: {
    readonly accepted: number
    readonly proposed: number
    readonly stale: readonly StoredVerifiedQuery[]
  }
  readonly rules: readonly ProposedRule[]
  readonly failed: readonly FailedQuestion[]
  /** Jobs that failed for good: the latest, and how many there are. */
  readonly dead: { readonly jobs: readonly DeadJob[]; readonly total: number }
  /** Names of databases whose index can be rebuilt. */
  readonly databases: readonly string[]
  /** Workspaces whose token could not be exchanged for the next one. */
  readonly failedTokens: readonly FailedToken[]
}

/** A workspace that has to install the app again, unless an exchange works before its token has expired. */
export interface FailedToken {
  readonly teamName: string
  readonly reason: string
  readonly expiresAt: Date | null
}

/** What App Home shows to one person. */
export interface HomeFacts {
  /** Null where the person may be answered somewhere. */
  readonly notAllowed: NotAllowed | null
  readonly databases: readonly HomeDatabase[]
  /** Questions that are known to give an answer in direct messages. */
  readonly examples: readonly string[]
  readonly recent: readonly RecentQuestion[]
  /** Null for everybody who is no admin. */
  readonly admin: AdminFacts | null
  /** Something was not there in time, and is worth waiting for. */
  readonly isPartial: boolean
}

/**
 * Looks up what App Home shows to a person: within a second or two, with what is there by then; or, `patient`, all of
 * it, however long a database takes to be read.
 */
export type DescribeHome = (
  asker: { readonly person: string; readonly team: string },
  options?: { readonly patient: boolean },
) => Promise<HomeFacts>

/** The tables of the database that a place asks, or one of them. */
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
        /** Its values are shown to nobody. */
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

/** The verified queries of the database that a place asks. */
export type VerifiedDescription =
  | NotAllowed
  | {
      readonly status: 'verified'
      readonly database: string
      /** Questions of accepted ones, the newest first. */
      readonly questions: readonly string[]
    }

export type DescribeVerified = (given: {
  readonly person: string
  readonly location: Pick<SlackLocation, 'team' | 'channel'>
}) => Promise<VerifiedDescription>

/**
 * Has a database measured and indexed anew, for an admin. Once it resolves with `begun` a job is stored that does it,
 * whatever becomes of this process, and shows the tab again to whoever asked.
 */
export type RebuildIndex = (given: {
  readonly database: string
  readonly by: { readonly person: string; readonly team: string }
}) => Promise<
  { readonly status: 'begun' } | { readonly status: 'not-admin' } | { readonly status: 'unknown' }
>
