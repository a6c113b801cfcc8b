import { diceSimilarityTo } from '../lib/dice-with.ts'

/**
 * How alike other skeletons (`sqlSkeleton`) are to one, from 0 to 1: by pairs of neighbouring tokens, which are clauses
 * more than words.
 */
export const skeletonSimilarityTo = (skeleton: string): ((other: string) => number) => {
  const byPairs = diceSimilarityTo(pairs(skeleton))
  return other => byPairs(pairs(other))
}

const pairs = (skeleton: string): readonly string[] => {
  const tokens = skeleton.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}]/gu) ?? []
  return ['', ...tokens].map((token, at) => `${token} ${tokens[at] ?? ''}`)
}
