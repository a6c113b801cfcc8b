import { fitGoing, type LabeledVotes, traceVotes } from '../../src/ranking/learning/train-stopping-model.ts'
import { makeStoppingRule } from '../../src/ranking/stopping-rule.ts'
import { makeVoteWithEvidence } from '../../src/ranking/strategies.ts'

/** What a rule came to. `ex` is a share, `mean` and `median` are drafts a question. */
export interface CurvePoint {
  readonly ex: number
  readonly mean: number
  readonly median: number
}

const SEED = 1

/** Right answers and drafts for each cost of a draft; every database is judged by a rule trained without it. */
export const adaptiveCurve = (
  votes: readonly LabeledVotes[],
  costs: readonly number[],
): readonly (CurvePoint & { readonly cost: number })[] => {
  const courses = traceVotes(votes, { seed: SEED })
  const results = new Map(costs.map(cost => [cost, [] as { consumed: number; right: boolean }[]]))
  for (const [database, own] of Map.groupBy(votes, vote => vote.database)) {
    const others = courses.filter(course => course.database !== database)
    for (const cost of costs) {
      const judge = makeStoppingRule({ going: fitGoing(others, cost) })
      const vote = makeVoteWithEvidence({ rate: () => 0, judge })
      for (const { candidateVotes, right } of own) {
        const { early } = vote(candidateVotes)
        results.get(cost)!.push({ consumed: early.consumed, right: right.has(early.candidateId ?? '') })
      }
    }
  }
  return [...results].map(([cost, own]) => ({ cost, ...summarise(own) }))
}

/** Shares and means of single results. */
export const summarise = (
  results: readonly { readonly consumed: number; readonly right: boolean }[],
): CurvePoint => {
  const consumed = results.map(result => result.consumed).sort((a, b) => a - b)
  return {
    ex: results.filter(({ right }) => right).length / results.length,
    mean: consumed.reduce((sum, count) => sum + count, 0) / consumed.length,
    median: consumed[Math.floor((consumed.length - 1) / 2)] ?? 0,
  }
}
