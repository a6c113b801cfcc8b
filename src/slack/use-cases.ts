import type { ExportRows, FindAnswered } from '../core/answered-question.ts'
import type { ReplyToQuestion } from '../core/clarification.ts'
import type { Delivery, PlacedQuestion } from '../core/delivery.ts'
import type { AskQuestion, HearMessage } from '../core/heard-message.ts'
import type { StopQuestion } from '../core/stop.ts'
import type { KeptVerifiedQuery, SettleVerified } from '../core/verified-recheck.ts'
import type { RecordVote } from '../core/vote.ts'
import type { HomeFacts } from './views/home.ts'

/** All that the listeners may call. Each listener parses, calls one of them, and hands the result to a view. */
export interface SlackUseCases {
  readonly hear: HearMessage
  readonly ask: AskQuestion
  readonly reply: ReplyToQuestion
  readonly stop: StopQuestion
  readonly vote: RecordVote
  readonly findAnswered: FindAnswered
  readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
  readonly exportRows: ExportRows
  readonly settleVerified: SettleVerified
  readonly findVerified: (queryId: string) => Promise<KeptVerifiedQuery | null>
  readonly delivery: Delivery
  readonly describeHome: () => Promise<HomeFacts>
}
