import type { Asker, NotAllowed } from '../core/access.ts'
import type { ReplyToClarification } from '../core/clarification.ts'
import type { DeadJobs } from '../core/dead-job.ts'
import type { Delivery, LocatedQuestion } from '../core/delivery.ts'
import type { DigestUseCases } from '../core/digest-use-cases.ts'
import type { AskQuestion, ReceiveDeletion, ReceiveEdit, ReceiveMessage } from '../core/heard-message.ts'
import type {
  AdminFacts,
  DescribeHome,
  DescribeSchema,
  DescribeVerified,
  RebuildIndex,
} from '../core/home.ts'
import type { RemoveInstallation } from '../core/installation.ts'
import type { JobData } from '../core/job.ts'
import type { PendingQuestions } from '../core/promised-question.ts'
import type { DecideRule } from '../core/proposed-rule.ts'
import type { RerunQuestion } from '../core/run-again.ts'
import type { StopQuestion } from '../core/stop.ts'
import type { ResolveStaleVerified, StoredVerifiedQuery } from '../core/verified-recheck.ts'
import type { AnswerUseCases } from './answer-use-cases.ts'

/** All that the listeners may call. Each listener parses, calls one of them, and hands the result to a view. */
export interface SlackUseCases extends AnswerUseCases {
  readonly hear: ReceiveMessage
  readonly hearEdit: ReceiveEdit
  readonly hearDeletion: ReceiveDeletion
  readonly ask: AskQuestion
  /** What a click or a command asked before it was asked in a thread. */
  readonly promises: PendingQuestions
  /** Stores that the result of an answer is to be uploaded; only then may the click be acknowledged. */
  readonly sendExport: (given: JobData['export']) => Promise<void>
  readonly reply: ReplyToClarification
  readonly stop: StopQuestion
  readonly runAgain: RerunQuestion
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly settleVerified: ResolveStaleVerified
  readonly findVerified: (queryId: string) => Promise<StoredVerifiedQuery | null>
  readonly delivery: Delivery
  /** Why somebody may not ask in a place; null where they may. */
  readonly whyMayNotAsk: (asker: Asker & { readonly database?: string }) => Promise<NotAllowed | null>
  readonly isAdmin: (person: string) => boolean
  readonly describeHome: DescribeHome
  readonly describeAdmin: (team: string) => Promise<AdminFacts>
  readonly describeSchema: DescribeSchema
  readonly describeVerified: DescribeVerified
  readonly decideRule: DecideRule
  readonly rebuildIndex: RebuildIndex
  readonly deadJobs: Pick<DeadJobs, 'retry' | 'drop'>
  readonly digests: DigestUseCases
  readonly removeInstallation: RemoveInstallation
}
