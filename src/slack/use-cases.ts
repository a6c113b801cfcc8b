import type { Asker, NotAllowed } from '../core/access.ts'
import type { ReplyToQuestion } from '../core/clarification.ts'
import type { DeadJobs } from '../core/dead-job.ts'
import type { Delivery, PlacedQuestion } from '../core/delivery.ts'
import type { DigestUseCases } from '../core/digest-use-cases.ts'
import type { AskQuestion, HearDeletion, HearEdit, HearMessage } from '../core/heard-message.ts'
import type {
  AdminFacts,
  DescribeHome,
  DescribeSchema,
  DescribeVerified,
  RebuildIndex,
} from '../core/home.ts'
import type { RemoveInstallation } from '../core/installation.ts'
import type { JobData } from '../core/job.ts'
import type { PromisedQuestions } from '../core/promised-question.ts'
import type { DecideRule } from '../core/proposed-rule.ts'
import type { RunAgain } from '../core/run-again.ts'
import type { StopQuestion } from '../core/stop.ts'
import type { KeptVerifiedQuery, SettleVerified } from '../core/verified-recheck.ts'
import type { AnswerUseCases } from './answer-use-cases.ts'

/** All that the listeners may call. Each listener parses, calls one of them, and hands the result to a view. */
export interface SlackUseCases extends AnswerUseCases {
  readonly hear: HearMessage
  readonly hearEdit: HearEdit
  readonly hearDeletion: HearDeletion
  readonly ask: AskQuestion
  /** What a click or a command asked before it was asked in a thread. */
  readonly promises: PromisedQuestions
  /** Stores that the result of an answer is to be uploaded; only then may the click be acknowledged. */
  readonly sendExport: (given: JobData['export']) => Promise<void>
  readonly reply: ReplyToQuestion
  readonly stop: StopQuestion
  readonly runAgain: RunAgain
  readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
  readonly settleVerified: SettleVerified
  readonly findVerified: (queryId: string) => Promise<KeptVerifiedQuery | null>
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
