import type { QuestionAndSql } from '../reading.ts'
import type { MismatchMeasure } from './measure.ts'

/**
 * How many of the measures that are seldom wrong find something, each once: one feature for models that have too few
 * labels for forty. Which are seldom wrong was counted on candidates of real systems: at least four in five of their
 * findings were on the wrong one of two results. Words and tables left over, and how many columns there are, say
 * something of their own and are not among them.
 */
export const makeMismatchCount = (measures: readonly MismatchMeasure[]): MismatchMeasure => {
  const counted = measures.filter(({ name }) => reliableMeasures.has(name))
  return {
    name: 'amiss',
    reason: 'the query and the question disagree in several ways',
    measure: (reading: QuestionAndSql) => counted.filter(({ measure }) => measure(reading) > 0).length,
  }
}

const reliableMeasures: ReadonlySet<string> = new Set(
  `all-columns invented-texts missing-both missing-count missing-distinct missing-either missing-groups missing-negation
  missing-quotes missing-superlative outputs-from-conditions recased-quotes unasked-count unasked-filters unasked-groups
  unasked-identifiers unasked-keeping unasked-outputs unasked-ranking unread-names wrong-end`.split(/\s+/),
)
