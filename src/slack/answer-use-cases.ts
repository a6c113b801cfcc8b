import type { NotAllowed } from '../core/access.ts'
import type { AnswerDisplay, ExportedRows, FindAnsweredQuestion } from '../core/answered-question.ts'
import type { RecordFeedback } from '../core/feedback.ts'
import type { DecideReview, RequestReview, ReviewRequest } from '../core/human-request.ts'
import type { AlternativeResult } from '../core/other-result.ts'
import type { Trace } from '../core/trace.ts'
import type { SaveVerifiedResult } from '../core/verified-query.ts'
import type { RecordVote } from '../core/vote.ts'
import type { ReviseAnswer } from '../core/wanted-revision.ts'

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
  readonly chooseLook: (questionId: string, look: AnswerDisplay) => Promise<void>
  readonly proposeVerified: (given: {
    readonly questionId: string
    readonly person: string
  }) => Promise<SaveVerifiedResult | { readonly status: 'gone' }>
  readonly askHuman: (
    ...given: Parameters<RequestReview>
  ) => Promise<Awaited<ReturnType<RequestReview>> | NotAllowed>
  readonly findRequest: (questionId: string) => Promise<ReviewRequest | null>
  readonly decideRequest: (
    ...given: Parameters<DecideReview>
  ) => Promise<Awaited<ReturnType<DecideReview>> | NotAllowed>
  /** Shows the answer in its thread as it stands now, with its chart where one is wanted. */
  readonly showAnswer: (questionId: string) => Promise<void>
}
