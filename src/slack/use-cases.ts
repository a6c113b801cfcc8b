import type { Asker, NotAllowed } from '../domain/access.ts'
import type {
  AlternativeResult,
  AnswerDisplay,
  ExportedRows,
  FindAnsweredQuestion,
} from '../domain/answer.ts'
import type { ReviseAnswer } from '../domain/answer-revision.ts'
import type { ReplyToClarification } from '../domain/clarification.ts'
import type { DigestUseCases } from '../domain/digest-use-cases.ts'
import type {
  DecideReview,
  RecordFeedback,
  RecordVote,
  RequestReview,
  ReviewRequest,
} from '../domain/feedback.ts'
import type {
  AdminFacts,
  DescribeHome,
  DescribeSchema,
  DescribeVerified,
  RebuildIndex,
} from '../domain/home.ts'
import type { DecideRule } from '../domain/knowledge.ts'
import type {
  AskQuestion,
  Delivery,
  LocatedQuestion,
  ReceiveDeletion,
  ReceiveEdit,
  ReceiveMessage,
} from '../domain/message.ts'
import type { DeadJobs, JobData } from '../domain/operations/jobs.ts'
import type { RemoveInstallation } from '../domain/operations/workspace.ts'
import type { PendingQuestions, RerunQuestion, StopQuestion } from '../domain/question.ts'
import type { Trace } from '../domain/trace.ts'
import type {
  ResolveStaleVerified,
  SaveVerifiedResult,
  StoredVerifiedQuery,
} from '../domain/verified-query.ts'

/** All that the listeners may call. Each listener parses, calls one of them, and hands the result to a view. */
export interface SlackUseCases extends AnswerUseCases {
  readonly receiveMessage: ReceiveMessage
  readonly receiveEdit: ReceiveEdit
  readonly receiveDeletion: ReceiveDeletion
  readonly ask: AskQuestion
  /** What a click or a command asked before it was asked in a thread. */
  readonly pendingQuestions: PendingQuestions
  /** Stores that the result of an answer is to be uploaded; only then may the click be acknowledged. */
  readonly sendExport: (given: JobData['export']) => Promise<void>
  readonly reply: ReplyToClarification
  readonly stop: StopQuestion
  readonly runAgain: RerunQuestion
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly resolveStaleVerified: ResolveStaleVerified
  readonly findVerified: (queryId: string) => Promise<StoredVerifiedQuery | null>
  readonly delivery: Delivery
  /** Why somebody may not ask in a place; null where they may. */
  readonly findAskRefusal: (asker: Asker & { readonly database?: string }) => Promise<NotAllowed | null>
  readonly isAdmin: (person: string) => boolean
  readonly describeHome: DescribeHome
  readonly describeAdmin: (team: string) => Promise<AdminFacts>
  readonly describeSchema: DescribeSchema
  readonly describeVerified: DescribeVerified
  readonly decideRule: DecideRule
  readonly rebuildIndex: RebuildIndex
  readonly failedJobs: Pick<DeadJobs, 'retry' | 'drop'>
  readonly digests: DigestUseCases
  readonly removeInstallation: RemoveInstallation
}

/** What people can do with an answer. */
export interface AnswerUseCases {
  readonly findAnswered: FindAnsweredQuestion
  readonly vote: RecordVote
  readonly feedback: RecordFeedback
  readonly exportRows: (
    questionId: string,
    given: { readonly person: string; readonly signal?: AbortSignal; readonly onSlow?: () => void },
  ) => Promise<ExportedRows | NotAllowed | null>
  /** How the answer came about; null where that is no longer kept. */
  readonly findTrace: (questionId: string, person: string) => Promise<Trace | NotAllowed | null>
  readonly otherResults: (questionId: string, person: string) => Promise<readonly AlternativeResult[]>
  readonly reviseAnswer: ReviseAnswer
  readonly chooseDisplay: (questionId: string, look: AnswerDisplay) => Promise<void>
  readonly proposeVerified: (given: {
    readonly questionId: string
    readonly person: string
  }) => Promise<SaveVerifiedResult | { readonly status: 'gone' }>
  readonly requestReview: (
    ...given: Parameters<RequestReview>
  ) => Promise<Awaited<ReturnType<RequestReview>> | NotAllowed>
  readonly findReviewRequest: (questionId: string) => Promise<ReviewRequest | null>
  readonly decideReview: (
    ...given: Parameters<DecideReview>
  ) => Promise<Awaited<ReturnType<DecideReview>> | NotAllowed>
  /** Shows the answer in its thread as it stands now, with its chart where one is wanted. */
  readonly showAnswer: (questionId: string) => Promise<void>
}
