import type { RevisionRequest } from '../answer-revision.ts'
import type { ClarificationReply } from '../clarification.ts'
import type { RequestedDigest } from '../digests/use-cases.ts'
import type { SlackLocation } from '../message.ts'

/** Work that survives a process: each queue with the data of its jobs. */
export interface JobData {
  readonly question: { readonly questionId: string }
  readonly resume: { readonly questionId: string; readonly reply: ClarificationReply }
  readonly 'expire-clarification': { readonly questionId: string }
  /** Posts a review request, or carries out the reviewer's decision. */
  readonly human: { readonly questionId: string; readonly step: 'asked' | 'decided' }
  /** Runs a verified query again. */
  readonly 'recheck-verified': { readonly queryId: string }
  /** Asks the owner of a verified query that went stale at that time (ISO) what to do with it. */
  readonly 'ask-verified-owner': { readonly queryId: string; readonly since: string }
  /** Trains a selector on people's feedback; `due` (ISO) tells one night from the next. */
  readonly 'train-selector': { readonly due: string }
  /** Does one run of a digest; `scheduledFor` is ISO. */
  readonly digest: { readonly digestId: string; readonly scheduledFor: string }
  /** Creates the digest that was requested together with a question that has ended, or reports why there is none. */
  readonly 'digest-wish': { readonly questionId: string }
  /** Ends a question that is being stopped if no worker has it any more. */
  readonly stop: { readonly questionId: string }
  /** Removes the answer of a question whose message was deleted. */
  readonly 'remove-answer': { readonly questionId: string }
  /** Looks again at what was posted in a channel, because somebody joined it; `joinedAt` is Slack's time of the event. */
  readonly 'recheck-channel': { readonly team: string; readonly channel: string; readonly joinedAt: string }
  /** Receives a thread message again because the thread's first answer was not ready; `due` and `askedAt` are ISO. */
  readonly 'hear-again': {
    readonly text: string
    readonly place: SlackLocation
    readonly askedBy: string
    readonly askedAt: string
    readonly due: string
  }
  /** Uploads the whole result of an answer to its thread. */
  readonly export: {
    readonly questionId: string
    readonly person: string
    readonly channel: string
    readonly thread: string
  }
  /**
   * Changes an answer on request, or shows a change made a moment ago. `tells`: the person has not been told the
   * outcome yet.
   */
  readonly revise: RevisionRequest & { readonly tells: boolean }
  /**
   * Asks a question that a click or command requested, in case the process that acknowledged it did not get to it.
   * `channel` is null for direct messages; each `key` has one question.
   */
  readonly 'ask-for-person': {
    readonly key: string
    readonly person: string
    readonly team: string
    readonly channel: string | null
    readonly text: string
    readonly digest?: RequestedDigest
  }
  /** Profiles and indexes a database again; `by` is the admin to notify, null if there is none. */
  readonly index: {
    readonly database: string
    readonly by: { readonly person: string; readonly team: string } | null
  }
}

export type QueueName = keyof JobData

/** Queues a job in a transaction: it exists if and only if the transaction commits. */
export type SendJob = <Q extends QueueName>(
  queue: Q,
  data: JobData[Q],
  options: {
    readonly tx: Tx
    readonly startAfterSeconds?: number
    /**
     * The group of the job: a workspace, or a workspace and a person separated by a space. One group cannot take all
     * workers at once, and workspaces take turns.
     */
    readonly group?: string
  },
) => Promise<void>

/** A job that failed for good: its attempts are used up, or it can never succeed. */
export interface DeadJob {
  readonly id: string
  /** The queue it failed in. */
  readonly queue: string
  readonly failedAt: Date
  /** The number of attempts. */
  readonly attempts: number
  /** Code of the last error, if it was one of Querent's. */
  readonly code: string | null
  /** Message of the last error, shortened. */
  readonly reason: string
}

/** Jobs that failed for good, stored until an admin decides about them, or for a month. */
export interface DeadJobs {
  /** The latest ones, newest first, and the total. */
  list(most: number): Promise<{ readonly jobs: readonly DeadJob[]; readonly total: number }>
  /** Puts one back in its queue with all its attempts. False if it no longer exists. */
  retry(id: string): Promise<boolean>
  /** Deletes one. False if it no longer exists. */
  drop(id: string): Promise<boolean>
}

/** What one process sends to all processes, itself included. Payloads are ids and names, never people's texts. */
export interface Notifications {
  /** A question must be stopped. */
  readonly stop: { readonly questionId: string }
  /** A process rebuilt the index of a database; the others load it. */
  readonly 'index-changed': { readonly database: string; readonly fingerprint: string }
}

export type NotificationName = keyof Notifications

/** Notifies all processes. A lost notification only costs time: receivers also poll. */
export interface NotificationBus {
  publish<N extends NotificationName>(name: N, notice: Notifications[N]): Promise<void>
  /** Returns a function that unsubscribes. */
  subscribe<N extends NotificationName>(name: N, listener: (notice: Notifications[N]) => void): () => void
  close(): Promise<void>
}

declare const tx: unique symbol

/** An open transaction of the store, opaque to everything but `store`, which opens it, and `jobs`, which joins it. */
export interface Tx {
  readonly [tx]: true
}

/** Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. */
export type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
