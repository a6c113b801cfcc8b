import type { CallLoss } from '../../../src/domain/operations/usage.ts'
import type {
  DecidePairWinner,
  PairMember,
  ProbePair,
  RatePair,
} from '../../../src/domain/selection/pairwise.ts'
import type { ComparisonRecord } from '../../../src/domain/trace.ts'

/** The result of one order of a pair; `winner` is null if the judge failed. */
interface JudgeVerdict {
  readonly winner: PairMember | null
  readonly reason: string
  /** Why the model brought no verdict. */
  readonly lost?: CallLoss
}

/** Asks the judge about a pair in one order. Throws only if the question is stopped. */
export type AskJudge = (first: PairMember, second: PairMember) => Promise<JudgeVerdict>

/**
 * Says without a model which of a pair is right, or null if that is not clear. The two orders agree. Never throws but
 * for a stop.
 */
export type ProbeMembers = (
  first: PairMember,
  second: PairMember,
) => Promise<{ readonly winner: PairMember; readonly reason: string } | null>

/** The result of comparing: the group that is first now, and the comparisons made. */
export interface TournamentResult {
  readonly winner: PairMember
  readonly comparisons: readonly Omit<ComparisonRecord, 'round'>[]
}

/** A pair in both orders, so that a judge who prefers a place prefers neither (CHASE-SQL 3.5). */
interface PairComparison {
  readonly orders: readonly [JudgeVerdict, JudgeVerdict]
  readonly comparisons: readonly Omit<ComparisonRecord, 'round'>[]
}

/**
 * Has a pair judged in both orders at once, unless a probe already decides it. If the judge fails in an order, that order
 * goes to the one whom the vote has in front, which is `leading`.
 */
export const comparePair = async (
  leading: PairMember,
  other: PairMember,
  { ask, probe }: { readonly ask: AskJudge; readonly probe: ProbeMembers | null },
): Promise<PairComparison> => {
  const probed = (await probe?.(leading, other)) ?? null
  if (probed !== null) {
    const { winner, reason } = probed
    const [first, second] = [leading.representative.id, other.representative.id]
    return {
      orders: [probed, probed],
      comparisons: [{ first, second, winner: winner === leading ? 'first' : 'second', by: 'probe', reason }],
    }
  }
  const orders = await Promise.all([ask(leading, other), ask(other, leading)])
  const record = (
    verdict: JudgeVerdict,
    first: PairMember,
    second: PairMember,
  ): Omit<ComparisonRecord, 'round'> => ({
    first: first.representative.id,
    second: second.representative.id,
    winner: (verdict.winner ?? leading) === first ? 'first' : 'second',
    by: verdict.winner === null ? 'vote' : 'model',
    reason: verdict.reason,
    ...(verdict.lost && { lost: verdict.lost }),
  })
  return { orders, comparisons: [record(orders[0], leading, other), record(orders[1], other, leading)] }
}

/** By whom groups are compared: a judge, asked for little or much, and what may spare asking it. */
export interface PairwiseJudges {
  /** Null if no model is asked. */
  readonly judge: DecidePairWinner | null
  /** A local scorer that costs nothing. */
  readonly rate: RatePair
  /** Runs before the judge is asked; missing if there is nothing to look up. */
  readonly probe?: ProbePair
}
