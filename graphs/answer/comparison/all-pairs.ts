import type { PairMember, RatePair } from '../../../src/domain/selection/pairwise.ts'
import { mapInParallel } from '../../../src/lib/concurrency.ts'
import { type AskJudge, comparePair, type ProbeMembers, type TournamentResult } from './compare-pair.ts'
import { recordByScorer } from './tournament.ts'

/** What Algorithm 3 compares with. */
interface AllPairsDeps {
  readonly ask: AskJudge
  readonly rate: RatePair
  /** How sure, from 0.5 to 1, the local scorer must be of a pair to decide it without a judge. */
  readonly surePair: number
  readonly probe?: ProbeMembers | null
}

/**
 * CHASE-SQL's selection (section 3.5, Algorithm 3): every two candidates are compared in both orders, and the one with
 * the most wins is the answer. Candidates with equal results need no judge, and those of two groups share the judgment
 * of their representatives, so groups get the scores that their candidates would. A tie goes to more votes, then to the
 * member that comes first.
 *
 * The judge is not asked if it adds nothing: the local scorer decides the pairs it is sure of, and pairs that can no
 * longer change the winner are skipped. A pair that the scorer or a probe decides counts as both orders. `members` come
 * best first.
 */
export const compareAllPairs = async (
  members: readonly [PairMember, ...PairMember[]],
  { ask, rate, surePair, probe = null }: AllPairsDeps,
): Promise<TournamentResult> => {
  // Of two equal results each is the first in one of the two orders, and wins that one.
  const wins = new Map(members.map(member => [member, member.votes - 1]))
  const comparisons: TournamentResult['comparisons'][number][] = []
  const count = ([leading, other]: Pair, ordersWon: number): void => {
    wins.set(leading, wins.get(leading)! + ordersWon * other.votes)
    wins.set(other, wins.get(other)! + (ORDERS - ordersWon) * leading.votes)
  }
  let pending: readonly Pair[] = pairsOf(members).filter(([leading, other]) => {
    const local = rate(leading, other)
    if (Math.max(local, 1 - local) < surePair) return true
    count([leading, other], local >= 0.5 ? ORDERS : 0)
    comparisons.push(recordByScorer(leading, other, local))
    return false
  })
  for (;;) {
    const contenders = findContenders(members, wins, pending)
    pending = pending.filter(pair => pair.some(member => contenders.has(member)))
    if (contenders.size === 1 || pending.length === 0) break
    const batch = pairsOfLargest(pending).slice(0, WIDTH)
    pending = pending.filter(pair => !batch.includes(pair))
    const compared = await mapInParallel(batch, WIDTH, async pair => ({
      pair,
      ...(await comparePair(...pair, { ask, probe })),
    }))
    for (const { pair, orders, comparisons: records } of compared) {
      count(pair, orders.filter(({ winner }) => winner !== pair[1]).length)
      comparisons.push(...records)
    }
  }
  return {
    winner: members.reduce((best, member) => (beats(member, best, wins) ? member : best)),
    comparisons,
  }
}

/** Pairs that are judged at a time; each is two requests. */
const WIDTH = 4

/** Each pair is judged in this many orders. */
const ORDERS = 2

/** The one with the better rank comes first. */
type Pair = readonly [leading: PairMember, other: PairMember]

type Wins = ReadonlyMap<PairMember, number>

const pairsOf = (members: readonly PairMember[]): readonly Pair[] =>
  members.flatMap((leading, at) => members.slice(at + 1).map((other): Pair => [leading, other]))

/** The pairs of the member with the most votes: winning against it is worth most, and can settle the rest. */
const pairsOfLargest = (pending: readonly Pair[]): readonly Pair[] => {
  const largest = Math.max(...pending.flat().map(({ votes }) => votes))
  const member = pending.flat().find(({ votes }) => votes === largest)
  return pending.filter(pair => pair.some(one => one === member))
}

/** The members that can still win: no other is ahead even if it loses all its pending pairs and they win all theirs. */
const findContenders = (
  members: readonly PairMember[],
  wins: Wins,
  pending: readonly Pair[],
): ReadonlySet<PairMember> => {
  const possible = new Map(wins)
  for (const [leading, other] of pending) {
    possible.set(leading, possible.get(leading)! + ORDERS * other.votes)
    possible.set(other, possible.get(other)! + ORDERS * leading.votes)
  }
  return new Set(
    members.filter(member => {
      const atBest = new Map(wins).set(member, possible.get(member)!)
      return !members.some(rival => rival !== member && beats(rival, member, atBest))
    }),
  )
}

/** More wins, else more votes, else the better rank. */
const beats = (one: PairMember, other: PairMember, wins: Wins): boolean =>
  (wins.get(one)! - wins.get(other)! || one.votes - other.votes || other.rank - one.rank) > 0
