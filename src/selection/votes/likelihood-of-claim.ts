import type { FeedbackSignal } from './read-statements.ts'

/**
 * How probable it is that a person makes this claim when `truth` is the key of the right group, null when none of them
 * is right. Who slips names any of the others alike; a comparison of two says nothing where neither is right.
 */
export const likelihoodOfClaim = (
  { claim, slip, groups }: Pick<FeedbackSignal, 'claim' | 'slip' | 'groups'>,
  truth: string | null,
): number => {
  switch (claim.kind) {
    case 'right':
      return truth === claim.key ? 1 - slip : slip
    case 'wrong':
      return truth === claim.key ? slip : 1 - slip
    case 'named': {
      // Every drafted result or another one: that which is held, or by a slip any of the others.
      const isDrafted = groups.some(({ key }) => key === claim.key)
      return truth === (isDrafted ? claim.key : null) ? 1 - slip : slip / groups.length
    }
    case 'better':
      return truth === claim.key ? 1 - slip : truth === claim.than ? slip : 0.5
    default: {
      const never: never = claim
      return never
    }
  }
}
