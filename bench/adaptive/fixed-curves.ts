import type { CandidateVote } from '../../src/domain/selection/ranking.ts'
import type { LabeledVotes } from '../../src/ranking/learning/train-stopping-model.ts'
import { chooseByMajority } from '../../src/ranking/strategies.ts'
import { countVotes } from '../../src/ranking/votes.ts'
import { type CurvePoint, summarise } from './adaptive-curve.ts'

const choose = {
  majority: chooseByMajority,
  evidence: (candidateVotes: readonly CandidateVote[]) =>
    countVotes(candidateVotes).groups[0]?.representativeId ?? null,
}

/** Right answers after the first 1, 2, 3 ... drafts of every question. */
export const fixedCurve = (
  votes: readonly LabeledVotes[],
  by: keyof typeof choose,
): readonly CurvePoint[] => {
  const longest = Math.max(...votes.map(({ candidateVotes }) => candidateVotes.length))
  return Array.from({ length: longest }, (_, index) =>
    summarise(
      votes.map(({ candidateVotes, right }) => ({
        consumed: Math.min(index + 1, candidateVotes.length),
        right: right.has(choose[by](candidateVotes.slice(0, index + 1)) ?? ''),
      })),
    ),
  )
}

/** The naive rule: stop when one result is three votes ahead of every other. */
export const leadOfThree = (votes: readonly LabeledVotes[]): CurvePoint =>
  summarise(
    votes.map(({ candidateVotes, right }) => {
      const counts = new Map<string, number>()
      let consumed = 0
      for (const { run } of candidateVotes) {
        consumed += 1
        if (run !== null) counts.set(run.columnsKey, (counts.get(run.columnsKey) ?? 0) + 1)
        const [first = 0, second = 0] = [...counts.values()].sort((a, b) => b - a)
        if (first - second >= 3) break
      }
      return { consumed, right: right.has(chooseByMajority(candidateVotes.slice(0, consumed)) ?? '') }
    }),
  )
