import type { ExpertAnswers } from './expert-answers.ts'
import { bestEpsilon, type ExpertWeights, penalize, weightOf } from './expert-weights.ts'
import { chooseByWeight } from './weighted-majority.ts'

/** One question whose outcome became known. */
export interface ExpertRound {
  readonly answers: ExpertAnswers
  /** Whether an answer of this key is right. */
  readonly isRight: (key: string) => boolean
}

/** How the voters did over rounds in their order, each decided before its outcome was known. */
export interface ExpertHistory {
  readonly rounds: number
  readonly epsilon: number
  /** After the last round. */
  readonly weights: ExpertWeights
  /** Of each expert. */
  readonly mistakes: ReadonlyMap<string, number>
  /** Of the weighted majority. */
  readonly mistakesOfMajority: number
  /** Of the randomised weighted majority, over its draws. */
  readonly expectedMistakesOfDraw: number
}

/**
 * Learns the experts' weights online. An expert without an answer is wrong, also where a draw among those that have one
 * would pass it over: the bounds count it so.
 */
export const followExperts = (rounds: readonly ExpertRound[]): ExpertHistory => {
  const experts = [...new Set(rounds.flatMap(({ answers }) => [...answers.keys()]))]
  const epsilon = bestEpsilon(experts.length, rounds.length)
  const mistakes = new Map(experts.map(expert => [expert, 0]))
  let weights: ExpertWeights = new Map(experts.map(expert => [expert, 1]))
  let mistakesOfMajority = 0
  let expectedMistakesOfDraw = 0
  for (const { answers, isRight } of rounds) {
    const isWrong = (key: string | null | undefined): boolean => typeof key !== 'string' || !isRight(key)
    const wrong = experts.filter(expert => isWrong(answers.get(expert)?.key))
    const weigh = (some: readonly string[]): number =>
      some.reduce((sum, expert) => sum + weightOf(weights, expert), 0)
    if (isWrong(chooseByWeight(answers, weights)?.key)) mistakesOfMajority += 1
    if (experts.length > 0) expectedMistakesOfDraw += weigh(wrong) / weigh(experts)
    for (const expert of wrong) mistakes.set(expert, mistakes.get(expert)! + 1)
    weights = penalize(weights, wrong, epsilon)
  }
  return { rounds: rounds.length, epsilon, weights, mistakes, mistakesOfMajority, expectedMistakesOfDraw }
}
