import { MOST_WEIGHT_PER_PERSON } from './cap-weights.ts'
import type { FeedbackSignal } from './read-statements.ts'

/** Statements, of each person no more than a voter may weigh: so one person alone never makes a large number. */
export const countCappedVotes = (statements: readonly Pick<FeedbackSignal, 'person'>[]): number =>
  [...Map.groupBy(statements, ({ person }) => person).values()].reduce(
    (sum, own) => sum + Math.min(own.length, MOST_WEIGHT_PER_PERSON),
    0,
  )
