import type { PairMember, RatePair } from '../../../src/core/judge-pair.ts'
import { type AskJudge, comparePair, type ProbeMembers, type TournamentResult } from './bout.ts'
import type { TournamentRules } from './knock-out-rules.ts'

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
