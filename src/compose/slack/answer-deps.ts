import type { AccessControl } from '../../core/access.ts'
import type { FindAnswered } from '../../core/answered-question.ts'
import type { PlacedQuestion } from '../../core/delivery.ts'
import type { SendJob } from '../../core/job.ts'
import type { DoorOf, TeamOfQuestion } from './slack-doors.ts'

/** What everything needs that people do with answers: where they are, who may, and who does it later. */
export interface AnswerDeps {
  readonly doorOf: DoorOf
  readonly teamOf: TeamOfQuestion
  readonly findAnswered: FindAnswered
  readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
  readonly access: Pick<AccessControl, 'mayAsk' | 'mayDecide'>
  readonly sendJob: SendJob
  /** Forgets an answer that is shown no more as it was. */
  readonly forgetAnswer: (questionId: string) => void
  readonly now: () => Date
}
