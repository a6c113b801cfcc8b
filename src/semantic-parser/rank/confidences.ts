import { calibrationFeatures } from './doubts.ts'
import type { Features } from './features.ts'
import type { Calibration } from './model.ts'

/** Readings past this many have next to no share, and training saw no more. */
const MAX_COUNTED = 60

/**
 * The probability that each reading of a ranked list is right: a logistic model for the first, and for the others
 * its part in proportion to their scores.
 */
export const calibrateConfidences = (
  drafts: readonly { readonly score: number; readonly features: Features }[],
  calibration: Calibration,
): readonly number[] => {
  const [first] = drafts
  if (!first) return []
  const scores = drafts.slice(0, MAX_COUNTED).map(draft => draft.score)
  const doubts = calibrationFeatures({ scores, features: first.features })
  let logit = 0
  for (const [name, value] of Object.entries(doubts)) logit += (calibration[name] ?? 0) * value
  const sure = 1 / (1 + Math.exp(-logit))
  return drafts.map(draft => sure * Math.exp(draft.score - first.score))
}
