import { makeTellLimited } from '../../app/messages/tell-limited.ts'
import type { TellAlone } from '../../app/messages/tell-refused.ts'
import type { LimitRate } from '../../app/questions/limit-rate.ts'
import type { Resources } from '../../compose.ts'
import type { AccessControl } from '../../core/access.ts'
import type { AnswerMemory } from '../../core/answer-memory.ts'
import type { PlacedQuestion } from '../../core/delivery.ts'
import { tellOfIndexes } from '../databases/tell-of-indexes.ts'
import { makeRateLimits } from '../slack/make-rate-limits.ts'
import type { OwnStore } from './open-own-store.ts'
import { openShared, type Shared } from './open-shared.ts'
import { makeForgetAnswer, rememberAnswers } from './remember-answers.ts'

/** What replicas share: limits, answers that are shown again, notices. */
export interface SharedWork extends Pick<Shared, 'notices'> {
  readonly limitQuestions: LimitRate
  readonly limitButtons: LimitRate
  readonly tellLimited: TellAlone
  readonly answerMemory: AnswerMemory | null
  readonly forgetAnswer: (questionId: string) => void
}

/** Wires it. */
export const shareWork = (
  resources: Pick<
    Resources,
    'config' | 'releasers' | 'log' | 'metrics' | 'heedDatabase' | 'onDatabaseMeasured'
  >,
  { url, store: { repositories } }: OwnStore,
  deps: {
    readonly access: Pick<AccessControl, 'rightsFingerprint'>
    readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
    readonly isAdmin: (person: string) => boolean
    readonly tellAlone: TellAlone
    readonly now: () => Date
  },
): SharedWork => {
  const { config, releasers, log, metrics } = resources
  const { take, cache, notices } = openShared({ config, url, releasers, log })
  const { access, findPlaced, isAdmin, tellAlone, now } = deps
  const untell = tellOfIndexes(resources, notices)
  releasers.push(async () => untell())
  return {
    notices,
    ...makeRateLimits(config, { take, isAdmin, metrics }),
    tellLimited: makeTellLimited({ take, tellAlone, log }),
    answerMemory: rememberAnswers(config, repositories, { cache, access, findPlaced, now, log }),
    forgetAnswer: makeForgetAnswer(repositories, { cache, log }),
  }
}
