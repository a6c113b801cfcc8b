import type { ExecutionGroup } from '../../../src/domain/candidate.ts'
import type { CallLoss } from '../../../src/domain/operations/usage.ts'
import type { PairMember, RatePair } from '../../../src/domain/selection/pairwise.ts'
import type { DraftingMode } from '../rounds/plan-round.ts'
import { type AskJudge, comparePair, type ProbeMembers, type TournamentResult } from './compare-pair.ts'

/**
 * The cheap way to compare: the leader meets the next of the leading groups, the one who stays the one after it. The
 * local scorer decides alone where it is sure; if it is not, a probe may tell the two apart, else the judge is asked in
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
  let lost: CallLoss | null = null
  const comparisons: TournamentResult['comparisons'][number][] = []
  for (const challenger of members.slice(1, rules.leading)) {
    const local = rate(champion, challenger)
    const isSure = Math.max(local, 1 - local) >= rules.surePair
    const preferred = local >= 0.5 ? champion : challenger
    if (isSure || ask === null) {
      const record = recordByScorer(champion, challenger, local)
      comparisons.push(isSure || lost === null ? record : { ...record, lost })
      champion = preferred
      continue
    }
    const other = preferred === champion ? challenger : champion
    const compared = await comparePair(preferred, other, { ask, probe })
    comparisons.push(...compared.comparisons)
    const failed = compared.orders.find(({ winner }) => winner === null)
    if (failed !== undefined) {
      ask = null
      lost = failed.lost ?? null
    }
    champion = compared.orders.every(({ winner }) => winner === other) ? other : preferred
  }
  return { winner: champion, comparisons }
}

/** A pair that the local scorer decided, for the trace; `local` is its probability that the first is right. */
export const recordByScorer = (
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

/**
 * Whether there is anything to compare. In full mode: two results of models' drafts, which are those that `isDrafted`
 * knows; a result that all drafts agree on wins at once. In adaptive mode: two results and a leader that is not sure.
 */
export const isWorthComparing = (
  groups: readonly ExecutionGroup[],
  {
    mode,
    isDrafted,
  }: { readonly mode: DraftingMode; readonly isDrafted: (group: ExecutionGroup) => boolean },
): boolean => {
  if (mode === 'full') return groups.filter(isDrafted).length > 1
  const [leader, runnerUp] = groups
  return leader !== undefined && runnerUp !== undefined && leader.score < tournamentRules.sureLeader
}

/**
 * The most that comparing may give a result. How often a judge is right is not known beforehand (CHASE-SQL 3.5: of 58 %
 * of pairs for a large model that was not trained to judge), so it makes no answer a sure one.
 */
const MOST_BY_COMPARING = 0.5

/**
 * The groups with the winner of the comparisons in front. A leader that was confirmed keeps the probability of the vote:
 * judgements and votes come from like models, and nothing is known of how far they are independent. A winner from
 * behind gets what the likeliest had, and nobody has more than the winner; both under the cap above. A leader that a
 * probe put out leaves its probability to the winner: the rows themselves speak against it.
 */
export const putWinnerFirst = (
  groups: readonly ExecutionGroup[],
  winnerKey: string,
  comparisons: TournamentResult['comparisons'] = [],
): readonly ExecutionGroup[] => {
  const [leader] = groups
  const winner = groups.find(({ key }) => key === winnerKey)
  if (leader === undefined || winner === undefined) return groups
  const isLeaderOut = comparisons.some(
    one => one.by === 'probe' && one[one.winner === 'first' ? 'second' : 'first'] === leader.representativeId,
  )
  const inherited = isLeaderOut && winner !== leader ? winner.score + leader.score : 0
  const likeliest = Math.min(MOST_BY_COMPARING, Math.max(inherited, ...groups.map(({ score }) => score)))
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

/**
 * How sure the local scorer must be of a pair in full mode. A judge that is right in seven of ten pairs would undo more
 * of its choices than it corrects; one that is never wrong loses less than a point (docs/evaluation.md).
 */
export const SURE_PAIR_IN_FULL = 0.95

/** For a question with a term of the team, which only a judge knows: nothing is sure without the judge. */
export const cautiousRules: TournamentRules = { ...tournamentRules, sureLeader: 1, surePair: 1 }
