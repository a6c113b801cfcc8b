import type { LocatedQuestion } from './delivery.ts'
import type { Digest, DigestCondition, DigestTarget } from './digest.ts'
import type { DigestRefusal } from './digest-use-cases.ts'

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
      readonly remarks: readonly string[]
    }
  | { readonly status: 'unfit'; readonly refusal: DigestRefusal }
  | { readonly status: 'unanswered'; readonly end: Exclude<DigestRequestEnd, 'answered'> }
  | { readonly status: 'broken' }

/** Says in the thread of the question what became of its wish, once a question. Rejects where Slack is away. */
export type NotifyDigestRequest = (placed: LocatedQuestion, outcome: DigestRequestOutcome) => Promise<void>
