import type { GroupMeasure } from './group-measure.ts'

/** What people have verified for questions like this one: evidence that shares neither model nor path with the candidates. */
export const verifiedMeasures: readonly GroupMeasure[] = [
  {
    name: 'verified-likeness',
    reason: 'it is built like a query that somebody verified for a similar question',
    measure: ({ members }, { verifiedLikeness }) =>
      Math.max(0, ...members.map(({ candidateId }) => verifiedLikeness.get(candidateId) ?? 0)),
  },
]
