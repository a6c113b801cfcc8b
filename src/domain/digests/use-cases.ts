import type { NotAllowed } from '../access/access.ts'
import type { LocatedQuestion } from '../message.ts'
import type { Digest, DigestCondition, DigestTarget, ExecutedStatement } from './digest.ts'

/** The person is not allowed, the digest is gone, or the input is invalid; `field` names the form field. */
export type DigestRefusal =
  | NotAllowed
  | { readonly status: 'gone' }
  | {
      readonly status: 'unfit'
      readonly field: 'question' | 'schedule' | 'condition' | 'target' | 'title' | 'person'
      readonly reason: string
    }

/** The form of a digest. Words are parsed by the use case, so a form and a command mean the same. */
export interface DigestForm {
  readonly title?: string
  readonly schedule: string
  readonly timeZone: string
  readonly condition: DigestCondition
  readonly target: DigestTarget
}

/** The decision on a repair. */
export type RepairDecision = 'accept' | 'accept-other' | 'refuse'

/**
 * Everything people can do with digests. All but `preview` and `readWords` require permission: the owner's or an
 * admin's.
 */
export interface DigestUseCases {
  /** Creates a digest from the current answer. */
  readonly schedule: (given: {
    readonly questionId: string
    readonly person: string
    readonly form: DigestForm
    /** Unique per opened form: submitting it twice creates one digest, and both submissions return it. */
    readonly request: string
  }) => Promise<
    | {
        readonly status: 'scheduled'
        readonly digest: Digest
        readonly next: readonly Date[] /** Notes about it, such as that its SQL has fixed dates. */
        readonly notes: readonly string[]
      }
    | DigestRefusal
  >
  /** Adds the answer of a question to a digest. */
  readonly addQuestion: (given: {
    readonly digestId: string
    readonly questionId: string
    readonly person: string
  }) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>
  readonly removeQuestion: (given: {
    readonly digestId: string
    readonly digestQuestionId: string
    readonly person: string
  }) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>
  readonly edit: (given: {
    readonly digestId: string
    readonly person: string
    readonly form: DigestForm
  }) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>
  readonly pause: DigestChangeByPerson
  readonly resume: DigestChangeByPerson
  readonly remove: DigestChangeByPerson
  readonly handOver: (given: {
    readonly digestId: string
    readonly person: string
    readonly to: string
  }) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>
  /**
   * Queues a run. `request` is unique per click. A click while a manual run is in progress counts as that run. `seen`
   * is the due time of the run shown at the click, null if none is shown: an unseen manual run that started seconds ago
   * belongs to the first click of a double click.
   */
  readonly runNow: (given: {
    readonly digestId: string
    readonly person: string
    readonly request: string
    readonly seen?: Date | null
  }) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>
  readonly decideRepair: (given: {
    readonly digestId: string
    readonly person: string
    /** `accept-other`: the second of two proposals. */
    readonly decision: RepairDecision
    /** The proposal that was shown; a different proposal is not decided by it. */
    readonly proposedAt: Date
  }) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>
  /** The statements of a run; null if they were not stored or the person cannot see them. */
  readonly findStatements: (given: {
    readonly digestId: string
    readonly scheduledFor: Date
    readonly person: string
  }) => Promise<readonly ExecutedStatement[] | null>
  readonly find: (given: {
    readonly digestId: string
    readonly person: string
  }) => Promise<Digest | NotAllowed | null>
  /** Digests of a person, or of the workspace for an admin; soonest due first. */
  readonly list: (given: {
    readonly person: string
    readonly team: string
    readonly all: boolean
    readonly offset: number
    readonly limit: number
  }) => Promise<{ readonly digests: readonly Digest[]; readonly total: number }>
  /** Parses schedule, condition and target as people type them. */
  readonly readWords: ParseDigestWords
  /** Parses a schedule and returns its next due times for a form. */
  readonly preview: (
    text: string,
    timeZone: string,
  ) =>
    | { readonly status: 'read'; readonly words: string; readonly next: readonly Date[] }
    | { readonly status: 'unclear'; readonly reason: string; readonly nextStep: string }
}

type DigestChangeByPerson = (given: {
  readonly digestId: string
  readonly person: string
}) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>

/** A digest that was requested together with a question. */
export interface RequestedDigest {
  /** The schedule in words or cron, validated before the question was asked. */
  readonly schedule: string
  /** Null if Slack did not provide the person's time zone; then the question's is used. */
  readonly timeZone: string | null
  /** Missing in jobs and requests stored before conditions existed; then the digest is always posted. */
  readonly condition?: DigestCondition | undefined
  readonly target: DigestTarget
}

/** A stored digest request, one per question. */
export interface DigestRequest {
  readonly questionId: string
  /** The person who asked and will own the digest. */
  readonly person: string
  readonly digest: RequestedDigest
  readonly madeAt: Date
}

/** How the question ended, for a digest request. `withdrawn`: it was withdrawn, or replaced by another question. */
export type DigestRequestEnd = 'answered' | 'refused' | 'failed' | 'stopped' | 'withdrawn'

/**
 * The outcome of a digest request. `unfit`: the answer cannot be scheduled that way; `broken`: every attempt failed.
 */
export type DigestRequestOutcome =
  | {
      readonly status: 'scheduled'
      readonly digest: Digest
      readonly next: readonly Date[]
      readonly notes: readonly string[]
    }
  | { readonly status: 'unfit'; readonly refusal: DigestRefusal }
  | { readonly status: 'unanswered'; readonly end: Exclude<DigestRequestEnd, 'answered'> }
  | { readonly status: 'broken' }

/**
 * Posts the outcome of a digest request in the thread of its question, once per question. Rejects if Slack is
 * unavailable.
 */
export type NotifyDigestRequest = (placed: LocatedQuestion, outcome: DigestRequestOutcome) => Promise<void>

/** A digest as typed: `every monday at 9 if it changed in #sales`. */
export interface ParsedDigest {
  /** The schedule in words or cron; it parses. */
  readonly schedule: string
  /** The time zone named in the text; null if there is none. */
  readonly timeZone: string | null
  readonly condition: DigestCondition
  /** Where to post it; null if the text does not say. `name`: a channel name without `#`. */
  readonly target:
    | { readonly kind: 'asker' }
    | { readonly kind: 'person'; readonly person: string }
    | { readonly kind: 'channel'; readonly channel: string }
    | { readonly kind: 'channel-name'; readonly name: string }
    | null
}

/**
 * Parses the text. `reason` says what is not understood, `nextStep` what is understood and what is allowed. Pure, never
 * throws.
 */
export type ParseDigestWords = (
  text: string,
) =>
  | { readonly status: 'read'; readonly digest: ParsedDigest }
  | { readonly status: 'unclear'; readonly reason: string; readonly nextStep: string }
