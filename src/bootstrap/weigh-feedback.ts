import type { Config } from '../config/config.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { makeTeachExperts, type TeachExperts } from '../feedback/teach-experts.ts'
import { BURST_MS } from '../ranking/learning/quarantine.ts'
import { makeWeighFeedback, type WeighFeedback } from '../ranking/learning/weigh-feedback.ts'
import { wrongExperts } from '../ranking/live-experts.ts'
import { makeComparePair } from '../ranking/selector/selector-model.ts'
import { shippedSelector } from '../ranking/selector/shipped-selector.ts'
import type { Store } from '../store/store.ts'

/** Admins' words always count fully. */
const trustedBy = ({ slack }: Pick<Config, 'slack'>): ReadonlySet<string> => new Set(slack.admins)

/** What of people's feedback may train, with the admins of the configuration. */
export const weighFeedbackFor = (
  config: Pick<Config, 'slack'>,
  believe = makeComparePair(shippedSelector),
): WeighFeedback => makeWeighFeedback({ believe, trusted: trustedBy(config) })

/** Teaches the experts of a live chooser from the store. */
export const teachExpertsFrom = (
  store: Pick<Store, 'expertRecords' | 'repositories'>,
  config: Pick<Config, 'slack'>,
  log: Log,
): TeachExperts => {
  const { feedback, voters } = store.repositories
  const trusted = trustedBy(config)
  return makeTeachExperts({
    settleRound: store.expertRecords.settleRound,
    findFeedback: async questionId => ({
      ...(await feedback.find(questionId)),
      speakers: await voters.speakers(questionId, BURST_MS),
    }),
    wrongExperts: (round, said) => wrongExperts(round, said, trusted),
    log,
  })
}
