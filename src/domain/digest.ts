import type { ResultTable } from './result.ts'
import type { SchemaSnapshot } from './schema-drift.ts'

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

declare const parsed: unique symbol

/** When something recurs: a cron line of five fields, in a time zone. Only the reader of schedules mints it. */
export interface ParsedSchedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string
  /** IANA name, such as `Europe/Berlin`: its wall clock counts, daylight saving included. */
  readonly timeZone: string
  /** In words for people, for instance `every Monday at 09:00`. */
  readonly words: string
  readonly [parsed]: true
}

/** What became of words or cron of a person. `reason` is a sentence for them, with what would be understood. */
export type ScheduleParseResult =
  | { readonly status: 'read'; readonly schedule: ParsedSchedule }
  | { readonly status: 'unclear'; readonly reason: string; readonly nextStep: string }

/** Reads `every weekday at 9`, `mondays 08:30`, `0 9 * * 1-5`. Pure, never throws. */
export type ParseSchedule = (text: string, timeZone: string) => ScheduleParseResult

/** The first due time strictly after a moment; null where there is none any more. Pure. */
export type NextDue = (schedule: ParsedSchedule, after: Date) => Date | null

/** Puts the brand on. Only `src/digests` may import this, and the store for what was read before; a test holds them to it. */
export const brandSchedule = (schedule: Omit<ParsedSchedule, typeof parsed>): ParsedSchedule =>
  Object.freeze({ ...schedule }) as ParsedSchedule

/** A run as it is kept. `request` names the click of a run by hand. */
export interface DigestRun extends DigestRunKey {
  readonly kind: 'due' | 'late' | 'by-hand'
  /** Due times that it stands for, its own included. */
  readonly missed: number
  readonly request: string | null
  /** Who wanted it at once; null where it was due. It is run with the owner's rights, on this account. */
  readonly runBy: string | null
  readonly claimedAt: Date
  /** Null while it is under way, or waits. */
  readonly ended: { readonly at: Date; readonly outcome: DigestOutcome } | null
}

/** One question of a run as it was sent to the database. */
export interface ExecutedStatement {
  readonly text: string
  /** Its periods resolved. */
  readonly sql: string
  /** Periods in words with their days. */
  readonly periods: readonly string[]
}

/**
 * What became of a run. `quiet`: its condition was not met; `partly`: posted with a question that failed; `failed`:
 * nothing could be shown; `repair`: the schema changed under a statement; `skipped`: it was paused before its turn.
 */
export type DigestOutcome =
  | 'posted'
  | 'quiet'
  | 'partly'
  | 'failed'
  | 'not-allowed'
  | 'repair'
  | 'unreachable'
  | 'skipped'

/**
 * As much of a result as it takes to tell later what changed: the number it is about, or a short hash of each row under
 * that of its key. `complete` is false where a cap cut the rows, which then cannot be counted against one another.
 */
export type DigestFinding =
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'rows'
      readonly complete: boolean
      /** Of the first numeric column of the first row; null where there is none. */
      readonly value: number | null
      readonly rows: readonly { readonly key: string; readonly row: string }[]
    }

/** One due time of a digest, or one that somebody wanted at once. Unique: (digest, scheduledFor). */
export interface DigestRunKey {
  readonly digestId: string
  readonly scheduledFor: Date
}

/** What is to be posted of a run; posting it again changes the same message. */
export type DigestPost = DigestRunKey & {
  readonly digest: Digest
  /** `late`: made up for after we were away; `by-hand`: somebody wanted it now. */
  readonly kind: 'due' | 'late' | 'by-hand'
  /** Due times that passed while we were away, this one included; 1 for most. */
  readonly missed: number
  readonly parts: readonly DigestPart[]
}

/** What its owner is told alone, once a run. */
export type DigestNotice = DigestRunKey & {
  readonly digest: Digest
  readonly notice:
    | {
        readonly kind: 'failed'
        readonly reason: string
        readonly nextStep: string
        readonly paused: boolean
      }
    | { readonly kind: 'not-allowed'; readonly reason: string; readonly nextStep: string }
    | { readonly kind: 'repair'; readonly repair: DigestRepair }
    /** Its place is gone, or we were removed from it. */
    | { readonly kind: 'unreachable'; readonly reason: string }
}

/** Puts digests in front of people. Both are done once a run, however often they are called. */
export interface DigestDelivery {
  /** Rejects where Slack is away; `unreachable` where it never will take it. */
  post(
    post: DigestPost,
  ): Promise<
    | { readonly status: 'posted'; readonly channel: string; readonly ts: string }
    | { readonly status: 'unreachable'; readonly reason: string }
  >
  notifyOwner(notice: DigestNotice): Promise<void>
}

/** A message about a run: the run itself and files of its questions for everybody, or one kind of notice for its owner. */
export type DigestMessageKey = DigestRunKey & {
  readonly step: 'post' | `rows-${string}` | `notice-${DigestNotice['notice']['kind']}`
}

/**
 * The log of what was posted of runs, as `OutboundMessageLog` is of answers: claimed before it is posted, `ts` stored after.
 * Unique: (digest, scheduledFor, step).
 */
export interface DigestMessageLog {
  /** False when it was claimed before. */
  claim(message: DigestMessageKey & { readonly channel: string; readonly claimedAt: Date }): Promise<boolean>
  find(key: DigestMessageKey): Promise<{ readonly channel: string; readonly ts: string | null } | null>
  markPosted(key: DigestMessageKey, posted: { readonly ts: string; readonly at: Date }): Promise<void>
}
