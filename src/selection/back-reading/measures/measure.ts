import type { QuestionAndSql } from '../reading.ts'

/** One way in which a question and a statement may differ. */
export interface MismatchMeasure {
  /** How the measure is named in models and reports. */
  readonly name: string
  /** What a value above 0 says, for a person. */
  readonly reason: string
  /** 0 where nothing is amiss; a count or a share otherwise. */
  readonly measure: (reading: QuestionAndSql) => number
}
