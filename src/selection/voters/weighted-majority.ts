import type { ExpertAnswer, ExpertAnswers } from './expert-answers.ts'
import { type ExpertWeights, weightOf } from './expert-weights.ts'

/**
 * The answer with the heaviest experts behind it, the earliest of equals; null when nothing ran. The Weighted Majority
 * Algorithm (Littlestone and Warmuth; SSEV, 3.1.2, steps 3 and 4).
 */
export const chooseByWeight = (answers: ExpertAnswers, weights: ExpertWeights): ExpertAnswer | null => {
  const heard = new Map<string, { readonly answer: ExpertAnswer; weight: number }>()
  for (const [expert, answer] of answers) {
    if (answer.key === null) continue
    const group = heard.get(answer.key) ?? { answer, weight: 0 }
    group.weight += weightOf(weights, expert)
    heard.set(answer.key, group)
  }
  let best: { readonly answer: ExpertAnswer; readonly weight: number } | null = null
  for (const group of heard.values()) if (best === null || group.weight > best.weight) best = group
  return best?.answer ?? null
}
