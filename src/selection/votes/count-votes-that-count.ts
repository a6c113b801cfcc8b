import { MOST_OF_A_VOTER } from './cap-weights.ts'
import type { Statement } from './read-statements.ts'

/** Statements, of each person no more than a voter may weigh: so one person alone never makes a large number. */
export const countVotesThatCount = (statements: readonly Pick<Statement, 'person'>[]): number =>
  [...Map.groupBy(statements, ({ person }) => person).values()].reduce(
    (sum, own) => sum + Math.min(own.length, MOST_OF_A_VOTER),
    0,
  )
