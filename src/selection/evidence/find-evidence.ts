import type { Evidence } from '../../core/evidence.ts'
import type { ResultColumn } from '../../core/result.ts'
import { countAbsentLiterals, type KnownValues } from './absent-literals.ts'
import { countColumnInversions } from './column-inversions.ts'

/** Gathers the evidence on a candidate that ran. */
export const findEvidence = (
  candidate: {
    readonly sql: string
    readonly question: string
    readonly columns: readonly ResultColumn[]
    readonly rowCount: number
  },
  known: KnownValues,
): Evidence => ({
  isEmpty: candidate.rowCount === 0,
  absentLiterals: countAbsentLiterals(candidate.sql, known),
  columnInversions: countColumnInversions(candidate.question, candidate.columns),
})
