import type { Digest, DigestPart, DigestRepair } from './digest.ts'

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
