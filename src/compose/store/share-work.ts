import { makeNotifyRateLimited } from '../../app/messages/tell-limited.ts'
import type { NotifyPrivately } from '../../app/messages/tell-refused.ts'
import type { CheckRateLimit } from '../../app/questions/limit-rate.ts'
import type { Resources } from '../../compose.ts'
import type { AccessControl } from '../../core/access.ts'
import type { AnswerReuse } from '../../core/answer-memory.ts'
import type { LocatedQuestion } from '../../core/delivery.ts'
import { shareIndexChanges } from '../databases/tell-of-indexes.ts'
import { makeRateLimits } from '../slack/make-rate-limits.ts'
import type { OwnStore } from './open-own-store.ts'
import { openSharedBackends, type SharedBackends } from './open-shared.ts'
import { makeConfiguredAnswerMemory, makeInvalidateAnswer } from './remember-answers.ts'

/** What replicas share: limits, answers that are shown again, notices. */
export interface SharedServices extends Pick<SharedBackends, 'notices'> {
  readonly limitQuestions: CheckRateLimit
  readonly limitButtons: CheckRateLimit
  readonly tellLimited: NotifyPrivately
  readonly answerMemory: AnswerReuse | null
  readonly forgetAnswer: (questionId: string) => void
}

/** Wires it. */
export const makeSharedServices = (
  resources: Pick<
    Resources,
    'config' | 'releasers' | 'log' | 'metrics' | 'invalidateDatabase' | 'onDatabaseMeasured'
  >,
  { url, store: { repositories } }: OwnStore,
  deps: {
    readonly access: Pick<AccessControl, 'rightsFingerprint'>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly isAdmin: (person: string) => boolean
    readonly tellAlone: NotifyPrivately
    readonly now: () => Date
  },
): SharedServices => {
  const { config, releasers, log, metrics } = resources
  const { take, cache, notices } = openSharedBackends({ config, url, releasers, log })
  const { access, findPlaced, isAdmin, tellAlone, now } = deps
  const untell = shareIndexChanges(resources, notices)
  releasers.push(async () => untell())
  return {
    notices,
    ...makeRateLimits(config, { take, isAdmin, metrics }),
    tellLimited: makeNotifyRateLimited({ take, tellAlone, log }),
    answerMemory: makeConfiguredAnswerMemory(config, repositories, { cache, access, findPlaced, now, log }),
    forgetAnswer: makeInvalidateAnswer(repositories, { cache, log }),
  }
}
