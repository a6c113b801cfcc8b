import type { FeedbackSignal } from './read-statements.ts'

/** Keys of the groups that a statement puts above others, and of those. */
export interface SignalSides {
  readonly right: readonly string[]
  readonly wrong: readonly string[]
}

/** What a statement says, as two sides. The right one may be a result that nobody drafted. */
export const sidesOf = ({ claim, groups }: Pick<FeedbackSignal, 'claim' | 'groups'>): SignalSides => {
  const others = groups.flatMap(({ key }) => (key === claim.key ? [] : [key]))
  switch (claim.kind) {
    case 'right':
    case 'named':
      return { right: [claim.key], wrong: others }
    case 'wrong':
      return { right: others, wrong: [claim.key] }
    case 'better':
      return { right: [claim.key], wrong: [claim.than] }
    default: {
      const never: never = claim
      return never
    }
  }
}
