import type { SchemaSnapshot } from './known-schema.ts'
import type { ResultTable } from './result.ts'
import type { ParsedSchedule } from './schedule.ts'

/**
 * SQL whose relative periods move with the clock: the guarded text as it was saved, and which of its literals are the
 * bounds of a period in words. Saved on a Monday with "last week", it means another week on the next.
 */
export interface RelativeSql {
  readonly sql: string
  /** Day (ISO) against which the periods were resolved when `sql` was written. */
  readonly today: string
  readonly periods: readonly RelativePeriod[]
}

/** One period of the question, and where its bounds stand in the SQL. */
export interface RelativePeriod {
  /** As asked, for instance `last month`. */
  readonly phrase: string
  readonly bounds: readonly {
    readonly bound: 'from' | 'until' | 'last-day'
    /** The literal, [start, end) in UTF-16 units of `sql`, quotes included. */
    readonly at: readonly [number, number]
  }[]
}

/** One question of a digest. */
export interface DigestQuestion {
  readonly id: string
  /** As asked. */
  readonly text: string
  /** As `formatDatabaseRef` writes it. */
  readonly database: string
  readonly statement: RelativeSql
  /** Of the catalog that the statement was last known to fit. */
  readonly fingerprint: string
  /** What of that catalog it stands on. Questions that were kept before that was have none. */
  readonly known?: SchemaSnapshot | undefined
}

/** Under which condition a run is posted; numbers are of the first numeric column, or of the one cell. */
export type DigestCondition =
  | { readonly kind: 'always' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'above'; readonly value: number }
  | { readonly kind: 'below'; readonly value: number }
  /** Moved by at least so many percent, up or down, since the last run that was told. */
  | { readonly kind: 'moved'; readonly percent: number }

/** Where a digest is posted. */
export type DigestTarget =
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'person'; readonly person: string }

/** Why a digest does not run. */
export type DigestPause =
  | { readonly why: 'by-person'; readonly by: string }
  | { readonly why: 'failed'; readonly reason: string }
  | { readonly why: 'not-allowed'; readonly reason: string }
  | { readonly why: 'schema'; readonly reason: string }

/** Questions that are asked again and again, and posted. */
export interface Digest {
  readonly id: string
  readonly team: string
  /** Whose rights count at each run. */
  readonly owner: string
  readonly title: string
  /** At least one, at most `maxDigestQuestions`. */
  readonly questions: readonly DigestQuestion[]
  readonly schedule: ParsedSchedule
  readonly condition: DigestCondition
  readonly target: DigestTarget
  /** Null while it runs. */
  readonly pause: (DigestPause & { readonly at: Date }) | null
  /** Null while it is paused. */
  readonly nextDue: Date | null
  /** Failed runs in a row. */
  readonly failures: number
  readonly createdAt: Date
  /** A repair of a statement that its owner has not decided on. */
  readonly repair: DigestRepair | null
}

/** The schema changed under a statement: what would run instead, for the owner to accept or to refuse. */
export interface DigestRepair {
  readonly questionId: string
  readonly reason: string
  /** Null where no repair was found. */
  readonly statement: RelativeSql | null
  /** What is different in it, a line each. Repairs that were kept before it was have none. */
  readonly says?: readonly string[] | undefined
  /** Another repair that is as likely. */
  readonly other?: RepairProposal | undefined
  readonly proposedAt: Date
  /** The due time of the run that found it. Repairs that were kept before it was have none. */
  readonly foundBy?: Date | undefined
}

/** What may run in the place of a statement: it passed the guard and ran. */
export interface RepairProposal {
  readonly statement: RelativeSql
  /** What is different in it, a line each. */
  readonly says: readonly string[]
}

export const maxDigestQuestions = 5
/** A digest that failed so often in a row is paused. */
export const failuresBeforePause = 3

/** What a number, or the rows, did since the last run that was told. */
export type FindingChange =
  | { readonly kind: 'first' }
  | { readonly kind: 'same' }
  | {
      readonly kind: 'number'
      readonly before: number
      readonly now: number
      readonly percent: number | null
    }
  /** Rows that are too many to be told apart. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'rows'; readonly added: number; readonly removed: number; readonly changed: number }

/** One question of a run, as it is posted. */
export type DigestPart =
  | {
      readonly status: 'ran'
      readonly question: DigestQuestion
      /** The statement that ran, its periods resolved. */
      readonly sql: string
      readonly headline: string
      readonly table: ResultTable
      /** Periods in words with their days, for instance `last week: 2026-11-09 to 2026-11-15`. */
      readonly periods: readonly string[]
      readonly change: FindingChange
      /** When the run was that it is compared with. */
      readonly since: Date | null
    }
  | {
      readonly status: 'failed'
      readonly question: DigestQuestion
      readonly reason: string
      readonly nextStep: string
    }
