import type { ClarificationReply } from './clarification.ts'
import type { RequestedDigest } from './digest-wish.ts'
import type { SlackLocation } from './place.ts'
import type { Tx } from './tx.ts'
import type { RevisionRequest } from './wanted-revision.ts'

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
