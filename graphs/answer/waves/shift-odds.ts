import type { ExecutionGroup } from '../../../src/core/execution-group.ts'
import type { FeedbackShift, MeasuredGroup } from '../../../src/core/selector.ts'

/** Votes change the odds of a result beside the leader by no more than this, in logits: a factor of twenty. */
const MOST_SHIFT = 3

/** Less than this changes no mind, and is not told. */
const LEAST_REPORTED = 0.1

/**
 * Shifts the odds that free paths give by what people's votes have taught beyond the selector that comes with Querent:
 * each weighs its score times e to the power of its shift beside the leader's, and what they share is what they shared.
 * `own` come best first and stay exactly as they are where no vote has taught anything.
 */
export const applyFeedbackShift = (
  own: readonly ExecutionGroup[],
  measured: readonly MeasuredGroup[],
  shift: FeedbackShift | undefined,
): readonly ExecutionGroup[] => {
  const [leader] = own
  if (shift === undefined || leader === undefined || own.length < 2) return own
  const shiftOf = new Map(measured.map(group => [group.key, shift(group)]))
  // Only differences within a question mean anything, so the leader's is the zero.
  const beside = ({ key }: ExecutionGroup): number =>
    Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, (shiftOf.get(key) ?? 0) - (shiftOf.get(leader.key) ?? 0)))
  if (own.every(group => beside(group) === 0)) return own
  const shifted = own.map(group => ({ group, weight: group.score * Math.exp(beside(group)) }))
  const before = own.reduce((sum, { score }) => sum + score, 0)
  const after = shifted.reduce((sum, { weight }) => sum + weight, 0)
  return shifted
    .map(({ group, weight }) => ({
      ...group,
      score: after > 0 ? (weight * before) / after : group.score,
      ...reasonsOf(beside(group)),
    }))
    .sort((a, b) => b.score - a.score)
}

const reasonsOf = (shift: number): Pick<ExecutionGroup, 'reasons'> =>
  Math.abs(shift) < LEAST_REPORTED
    ? {}
    : { reasons: [`votes on earlier answers speak ${shift > 0 ? 'for' : 'against'} it`] }
