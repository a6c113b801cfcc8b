import type { ResultTable } from '../result.ts'
import type { SchemaSnapshot } from '../schema-drift.ts'

/**
 * SQL whose relative periods move with the clock: the guarded text as saved, and the literals that bound each period.
 * SQL saved on a Monday with "last week" covers a different week on the next Monday.
 */
export interface RelativeSql {
  readonly sql: string
  /** The day (ISO) the periods were resolved against when `sql` was written. */
  readonly today: string
  readonly periods: readonly RelativePeriod[]
}

/** One period of the question and the position of its bounds in the SQL. */
export interface RelativePeriod {
  /** As asked, such as `last month`. */
  readonly phrase: string
  readonly bounds: readonly {
    readonly bound: 'from' | 'until' | 'last-day'
    /** The literal, [start, end) in UTF-16 units of `sql`, including quotes. */
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
  /**
   * The key of the rights under which it was asked; null for no restrictions. Missing in questions stored before it was
   * recorded.
   */
  readonly rights?: string | null | undefined
  readonly statement: RelativeSql
  /** Fingerprint of the catalog the statement last ran on. */
  readonly fingerprint: string
  /** The part of that catalog the statement depends on. Missing in questions stored before it was recorded. */
  readonly known?: SchemaSnapshot | undefined
}

/** When to post a run. Numbers refer to the first numeric column, or the single cell. */
export type DigestCondition =
  | { readonly kind: 'always' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'above'; readonly value: number }
  | { readonly kind: 'below'; readonly value: number }
  /** Changed by at least this percentage, up or down, since the last posted run. */
  | { readonly kind: 'moved'; readonly percent: number }

/** Where a digest is posted. */
export type DigestTarget =
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'person'; readonly person: string }

/** Why a digest is paused. */
export type DigestPause =
  | { readonly why: 'by-person'; readonly by: string }
  | { readonly why: 'failed'; readonly reason: string }
  | { readonly why: 'not-allowed'; readonly reason: string }
  | { readonly why: 'schema'; readonly reason: string }

/** Questions that run on a schedule and are posted. */
export interface Digest {
  readonly id: string
  readonly team: string
  /** The owner, whose permissions count at each run. */
  readonly owner: string
  readonly title: string
  /** At least one, at most `maxDigestQuestions`. */
  readonly questions: readonly DigestQuestion[]
  readonly schedule: ParsedSchedule
  readonly condition: DigestCondition
  readonly target: DigestTarget
  /** Null while it is active. */
  readonly pause: (DigestPause & { readonly at: Date }) | null
  /** Null while it is paused. */
  readonly nextDue: Date | null
  /** Consecutive failed runs. */
  readonly failures: number
  readonly createdAt: Date
  /** A proposed repair the owner has not decided on. */
  readonly repair: DigestRepair | null
}

/** The schema changed under a statement: the replacement the owner can accept or refuse. */
export interface DigestRepair {
  readonly questionId: string
  readonly reason: string
  /** Null if no repair was found. */
  readonly statement: RelativeSql | null
  /** The differences, one per line. Missing in repairs stored before they were recorded. */
  readonly says?: readonly string[] | undefined
  /** A second repair that is as likely. */
  readonly other?: RepairProposal | undefined
  readonly proposedAt: Date
  /** The due time of the run that found it. Missing in repairs stored before it was recorded. */
  readonly foundBy?: Date | undefined
}

/** A replacement for a statement. It passed the guard and ran. */
export interface RepairProposal {
  readonly statement: RelativeSql
  /** The differences, one per line. */
  readonly says: readonly string[]
}

export const maxDigestQuestions = 5

/** A digest is paused after this many consecutive failures. */
export const failuresBeforePause = 3

/** How a number or the rows changed since the last posted run. */
export type FindingChange =
  | { readonly kind: 'first' }
  | { readonly kind: 'same' }
  | {
      readonly kind: 'number'
      readonly before: number
      readonly now: number
      readonly percent: number | null
    }
  /** There are too many rows to compare one by one. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'rows'; readonly added: number; readonly removed: number; readonly changed: number }

/** One question of a run, as posted. */
export type DigestPart =
  | {
      readonly status: 'ran'
      readonly question: DigestQuestion
      /** The statement that ran, with its periods resolved. */
      readonly sql: string
      readonly headline: string
      readonly table: ResultTable
      /** Periods in words with their days, such as `last week: 2026-11-09 to 2026-11-15`. */
      readonly periods: readonly string[]
      readonly change: FindingChange
      /** When the run it is compared with took place. */
      readonly since: Date | null
      /** The owner may not export the rows: they come in no file. */
      readonly noFile?: true
    }
  | {
      readonly status: 'failed'
      readonly question: DigestQuestion
      readonly reason: string
      readonly nextStep: string
    }

declare const parsed: unique symbol

