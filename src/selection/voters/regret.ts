import type { ExpertHistory } from './follow-experts.ts'

/** What it cost not to know the best expert beforehand. Mistakes are counts of rounds. */
export interface Regret {
  readonly experts: number
  readonly rounds: number
  readonly epsilon: number
  readonly best: { readonly expert: string; readonly mistakes: number } | null
  /** `regret` is mistakes less those of the best expert, below 0 when the vote beats it; `bound` is on mistakes. */
  readonly wma: { readonly mistakes: number; readonly regret: number; readonly bound: number | null }
  /** The mistakes expected over its draws. */
  readonly rwma: { readonly mistakes: number; readonly regret: number; readonly bound: number | null }
}

/**
 * Mistakes against the best expert, and the bounds that hold whatever the rounds were: 2 (1 + eps) m* + 2 ln N / eps for
 * the weighted majority, (1 + eps) m* + ln N / eps expected for the randomised one (SSEV, 3.1.2, step 7). Null for a
 * bound where there is one expert and nothing to learn.
 */
export const regretOf = (course: ExpertHistory): Regret => {
  const { rounds, epsilon, mistakes, mistakesOfMajority, expectedMistakesOfDraw } = course
  let best: Regret['best'] = null
  for (const [expert, count] of mistakes)
    if (best === null || count < best.mistakes) best = { expert, mistakes: count }
  const fewest = best?.mistakes ?? 0
  const slack = epsilon > 0 ? Math.log(mistakes.size) / epsilon : null
  const once = slack === null ? null : (1 + epsilon) * fewest + slack
  return {
    experts: mistakes.size,
    rounds,
    epsilon,
    best,
    wma: {
      mistakes: mistakesOfMajority,
      regret: mistakesOfMajority - fewest,
      bound: once === null ? null : 2 * once,
    },
    rwma: {
      mistakes: expectedMistakesOfDraw,
      regret: expectedMistakesOfDraw - fewest,
      bound: once,
    },
  }
}
