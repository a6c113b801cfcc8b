import type { EvaluatedQuestion } from '../evaluated-question.ts'

/** If only answers at least so sure were given: the share of questions that get one, and of those the right ones. */
export interface CoveragePoint {
  readonly confidence: number
  readonly coverage: number
  readonly precision: number
}

/**
 * The risk-coverage curve (El-Yaniv and Wiener 2010), as precision against coverage: one point for each confidence that
 * an answer has, the surest first. Answers of one confidence come together, since no threshold parts them.
 */
export const riskCoverage = (evaluated: readonly EvaluatedQuestion[]): readonly CoveragePoint[] => {
  const answerable = evaluated.filter(({ answerable }) => answerable)
  const answers = answerable.filter(
    ({ outcome, confidence }) => outcome === 'answered' && confidence !== null,
  )
  const byConfidence = [...Map.groupBy(answers, ({ confidence }) => confidence ?? 0)].sort(
    ([a], [b]) => b - a,
  )
  let given = 0
  let right = 0
  return byConfidence.map(([confidence, own]) => {
    given += own.length
    right += own.filter(({ ex }) => ex === true).length
    return { confidence, coverage: given / answerable.length, precision: right / given }
  })
}
