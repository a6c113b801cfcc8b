import type { NotAllowed } from './access.ts'
import type { Digest, DigestCondition, DigestTarget, ExecutedStatement } from './digest.ts'
import type { LocatedQuestion } from './message.ts'

/** Somebody may not, it is gone, or what they gave does not fit; `field` names it for a form. */
export type DigestRefusal =
  | NotAllowed
  | { readonly status: 'gone' }
  | {
      readonly status: 'unfit'
      readonly field: 'question' | 'schedule' | 'condition' | 'target' | 'title' | 'person'
      readonly reason: string
    }

/** What a person fills in. Words are read here, so that a form and a command say the same. */
export interface DigestForm {
  readonly title?: string
  /** Words or cron. */
  readonly schedule: string
  readonly timeZone: string
  readonly condition: DigestCondition
  readonly target: DigestTarget
}

/** What is decided of a repair. */
export type RepairDecision = 'accept' | 'accept-other' | 'refuse'

/** Everything that people do with digests. All but `describe` are held to rights: the owner's, or an admin's. */
export interface DigestUseCases {
  /** Makes one out of an answer as it stands now. */
  readonly schedule: (given: {
    readonly questionId: string
    readonly person: string
    readonly form: DigestForm
    /** Unique per form that was opened: sent twice, it makes one digest, and both are told of that one. */
    readonly request: string
  }) => Promise<
    | {
        readonly status: 'scheduled'
        readonly digest: Digest
        readonly next: readonly Date[] /** What to know about it, e.g. that its SQL names fixed days. */
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
   * Puts a run on the queue. `request` is unique per click. A click while a run by hand is under way is taken for that
   * one. `seen` is the due time of the run that is shown where somebody clicked, null where none is: a run by hand that
   * they have not seen, and that began seconds ago, is that of the first click of two.
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
    /** `accept-other`: the second of two that were shown. */
    readonly decision: RepairDecision
    /** The proposal that was shown; another one is not decided by it. */
    readonly proposedAt: Date
  }) => Promise<{ readonly status: 'changed'; readonly digest: Digest } | DigestRefusal>
  /** What a run sent to databases; null where that is not kept, or is not for this person. */
  readonly findStatements: (given: {
    readonly digestId: string
    readonly scheduledFor: Date
    readonly person: string
  }) => Promise<readonly ExecutedStatement[] | null>
  readonly find: (given: {
    readonly digestId: string
    readonly person: string
  }) => Promise<Digest | NotAllowed | null>
  /** Those of a person, or all of a workspace for an admin; the next due first. */
  readonly list: (given: {
    readonly person: string
    readonly team: string
    readonly all: boolean
    readonly offset: number
    readonly limit: number
  }) => Promise<{ readonly digests: readonly Digest[]; readonly total: number }>
  /** Reads when a digest is due, under which condition it is posted, and where, as people type it. */
  readonly readWords: ParseDigestWords
  /** Reads a schedule and tells the next due times, for whoever fills in a form. */
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

/** A digest that somebody wants of a question before it is answered. */
export interface RequestedDigest {
  /** Words or cron. They were read before the question was asked. */
  readonly schedule: string
  /** Null where Slack did not tell the zone of the person: then it is that of the question. */
  readonly timeZone: string | null
  /** Jobs and wishes that were kept before there was one have none: then it is always posted. */
  readonly condition?: DigestCondition | undefined
  readonly target: DigestTarget
}

/** The wish as it is kept: one a question. */
export interface DigestRequest {
  readonly questionId: string
  /** Who asked, and whose digest it will be. */
  readonly person: string
  readonly digest: RequestedDigest
  readonly madeAt: Date
}

/** How a question ended, as far as a wish is concerned. `withdrawn`: it was taken back, or asked again in another's place. */
export type DigestRequestEnd = 'answered' | 'refused' | 'failed' | 'stopped' | 'withdrawn'

/** What became of a wish. `unfit`: the answer cannot be scheduled so; `broken`: it could not be tried, again and again. */
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

/** Says in the thread of the question what became of its wish, once a question. Rejects where Slack is away. */
export type NotifyDigestRequest = (placed: LocatedQuestion, outcome: DigestRequestOutcome) => Promise<void>

/** What a digest is to be, as somebody types it: `every monday at 9 if it changed in #sales`. */
export interface ParsedDigest {
  /** Words or cron; can be read as a schedule. */
  readonly schedule: string
  /** Named in the words; null where none is. */
  readonly timeZone: string | null
  readonly condition: DigestCondition
  /** Where it goes; null where nothing is said of it. `name`: a channel as people call it, without the `#`. */
  readonly target:
    | { readonly kind: 'asker' }
    | { readonly kind: 'person'; readonly person: string }
    | { readonly kind: 'channel'; readonly channel: string }
    | { readonly kind: 'channel-name'; readonly name: string }
    | null
}

/** Reads it. `reason` says what is not understood, and `askAgainHint` what is, and what would be. Pure, never throws. */
export type ParseDigestWords = (
  text: string,
) =>
  | { readonly status: 'read'; readonly digest: ParsedDigest }
  | { readonly status: 'unclear'; readonly reason: string; readonly nextStep: string }
