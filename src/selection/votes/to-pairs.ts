import type { LabeledGroups, LabeledPair } from '../../core/selector.ts'

/** Every right group above every wrong one; the question's weight is spread over its pairs. */
export const toPairs = ({ groups, right, weight }: LabeledGroups): readonly LabeledPair[] => {
  const better = groups.filter(({ key }) => right.has(key))
  const worse = groups.filter(({ key }) => !right.has(key))
  const share = weight / (better.length * worse.length)
  return better.flatMap(one => worse.map(other => ({ better: one, worse: other, weight: share })))
}
