import type { ExecutionGroup } from '../../../src/domain/candidate.ts'
import type { PairMember, RatePair } from '../../../src/domain/pairwise.ts'
import { mapInParallel } from '../../../src/lib/concurrency.ts'
import type { DraftingMode } from '../rounds/plan-round.ts'
import { type AskJudge, comparePair, type ProbeMembers, type TournamentResult } from './compare-pair.ts'

/**
 * The cheap way to compare: the leader meets the next of the leading groups, the one who stays the one after it. The
 * local scorer decides alone where it is sure; where it is not, a probe may tell the two apart, else the judge is asked in
 * both orders, and must say the same twice to overturn it. A judge that fails is not asked again. `members` come best first.
 */
export const runTournament = async (
  members: readonly [PairMember, ...PairMember[]],
  deps: {
    readonly ask: AskJudge | null
    readonly rate: RatePair
    readonly rules: TournamentRules
    readonly probe?: ProbeMembers | null
  },
): Promise<TournamentResult> => {
  const { rate, rules, probe = null } = deps
  let [champion] = members
  let ask = champion.group.score >= rules.sureLeader ? null : deps.ask
  const comparisons: TournamentResult['comparisons'][number][] = []
  for (const challenger of members.slice(1, rules.leading)) {
    const local = rate(champion, challenger)
    const isSure = Math.max(local, 1 - local) >= rules.surePair
    const preferred = local >= 0.5 ? champion : challenger
    if (isSure || ask === null) {
      comparisons.push(byScorer(champion, challenger, local))
      champion = preferred
      continue
    }
    const other = preferred === champion ? challenger : champion
    const bout = await comparePair(preferred, other, { ask, probe })
    comparisons.push(...bout.comparisons)
    if (bout.orders.some(({ winner }) => winner === null)) ask = null
    champion = bout.orders.every(({ winner }) => winner === other) ? other : preferred
  }
  return { winner: champion, comparisons }
}

const byScorer = (
  champion: PairMember,
  challenger: PairMember,
  local: number,
): TournamentResult['comparisons'][number] => ({
  first: champion.representative.id,
  second: challenger.representative.id,
  winner: local >= 0.5 ? 'first' : 'second',
  by: 'scorer',
  reason: formatReason(local >= 0.5 ? champion : challenger, Math.max(local, 1 - local)),
})

const formatReason = ({ group: { reasons = [] } }: PairMember, sure: number): string =>
  [`${Math.round(sure * 100)} % sure by itself`, ...reasons].join('; ')

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

/** Whether there is anything to compare: two results, and in the adaptive mode a leader who is not sure already. */
export const isWorthComparing = (groups: readonly ExecutionGroup[], drafting: DraftingMode): boolean => {
  const [leader, runnerUp] = groups
  if (leader === undefined || runnerUp === undefined) return false
  return drafting === 'full' || leader.score < tournamentRules.sureLeader
}

/**
 * The most that comparing may give a result. How often a judge is right is not known beforehand (CHASE-SQL 3.5: of 58 %
 * of pairs for a large model that was not trained to judge), so it makes no answer a sure one.
 */
const MOST_BY_COMPARING = 0.5

/**
 * The groups with the winner of the comparisons in front. A leader that was confirmed keeps the probability of the vote:
 * judgements and votes come from like models, and nothing is known of how far they are independent. A winner from
 * behind gets what the likeliest had, and nobody has more than the winner; both under the cap above.
 */
export const putWinnerFirst = (
  groups: readonly ExecutionGroup[],
  winnerKey: string,
): readonly ExecutionGroup[] => {
  const [leader] = groups
  const winner = groups.find(({ key }) => key === winnerKey)
  if (leader === undefined || winner === undefined) return groups
  const likeliest = Math.min(MOST_BY_COMPARING, Math.max(...groups.map(({ score }) => score)))
  const score = winner === leader ? Math.max(leader.score, likeliest) : likeliest
  const rest = groups
    .filter(group => group !== winner)
    .map(group => ({ ...group, score: Math.min(group.score, score) }))
  return [{ ...winner, score }, ...rest.toSorted((a, b) => b.score - a.score)]
}

/** Where the local scorer is trusted without a judge; probabilities from 0 to 1. */
export interface TournamentRules {
  /** No judge is asked about a leader as sure as this. */
  readonly sureLeader: number
  /** Nor about a pair of which one is as sure as this to be the right one, if either is. */
  readonly surePair: number
  /** Groups that take part at most; one fewer are the comparisons. */
  readonly leading: number
}

/**
 * What the adaptive mode goes by: at these a judge who is right about 58 % of pairs harms little, and about 80 % helps a
 * little (docs/evaluation.md, "Is a judge worth its cost?").
 */
export const tournamentRules: TournamentRules = { sureLeader: 0.7, surePair: 0.7, leading: 4 }

/** Where the question uses a term of the team, which only a judge is told of: then nothing is sure without one. */
export const cautiousRules: TournamentRules = { ...tournamentRules, sureLeader: 1, surePair: 1 }
