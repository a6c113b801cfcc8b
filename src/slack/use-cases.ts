import type { Asker, NotAllowed } from '../domain/access/access.ts'
import type {
  AlternativeResult,
  AnswerDisplay,
  ExportedRows,
  FindAnsweredQuestion,
} from '../domain/answer.ts'
import type { ReviseAnswer } from '../domain/answer-revision.ts'
import type { ReplyToClarification } from '../domain/clarification.ts'
import type { DigestUseCases } from '../domain/digests/use-cases.ts'
import type {
  DecideReview,
  RecordFeedback,
  RecordVote,
  RequestReview,
  ReviewRequest,
  VoteCount,
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
import type { DecideProposal, FindProposal } from '../domain/metrics/layer-decision.ts'
import type { DeadJobs, JobData } from '../domain/operations/jobs.ts'
import type { RemoveInstallation } from '../domain/operations/workspace.ts'
import type { PendingQuestions, RerunQuestion, StopQuestion } from '../domain/question.ts'
import type { Trace } from '../domain/trace.ts'
import type {
  DecideVerified,
  ResolveStaleVerified,
  SaveVerifiedResult,
  StoredVerifiedQuery,
} from '../domain/verified-query.ts'

/** Everything that listeners can call. Each listener parses, calls one of these, and passes the result to a view. */
export interface SlackUseCases extends AnswerUseCases {
  readonly receiveMessage: ReceiveMessage
  readonly receiveEdit: ReceiveEdit
  readonly receiveDeletion: ReceiveDeletion
  readonly ask: AskQuestion
  /** Questions of clicks and commands that are stored but not posted in a thread yet. */
  readonly pendingQuestions: PendingQuestions
  /** Stores the job that uploads the result of an answer; the click is acknowledged only after that. */
  readonly sendExport: (given: JobData['export']) => Promise<void>
  readonly reply: ReplyToClarification
  readonly stop: StopQuestion
  readonly runAgain: RerunQuestion
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  /** The query in the result is as the person may read it. */
  readonly resolveStaleVerified: (
    given: Parameters<ResolveStaleVerified>[0] & { readonly by: string; readonly team: string },
  ) => ReturnType<ResolveStaleVerified>
  readonly decideVerified: DecideVerified
  /** As the person may read it. */
  readonly findVerified: (
    queryId: string,
    reader: { readonly person: string; readonly team: string },
  ) => Promise<StoredVerifiedQuery | null>
  readonly delivery: Delivery
  /** Why a person cannot ask in a channel; null if they can. */
  readonly findAskRefusal: (asker: Asker & { readonly asks?: string }) => Promise<NotAllowed | null>
  readonly isAdmin: (person: string) => boolean
  readonly describeHome: DescribeHome
  readonly describeAdmin: (team: string) => Promise<AdminFacts>
  readonly describeSchema: DescribeSchema
  readonly describeVerified: DescribeVerified
  readonly decideRule: DecideRule
  /** As the person may read it. */
  readonly findProposal: (
    key: Parameters<FindProposal>[0],
    reader: { readonly person: string; readonly team: string },
  ) => ReturnType<FindProposal>
  readonly decideProposal: DecideProposal
  readonly rebuildIndex: RebuildIndex
  readonly failedJobs: Pick<DeadJobs, 'retry' | 'drop'>
  readonly digests: DigestUseCases
  readonly removeInstallation: RemoveInstallation
  /** Stores the job that looks again at what was posted in a channel; does nothing if everyone sees the same. */
  readonly recheckChannel: (joined: JobData['recheck-channel']) => Promise<void>
}

/** What people can do with an answer. */
export interface AnswerUseCases {
  readonly findAnswered: FindAnsweredQuestion
  /** Why a person may not see an answer; null if they may. */
  readonly findRefusal: (questionId: string, person: string) => Promise<NotAllowed | null>
  readonly vote: (...given: Parameters<RecordVote>) => Promise<VoteCount | NotAllowed | null>
  readonly feedback: RecordFeedback
  readonly exportRows: (
    questionId: string,
    given: { readonly person: string; readonly signal?: AbortSignal; readonly onSlow?: () => void },
  ) => Promise<ExportedRows | NotAllowed | null>
  /** How the answer came about; null if that is no longer stored. */
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
  /** As `findRefusal`, for a reviewer in the review channel. */
  readonly findReviewRefusal: (questionId: string, person: string) => Promise<NotAllowed | null>
  readonly decideReview: (
    ...given: Parameters<DecideReview>
  ) => Promise<Awaited<ReturnType<DecideReview>> | NotAllowed>
  /** Updates the answer in its thread to how it is now, with its chart if one is wanted. */
  readonly showAnswer: (questionId: string) => Promise<void>
}
