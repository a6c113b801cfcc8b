import type { FindEvidence } from '../../core/evidence.ts'
import { countAbsentLiterals } from './absent-literals.ts'
import { countColumnInversions } from './column-inversions.ts'

/** Gathers the evidence on a candidate that ran. */
export const findEvidence: FindEvidence = ({ sql, question, columns, rowCount }, known) => ({
  isEmpty: rowCount === 0,
  absentLiterals: countAbsentLiterals(sql, known),
  columnInversions: countColumnInversions(question, columns),
})
