import type { PlacedQuestion } from './delivery.ts'
import type { Digest, DigestCondition, DigestTarget } from './digest.ts'
import type { DigestRefusal } from './digest-use-cases.ts'

/** A digest that somebody wants of a question before it is answered. */
export interface WishedDigest {
  /** Words or cron. They were read before the question was asked. */
  readonly schedule: string
  /** Null where Slack did not tell the zone of the person: then it is that of the question. */
  readonly timeZone: string | null
  /** Jobs and wishes that were kept before there was one have none: then it is always posted. */
  readonly condition?: DigestCondition | undefined
  readonly target: DigestTarget
}

/** The wish as it is kept: one a question. */
export interface DigestWish {
  readonly questionId: string
  /** Who asked, and whose digest it will be. */
  readonly person: string
  readonly digest: WishedDigest
  readonly madeAt: Date
}

/** How a question ended, as far as a wish is concerned. `withdrawn`: it was taken back, or asked again in another's place. */
export type WishEnd = 'answered' | 'refused' | 'failed' | 'stopped' | 'withdrawn'

/** What became of a wish. `unfit`: the answer cannot be scheduled so; `broken`: it could not be tried, again and again. */
export type WishOutcome =
  | {
      readonly status: 'scheduled'
      readonly digest: Digest
      readonly next: readonly Date[]
      readonly remarks: readonly string[]
    }
  | { readonly status: 'unfit'; readonly refusal: DigestRefusal }
  | { readonly status: 'unanswered'; readonly end: Exclude<WishEnd, 'answered'> }
  | { readonly status: 'broken' }

/** Says in the thread of the question what became of its wish, once a question. Rejects where Slack is away. */
export type TellWish = (placed: PlacedQuestion, outcome: WishOutcome) => Promise<void>
