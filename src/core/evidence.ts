import type { Catalog } from './catalog.ts'
import type { CandidateObservation } from './observation.ts'
import type { ResultTable } from './result.ts'
import type { FindValues } from './value-match.ts'

/**
 * What execution and the database say of one candidate, beside how many others agree with it (facts of the field:
 * such evidence carries most of what a selector gains over plain votes).
 */
export interface Evidence {
  /** The result has no rows. */
  readonly isEmpty: boolean
  /** Text literals that the column they are compared to does not hold. */
  readonly absentLiterals: number
  /** Pairs of result columns that come the other way round than the question names them. */
  readonly columnInversions: number
  /** What the learned selector reads; absent where the candidate was stored before there was one. */
  readonly observation?: CandidateObservation | undefined
}

/** Gathers the evidence on a candidate that ran, from its text, its result and what is known of the database. */
export type FindEvidence = (
  candidate: { readonly sql: string; readonly question: string; readonly table: ResultTable },
  known: { readonly catalog: Catalog; readonly findValues: FindValues },
) => Evidence
