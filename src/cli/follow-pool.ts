import type { PoolQuestion } from '../evaluation/execute-pools.ts'
import { answersOfExperts } from '../selection/voters/expert-answers.ts'
import { type ExpertHistory, followExperts } from '../selection/voters/follow-experts.ts'

/** The experts of a pool are its lineages; their outcomes become known question by question, in the pool's order. */
export const runExpertsOnPool = (questions: readonly PoolQuestion[]): ExpertHistory =>
  followExperts(
    questions.map(({ ballots, labels }) => {
      const right = new Set(
        ballots.flatMap(({ run }, at) => (run !== null && labels[at]?.ex ? [run.columnsKey] : [])),
      )
      return { answers: answersOfExperts(ballots), isRight: key => right.has(key) }
    }),
  )
