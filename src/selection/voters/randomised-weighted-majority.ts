import type { ExpertAnswer, ExpertAnswers } from './expert-answers.ts'
import { type ExpertWeights, weightOf } from './expert-weights.ts'

/**
 * The answer of one expert, drawn with a probability in proportion to its weight among those that have an answer; null
 * when nobody has. The Randomised Weighted Majority Algorithm (SSEV, 3.1.2). `random` gives numbers from 0 to 1.
 */
export const drawByWeight = (
  answers: ExpertAnswers,
  weights: ExpertWeights,
  random: () => number,
): ExpertAnswer | null => {
  const heard = [...answers].filter(([, { key }]) => key !== null)
  const total = heard.reduce((sum, [expert]) => sum + weightOf(weights, expert), 0)
  let left = random() * total
  for (const [expert, answer] of heard) {
    left -= weightOf(weights, expert)
    if (left < 0) return answer
  }
  // Rounding can leave a rest, and all weights can be nought.
  return heard.at(-1)?.[1] ?? null
}
