import type { RevisionRequest } from '../answer-revision.ts'
import type { ClarificationReply } from '../clarification.ts'
import type { RequestedDigest } from '../digest-use-cases.ts'
import type { SlackLocation } from '../message.ts'
import type { Tx } from './transaction.ts'

/** Work that outlives a process: each queue with what a job of it carries. */
export interface JobData {
  readonly question: { readonly questionId: string }
  readonly resume: { readonly questionId: string; readonly reply: ClarificationReply }
  readonly 'expire-clarification': { readonly questionId: string }
  /** Carries out that people are asked to look at an answer, and what they decided. */
  readonly human: { readonly questionId: string; readonly step: 'asked' | 'decided' }
  /** Runs a verified query again. */
  readonly 'recheck-verified': { readonly queryId: string }
  /** Asks the owner of a verified query that went stale at that moment (ISO) what shall become of it. */
  readonly 'ask-verified-owner': { readonly queryId: string; readonly since: string }
  /** Trains a selector on what people did about answers; `due` is when (ISO), and tells one night from the next. */
  readonly 'train-selector': { readonly due: string }
  /** Does one run of a digest; `scheduledFor` is ISO. */
  readonly digest: { readonly digestId: string; readonly scheduledFor: string }
  /** Makes the digest that was asked for together with a question that has ended, or says why there is none. */
  readonly 'digest-wish': { readonly questionId: string }
  /** Ends a question that is being stopped where nobody works on it any more. */
  readonly stop: { readonly questionId: string }
  /** Takes away the answer of a question whose message was deleted. */
  readonly 'remove-answer': { readonly questionId: string }
  /** Hears a message of a thread again whose first answer was not there yet; `due` and `askedAt` are ISO. */
  readonly 'hear-again': {
    readonly text: string
    readonly place: SlackLocation
    readonly askedBy: string
    readonly askedAt: string
    readonly due: string
  }
  /** Uploads the whole result of an answer into its thread, for whoever asked for it. */
  readonly export: {
    readonly questionId: string
    readonly person: string
    readonly channel: string
    readonly thread: string
  }
  /**
   * Changes an answer as somebody wants it, or shows what was changed a moment ago. `tells`: whoever submitted it has not
   * been told how it ended.
   */
  readonly revise: RevisionRequest & { readonly tells: boolean }
  /**
   * Asks in somebody's name what a click or a command asked, should the process that acknowledged it not come to it.
   * `channel` is null for direct messages; of one `key` there is one question.
   */
  readonly 'ask-for-person': {
    readonly key: string
    readonly person: string
    readonly team: string
    readonly channel: string | null
    readonly text: string
    readonly digest?: RequestedDigest
  }
  /** Measures and indexes a database anew; `by` is the admin who wants it and is told, null where nobody is. */
  readonly index: {
    readonly database: string
    readonly by: { readonly person: string; readonly team: string } | null
  }
}

export type QueueName = keyof JobData

/** Puts a job on a queue within a transaction: it exists if and only if the transaction commits. */
export type SendJob = <Q extends QueueName>(
  queue: Q,
  data: JobData[Q],
  options: {
    readonly tx: Tx
    readonly startAfterSeconds?: number
    /**
     * Whose job it is: a workspace, or a workspace and a person with a space between. Of one group, not all workers are
     * taken at a time, and while several workspaces wait they take turns.
     */
    readonly group?: string
  },
) => Promise<void>

/** A job that failed for good: it was tried as often as its queue allows, or can never succeed. */
export interface DeadJob {
  readonly id: string
  /** The queue that it failed on. */
  readonly queue: string
  readonly failedAt: Date
  /** How often it was tried. */
  readonly attempts: number
  /** Code of the last error where it had one of ours. */
  readonly code: string | null
  /** What the last error said, cut. */
  readonly reason: string
}

/** The jobs that failed for good, kept until an admin decides what becomes of them, or for a month. */
export interface DeadJobs {
  /** The latest of them, the newest first, and how many there are in all. */
  list(most: number): Promise<{ readonly jobs: readonly DeadJob[]; readonly total: number }>
  /** Puts one back on its queue, with all its attempts. False when it is not there any more. */
  retry(id: string): Promise<boolean>
  /** Forgets one. False when it is not there any more. */
  drop(id: string): Promise<boolean>
}

/** What one process tells all others, itself included. Payloads are ids and names, never texts of people. */
export interface Notifications {
  /** A question is to be stopped. */
  readonly stop: { readonly questionId: string }
  /** The index of a database was built anew by a process: others load it. */
  readonly 'index-changed': { readonly database: string; readonly fingerprint: string }
}

export type NotificationName = keyof Notifications

/** Tells all processes. A notice that is lost costs time alone: whoever waits for it also looks for itself. */
export interface NotificationBus {
  publish<N extends NotificationName>(name: N, notice: Notifications[N]): Promise<void>
  /** Returns how to hear no more. */
  subscribe<N extends NotificationName>(name: N, hear: (notice: Notifications[N]) => void): () => void
  close(): Promise<void>
}
