import type { FindEvidence } from '../../core/evidence.ts'
import { shippedShapePrior } from '../expectation/shipped-expectation.ts'
import { makeObserveCandidate } from '../features/candidate/observe-candidate.ts'
import { countAbsentLiterals } from './absent-literals.ts'
import { countColumnInversions } from './column-inversions.ts'

const observe = makeObserveCandidate(shippedShapePrior)

/** Gathers the evidence on a candidate that ran. */
export const findEvidence: FindEvidence = (candidate, known) => ({
  isEmpty: candidate.table.rows.length === 0,
  absentLiterals: countAbsentLiterals(candidate.sql, known),
  columnInversions: countColumnInversions(candidate.question, candidate.table.columns),
  observation: observe(candidate, known.catalog),
})
