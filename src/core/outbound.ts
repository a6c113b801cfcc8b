/** A message that we post, by the question it belongs to and the step of it. */
export interface OutboundMessageKey {
  readonly questionId: string
  readonly step: string
}

/**
 * The log of what we post. A message is claimed before it is posted and its `ts` stored after, so that a crash in
 * between leaves a claim without `ts`: only then is it in doubt whether the message is there.
 */
export interface OutboundMessageLog {
  /** False when it was claimed before. */
  claim(
    message: OutboundMessageKey & {
      readonly channel: string
      readonly payload: unknown
      readonly claimedAt: Date
    },
  ): Promise<boolean>
  /** Takes over a claim that is in doubt. False when it was posted, or taken over by another, in the meantime. */
  reclaim(message: OutboundMessageKey & { readonly claimedAt: Date }, now: Date): Promise<boolean>
  markPosted(questionId: string, step: string, ts: string): Promise<boolean>
  find(
    questionId: string,
    step: string,
  ): Promise<{ readonly channel: string; readonly ts: string | null; readonly claimedAt: Date } | null>
}
