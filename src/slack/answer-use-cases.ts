import type { NotAllowed } from '../core/access.ts'
import type { AnswerLook, ExportedRows, FindAnswered } from '../core/answered-question.ts'
import type { RecordFeedback } from '../core/feedback.ts'
import type { AskHuman, DecideRequest, HumanRequest } from '../core/human-request.ts'
import type { OtherResult } from '../core/other-result.ts'
import type { Trace } from '../core/trace.ts'
import type { SavedVerified } from '../core/verified-query.ts'
import type { RecordVote } from '../core/vote.ts'
import type { ReviseAnswer } from '../core/wanted-revision.ts'

/** What people can do with an answer. */
export interface AnswerUseCases {
  readonly findAnswered: FindAnswered
  readonly vote: RecordVote
  readonly feedback: RecordFeedback
  readonly exportRows: (
    questionId: string,
    given: { readonly person: string; readonly signal?: AbortSignal; readonly onSlow?: () => void },
  ) => Promise<ExportedRows | NotAllowed | null>
  /** How the answer came about; null where that is no longer kept. */
  readonly findTrace: (questionId: string, person: string) => Promise<Trace | NotAllowed | null>
  readonly otherResults: (questionId: string, person: string) => Promise<readonly OtherResult[]>
  readonly reviseAnswer: ReviseAnswer
  readonly chooseLook: (questionId: string, look: AnswerLook) => Promise<void>
  readonly proposeVerified: (given: {
    readonly questionId: string
    readonly person: string
  }) => Promise<SavedVerified | { readonly status: 'gone' }>
  readonly askHuman: (...given: Parameters<AskHuman>) => Promise<Awaited<ReturnType<AskHuman>> | NotAllowed>
  readonly findRequest: (questionId: string) => Promise<HumanRequest | null>
  readonly decideRequest: (
    ...given: Parameters<DecideRequest>
  ) => Promise<Awaited<ReturnType<DecideRequest>> | NotAllowed>
  /** Shows the answer in its thread as it stands now, with its chart where one is wanted. */
  readonly showAnswer: (questionId: string) => Promise<void>
}
