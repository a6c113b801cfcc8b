import type { LabeledGroups, RankGroups } from '../../core/selector.ts'

/** Questions whose first-ranked group is right. */
export const countRight = (questions: readonly LabeledGroups[], rank: RankGroups): number =>
  questions.filter(({ groups, right }) => {
    const [first] = rank(groups)
    return first !== undefined && right.has(first.key)
  }).length
