import type { ClassWeights } from './expectation-model.ts'

/** Natural logarithm of the probability of each class, in the order of the model's classes. */
export const classLogLikelihoods = (
  { classes, intercepts, cues: weights }: ClassWeights,
  cues: readonly string[],
): readonly number[] => {
  const scores = [...intercepts]
  for (const cue of cues) {
    // A cue may be called like something every object has.
    const row = Object.hasOwn(weights, cue) ? weights[cue] : undefined
    if (row !== undefined) for (let k = 0; k < classes.length; k++) scores[k]! += row[k]!
  }
  const most = Math.max(...scores)
  const norm = most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0))
  return scores.map(score => score - norm)
}
