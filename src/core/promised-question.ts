import type { RequestedDigest } from './digest-wish.ts'

/** A question that a click or a command asked, and that was acknowledged before it is asked in a thread. */
export interface PendingQuestion {
  /** Of one key there is one question. */
  readonly key: string
  readonly person: string
  readonly team: string
  /** Null for direct messages. */
  readonly channel: string | null
  readonly text: string
  /** What is to become of its answer. */
  readonly digest?: RequestedDigest
}

/** Questions that were promised. A process that dies before it keeps its word leaves that to another. */
export interface PendingQuestions {
  /**
   * Stores a promise; only then may the click be acknowledged. False when one of the `claims` is taken, because the same
   * was clicked a moment ago: then there is nothing to do.
   */
  add(promised: PendingQuestion, claims?: readonly string[]): Promise<boolean>
  /** Whether it is neither asked nor refused yet. */
  isOpen(key: string): Promise<boolean>
  /** Notes that it was refused, and the person told: nobody asks it later. */
  close(key: string): Promise<void>
}
