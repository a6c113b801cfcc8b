import type { AccessControl } from '../../core/access.ts'
import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { LocatedQuestion } from '../../core/delivery.ts'
import type { SendJob } from '../../core/job.ts'
import type { CredentialsOf, TeamOfQuestion } from './slack-doors.ts'

/** What everything needs that people do with answers: where they are, who may, and who does it later. */
export interface AnswerActionDeps {
  readonly doorOf: CredentialsOf
  readonly teamOf: TeamOfQuestion
  readonly findAnswered: FindAnsweredQuestion
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly access: Pick<AccessControl, 'mayAsk' | 'mayDecide'>
  readonly sendJob: SendJob
  /** Forgets an answer that is shown no more as it was. */
  readonly forgetAnswer: (questionId: string) => void
  readonly now: () => Date
}
