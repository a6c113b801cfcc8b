import type { FeedbackReason } from '../../core/feedback.ts'

/**
 * What one person's word on one answer weighs, in thumbs up. A thumb up names one right result among several. A thumb
 * down names a wrong one and leaves open which is right, and where most answers are right, many a thumb down is a slip:
 * at nine right answers in ten and one slip in five, two in three. So it weighs little. Naming the right result takes
 * the most effort and says the most.
 */
export const statementWeights = {
  up: 1,
  down: 0.25,
  alternative: 1.5,
  sql: 2,
  edit: 0.5,
  export: 0.25,
  verification: 3,
} as const

/**
 * A thumb down that comes with one of these is about a result that may well be the right one: nothing is learned from
 * it.
 */
export const reasonsAboutSomethingElse: ReadonlySet<FeedbackReason> = new Set(['format', 'stale-data'])
