import type { ReplyToQuestion } from '../core/clarification.ts'
import type { Delivery, PlacedQuestion } from '../core/delivery.ts'
import type { AskQuestion, HearDeletion, HearEdit, HearMessage } from '../core/heard-message.ts'
import type { StopQuestion } from '../core/stop.ts'
import type { KeptVerifiedQuery, SettleVerified } from '../core/verified-recheck.ts'
import type { AnswerUseCases } from './answer-use-cases.ts'
import type { HomeFacts } from './views/home.ts'

/** All that the listeners may call. Each listener parses, calls one of them, and hands the result to a view. */
export interface SlackUseCases extends AnswerUseCases {
  readonly hear: HearMessage
  readonly hearEdit: HearEdit
  readonly hearDeletion: HearDeletion
  readonly ask: AskQuestion
  readonly reply: ReplyToQuestion
  readonly stop: StopQuestion
  readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
  readonly settleVerified: SettleVerified
  readonly findVerified: (queryId: string) => Promise<KeptVerifiedQuery | null>
  readonly delivery: Delivery
  readonly describeHome: () => Promise<HomeFacts>
}