/** A recurring schedule: a five-field cron line in a time zone. Only the schedule parser creates it. */
export interface ParsedSchedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string
  /** IANA name, such as `Europe/Berlin`. Due times follow its wall clock, including daylight saving time. */
  readonly timeZone: string
  /** In words, such as `every Monday at 09:00`. */
  readonly words: string
  readonly [parsed]: true
}

/** The result of parsing a schedule. `reason` and `nextStep` are sentences for the person. */
export type ScheduleParseResult =
  | { readonly status: 'read'; readonly schedule: ParsedSchedule }
  | { readonly status: 'unclear'; readonly reason: string; readonly nextStep: string }

/** Parses `every weekday at 9`, `mondays 08:30`, `0 9 * * 1-5`. Pure, never throws. */
export type ParseSchedule = (text: string, timeZone: string) => ScheduleParseResult

/** The first due time strictly after a moment; null if there are no more. Pure. */
export type NextDue = (schedule: ParsedSchedule, after: Date) => Date | null

/**
 * Adds the brand. Only `src/digests` may import this, and the store for schedules that were parsed before; a test
 * enforces it.
 */
export const brandSchedule = (schedule: Omit<ParsedSchedule, typeof parsed>): ParsedSchedule =>
  Object.freeze({ ...schedule }) as ParsedSchedule

/** A stored run. `request` identifies the click that started a manual run. */
export interface DigestRun extends DigestRunKey {
  readonly kind: 'due' | 'late' | 'by-hand'
  /** The number of due times it covers, including its own. */
  readonly missed: number
  readonly request: string | null
  /** Who started it by hand; null if it was due. It runs with the owner's permissions, on this person's account. */
  readonly runBy: string | null
  readonly claimedAt: Date
  /** Null while it is queued or running. */
  readonly ended: { readonly at: Date; readonly outcome: DigestOutcome } | null
}

/** One question of a run, as sent to the database. */
export interface ExecutedStatement {
  readonly text: string
  /** The statement with its periods resolved. */
  readonly sql: string
  /** Periods in words, with their days. */
  readonly periods: readonly string[]
}

/**
 * The outcome of a run. `quiet`: its condition was not met; `partly`: posted with a failed question; `failed`: nothing
 * to post; `repair`: the schema changed under a statement; `skipped`: it was paused before its turn.
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
 * What is stored of a result to tell later what changed: its number, or a short hash of each row with the hash of its
 * key. `complete` is false if a cap cut the rows; such rows cannot be compared.
 */
export type DigestFinding =
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'rows'
      readonly complete: boolean
      /** The first numeric column of the first row; null if there is none. */
      readonly value: number | null
      readonly rows: readonly { readonly key: string; readonly row: string }[]
    }

/** One due time of a digest, or one manual run. Unique: (digest, scheduledFor). */
export interface DigestRunKey {
  readonly digestId: string
  readonly scheduledFor: Date
}

/** What to post for a run. Posting it again updates the same message. */
export type DigestPost = DigestRunKey & {
  readonly digest: Digest
  /** `late`: it ran late because the bot was down; `by-hand`: a person started it. */
  readonly kind: 'due' | 'late' | 'by-hand'
  /** The number of due times that passed while the bot was down, including this one; usually 1. */
  readonly missed: number
  readonly parts: readonly DigestPart[]
}

/** A private notice to the owner, at most one of each kind per run. */
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
    /** Its channel is gone, or the bot was removed from it. */
    | { readonly kind: 'unreachable'; readonly reason: string }
}

/** Posts digests and notices. Both happen once per run, however often they are called. */
export interface DigestDelivery {
  /** Rejects if Slack is unavailable; `unreachable` if Slack will never accept it. */
  post(
    post: DigestPost,
  ): Promise<
    | { readonly status: 'posted'; readonly channel: string; readonly ts: string }
    | { readonly status: 'unreachable'; readonly reason: string }
  >
  notifyOwner(notice: DigestNotice): Promise<void>
  /** Takes the rows of a run and their files out of its channel. Does nothing if they are not there. */
  withhold(run: DigestRunKey & { readonly team: string }): Promise<void>
}

/** A message about a run: the run itself, files for its questions, or a notice to its owner. */
export type DigestMessageKey = DigestRunKey & {
  readonly step: 'post' | `rows-${string}` | `notice-${DigestNotice['notice']['kind']}`
}

/**
 * The log of messages about runs, as `OutboundMessageLog` is for answers: claimed before posting, `ts` stored after.
 * Unique: (digest, scheduledFor, step).
 */
export interface DigestMessageLog {
  /** False if it was claimed before. */
  claim(message: DigestMessageKey & { readonly channel: string; readonly claimedAt: Date }): Promise<boolean>
  find(key: DigestMessageKey): Promise<{ readonly channel: string; readonly ts: string | null } | null>
  markPosted(key: DigestMessageKey, posted: { readonly ts: string; readonly at: Date }): Promise<void>
  /** The posted messages of a run. */
  list(
    run: DigestRunKey,
  ): Promise<readonly { readonly step: string; readonly channel: string; readonly ts: string }[]>
}
