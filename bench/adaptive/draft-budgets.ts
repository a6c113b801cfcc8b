import { draftBudgets } from '../../src/domain/selection/draft-rounds.ts'
import type { CandidateVote } from '../../src/domain/selection/ranking.ts'
import { type Interval, mcnemar, pairedBootstrap } from '../../src/evaluation/statistics.ts'
import { redrawOrder } from '../../src/ranking/learning/train-stopping-model.ts'
import { makeRankGroups } from '../../src/ranking/selector/rank-groups.ts'
import { selectorWithout } from '../../src/ranking/selector/shipped-selector.ts'
import { stoppingModelWithout } from '../../src/ranking/stopping-folds.ts'
import { makeStoppingRule } from '../../src/ranking/stopping-rule.ts'
import { makeLearnedSelection } from '../../src/ranking/strategies.ts'
import { chooseLearned } from '../../training/drafting-stop/choose-learned.ts'
import type { ReadVotes } from '../../training/drafting-stop/read-votes.ts'

/** What a way to stop comes to, against all drafts on the same questions. Shares, but for `drafts`, their mean. */
export interface BudgetResult {
  readonly name: string
  readonly ex: number
  readonly drafts: number
  readonly difference: number
  readonly interval: Interval | null
  /** McNemar's test, two-sided, on the first order alone. */
  readonly p: number
}

/** Which samples of a system come first is chance: results are means of so many orders. */
const ORDERS = 5

const FIXED = [1, 2, 3, 5, 8, 12]

/**
 * Right answers of the learned selector for each draft budget and for fixed numbers of drafts, the parser being heard
 * first where it has readings. Every database is judged by weights that were trained without it.
 */
export const measureBudgets = (
  votes: readonly ReadVotes[],
): { readonly all: number; readonly results: readonly BudgetResult[] } => {
  const orders = votes.flatMap(vote => Array.from({ length: ORDERS }, (_, at) => redrawOrder(vote, 101 + at)))
  const isRight = (question: ReadVotes, candidateVotes: readonly CandidateVote[]): boolean =>
    question.right.has(chooseLearned(question, candidateVotes) ?? '')
  const all = orders.map(question => isRight(question, question.candidateVotes))
  const compare = (name: string, outcomes: readonly Outcome[]): BudgetResult => {
    const pairs = orders.map(({ database }, at) => ({
      database,
      a: Number(all[at]),
      b: Number(outcomes[at]!.right),
    }))
    // One question's orders rise and fall together, so that they count once.
    const byQuestion = votes.map((_, at) => meanOf(pairs.slice(at * ORDERS, (at + 1) * ORDERS)))
    const first = pairs.filter((_, at) => at % ORDERS === 0)
    return {
      name,
      ex: meanNumber(pairs.map(({ b }) => b)),
      drafts: meanNumber(outcomes.map(({ drafts }) => drafts)),
      difference: meanNumber(pairs.map(({ a, b }) => b - a)),
      interval: pairedBootstrap(byQuestion),
      p: mcnemar(first.filter(({ a, b }) => a > b).length, first.filter(({ a, b }) => b > a).length).p,
    }
  }
  const budgets = draftBudgets.map(budget =>
    compare(
      budget,
      orders.map(question => {
        const { database, candidateVotes, parserEvidence, right } = question
        const { going } = stoppingModelWithout(database)
        const select = makeLearnedSelection({
          rank: makeRankGroups(selectorWithout(database)),
          judge: makeStoppingRule({ going: going[budget] }),
        })
        const { early } = select(candidateVotes, parserEvidence)
        return { drafts: early.consumed, right: right.has(early.candidateId ?? '') }
      }),
    ),
  )
  const fixed = FIXED.map(count =>
    compare(
      `${count} drafts`,
      orders.map(question => {
        const known = question.candidateVotes.slice(0, count)
        return { drafts: known.length, right: isRight(question, known) }
      }),
    ),
  )
  return { all: meanNumber(all.map(Number)), results: [...budgets, ...fixed] }
}

interface Outcome {
  readonly drafts: number
  readonly right: boolean
}

interface Pair {
  readonly database: string
  readonly a: number
  readonly b: number
}

const meanOf = (pairs: readonly Pair[]): Pair => ({
  database: pairs[0]?.database ?? '',
  a: meanNumber(pairs.map(({ a }) => a)),
  b: meanNumber(pairs.map(({ b }) => b)),
})

const meanNumber = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
