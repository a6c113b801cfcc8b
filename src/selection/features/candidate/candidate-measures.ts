import type { CandidateMeasure } from './candidate-facts.ts'
import { joinMeasures } from './join-measures.ts'
import { resultMeasures } from './result-measures.ts'
import { structureMeasures } from './structure-measures.ts'

/** Everything that is measured of one candidate by itself, beside what reading it back and expectation say. */
export const candidateMeasures: readonly CandidateMeasure[] = [
  ...resultMeasures,
  ...structureMeasures,
  ...joinMeasures,
]
