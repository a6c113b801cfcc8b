import type { Catalog } from '../../../core/catalog.ts'
import type { ResultTable } from '../../../core/result.ts'
import type { SqlReferences } from '../../../sql/sql-references.ts'
import type { SqlShape } from '../../../sql/sql-shape.ts'
import type { Cue } from '../../back-reading/question-cues.ts'

/** What the measures of one candidate that ran are taken from; all without knowing what is right. */
export interface CandidateFacts {
  /** What the question asks for by phrases of general English. */
  readonly cues: ReadonlySet<Cue>
  /** Null where the statement cannot be parsed. */
  readonly shape: SqlShape | null
  readonly references: SqlReferences | null
  readonly table: ResultTable
  readonly distinctRows: number
  /** Share of the cells that are NULL, 0 to 1. */
  readonly nullShare: number
  readonly catalog: Catalog
}

/** One thing that is measured of a candidate. */
export interface CandidateMeasure {
  /** How it is named in models and reports; never changed, because trained files name it. */
  readonly name: string
  /** What a value above 0 says, for a person. */
  readonly reason: string
  readonly measure: (facts: CandidateFacts) => number
}
