import type { RatePair } from '../../../src/core/judge-pair.ts'

/** Of two results, each is as likely as its share of what both are given by the vote. Evens when neither is given any. */
export const rateByScore: RatePair = (first, second) => {
  const both = first.group.score + second.group.score
  return both > 0 ? first.group.score / both : 0.5
}
