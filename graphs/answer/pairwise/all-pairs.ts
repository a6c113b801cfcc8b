import type { PairMember } from '../../../src/core/judge-pair.ts'
import { mapInParallel } from '../../../src/lib/map-in-parallel.ts'
import { type AskJudge, comparePair, type ProbeMembers, type TournamentResult } from './bout.ts'

/** Pairs that are judged at a time; each is two requests. */
const WIDTH = 4

/**
 * CHASE-SQL's selection (section 3.5, Algorithm 3): every two candidates are compared in both orders, and who wins
 * most is the answer. Candidates of equal results need no judge, and those of two groups get the judgement of their
 * representatives: the same scores as over all candidates, for m(m - 1) judgements of m groups. A tie goes to more
 * votes, then to the one that the vote has in front. A pair that a probe tells apart costs no judgement and counts as two.
 * `members` come best first.
 */
export const compareAllPairs = async (
  members: readonly [PairMember, ...PairMember[]],
  ask: AskJudge,
  probe: ProbeMembers | null = null,
): Promise<TournamentResult> => {
  const pairs = members.flatMap((leading, at) => members.slice(at + 1).map(other => ({ leading, other })))
  const bouts = await mapInParallel(pairs, WIDTH, async ({ leading, other }) => {
    const { orders, comparisons } = await comparePair(leading, other, { ask, probe })
    return { leading, other, wins: orders.filter(({ winner }) => winner !== other).length, comparisons }
  })
  // Of two equal results each is the first in one of the two orders, and wins that one.
  const scores = new Map(members.map(member => [member, member.votes - 1]))
  for (const { leading, other, wins } of bouts) {
    scores.set(leading, scores.get(leading)! + wins * other.votes)
    scores.set(other, scores.get(other)! + (2 - wins) * leading.votes)
  }
  const rank = (member: PairMember): readonly [number, number] => [scores.get(member)!, member.votes]
  return {
    winner: members.reduce((best, member) => (isHigher(rank(member), rank(best)) ? member : best)),
    comparisons: bouts.flatMap(({ comparisons }) => comparisons),
  }
}

const isHigher = ([score, size]: readonly [number, number], [best, largest]: readonly [number, number]) =>
  score > best || (score === best && size > largest)
