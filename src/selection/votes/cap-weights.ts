import type { FeedbackSignal } from './read-statements.ts'

/**
 * The most that one person may weigh in all, in statements. With a pull of `pull` towards the prior, whoever weighs W
 * moves the weights by at most W g / pull, g being the largest distance between two groups that they spoke of: the fit
 * is strongly convex. 20 is what a regular voter gives in a month or two; one with more counts no more.
 */
export const MOST_WEIGHT_PER_PERSON = 20

/** The most that all statements on one answer may weigh: thirty thumbs on one popular answer are still one question. */
export const MOST_WEIGHT_PER_QUESTION = 3

/** Holds questions and then voters to their caps, scaling all that they said alike. In the same order. */
export const capWeights = (statements: readonly FeedbackSignal[]): readonly FeedbackSignal[] =>
  capTo(
    capTo(statements, ({ questionId }) => questionId, MOST_WEIGHT_PER_QUESTION),
    ({ person }) => person,
    MOST_WEIGHT_PER_PERSON,
  )

const capTo = (
  statements: readonly FeedbackSignal[],
  keyOf: (statement: FeedbackSignal) => string,
  most: number,
): readonly FeedbackSignal[] => {
  const totals = new Map<string, number>()
  for (const statement of statements)
    totals.set(keyOf(statement), (totals.get(keyOf(statement)) ?? 0) + statement.weight)
  return statements.map(statement => ({
    ...statement,
    weight: statement.weight * Math.min(1, most / totals.get(keyOf(statement))!),
  }))
}
