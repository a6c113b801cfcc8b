import type { DraftReading } from '../read-question.ts'
import type { Calibration } from './model.ts'

/** The probability that each reading is right. */
export const confidences = (drafts: readonly DraftReading[], calibration: Calibration): readonly number[] => {
  const best = drafts[0]?.score ?? 0
  const temperature = calibration.temperature ?? 1
  const shares = drafts.map(draft => Math.exp((draft.score - best) / temperature))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return shares.map(share => share / total)
}
