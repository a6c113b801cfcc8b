/** A linear function of measures; the intercept is the first weight. */
export const linearScore = (
  measures: readonly number[],
  [intercept = 0, ...weights]: readonly number[],
): number => measures.reduce((sum, measure, i) => sum + measure * (weights[i] ?? 0), intercept)
