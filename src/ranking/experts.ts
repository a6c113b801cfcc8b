import type { AnswerFeedback } from '../domain/feedback.ts'
import type { ExpertAnswer, ExpertAnswers } from '../domain/selection/experts.ts'
import type { CandidateVote, ExpertRecord } from '../domain/selection/ranking.ts'
import { type FeedbackSignal, sidesOf } from './learning/signals.ts'

/**
 * The experts of a question are the lineages of its candidates. Of several candidates an expert says what most of them
 * say, the earliest of equals: it has one word, however often it was asked.
 */
export const answersOfExperts = (candidateVotes: readonly CandidateVote[]): ExpertAnswers =>
  new Map(
    [...Map.groupBy(candidateVotes, ({ lineage }) => lineage)].map(([expert, own]) => [
      expert,
      answerOf(own),
    ]),
  )

const answerOf = (candidateVotes: readonly CandidateVote[]): ExpertAnswer => {
  const groups = Map.groupBy(
    candidateVotes.filter(({ run }) => run !== null),
    ({ run }) => run!.columnsKey,
  )
  let key: string | null = null
  let members: readonly CandidateVote[] = []
  for (const [other, candidateVotes] of groups)
    if (candidateVotes.length > members.length) [key, members] = [other, candidateVotes]
  return { key, candidateId: members[0]?.candidateId ?? null }
}

/** What each expert's word weighs, from 0 to 1. An expert that is not named has made no mistake yet: 1. */
export type ExpertWeights = ReadonlyMap<string, number>

/** What one expert's word weighs. */
export const weightOf = (weights: ExpertWeights, expert: string): number => weights.get(expert) ?? 1

/** The bounds on mistakes hold up to here. */
const MOST_EPSILON = 0.5

/**
 * The penalty that makes the bound on mistakes smallest: sqrt(ln N / T) for N experts and T rounds expected, at most
 * one half (SSEV, 3.1.2, step 6). 0 for a single expert, whose weight decides nothing.
 */
export const bestEpsilon = (experts: number, rounds: number): number =>
  experts < 2 || rounds < 1 ? 0 : Math.min(MOST_EPSILON, Math.sqrt(Math.log(experts) / rounds))

/** The weights after a round: every expert that was wrong loses the share `epsilon` of its own (SSEV, 3.1.2, step 5). */
export const penalize = (weights: ExpertWeights, wrong: Iterable<string>, epsilon: number): ExpertWeights => {
  const after = new Map(weights)
  for (const expert of wrong) after.set(expert, weightOf(weights, expert) * (1 - epsilon))
  return after
}

/**
 * The answer with the heaviest experts behind it, the earliest of equals; null when nothing ran. The Weighted Majority
 * Algorithm (Littlestone and Warmuth; SSEV, 3.1.2, steps 3 and 4).
 */
export const chooseByWeight = (answers: ExpertAnswers, weights: ExpertWeights): ExpertAnswer | null => {
  const heard = new Map<string, { readonly answer: ExpertAnswer; weight: number }>()
  for (const [expert, answer] of answers) {
    if (answer.key === null) continue
    const group = heard.get(answer.key) ?? { answer, weight: 0 }
    group.weight += weightOf(weights, expert)
    heard.set(answer.key, group)
  }
  let best: { readonly answer: ExpertAnswer; readonly weight: number } | null = null
  for (const group of heard.values()) if (best === null || group.weight > best.weight) best = group
  return best?.answer ?? null
}

/**
 * The answer of one expert, drawn with a probability in proportion to its weight among those that have an answer; null
 * when nobody has. The Randomised Weighted Majority Algorithm (SSEV, 3.1.2). `random` gives numbers from 0 to 1.
 */
export const drawByWeight = (
  answers: ExpertAnswers,
  weights: ExpertWeights,
  random: () => number,
): ExpertAnswer | null => {
  const heard = [...answers].filter(([, { key }]) => key !== null)
  const total = heard.reduce((sum, [expert]) => sum + weightOf(weights, expert), 0)
  let left = random() * total
  for (const [expert, answer] of heard) {
    left -= weightOf(weights, expert)
    if (left < 0) return answer
  }
  // Rounding can leave a rest, and all weights can be zero.
  return heard.at(-1)?.[1] ?? null
}

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

/** What it cost not to know the best expert beforehand. Mistakes are counts of rounds. */
export interface Regret {
  readonly experts: number
  readonly rounds: number
  readonly epsilon: number
  readonly best: { readonly expert: string; readonly mistakes: number } | null
  /** `regret` is mistakes less those of the best expert, below 0 when the vote beats it; `bound` is on mistakes. */
  readonly wma: { readonly mistakes: number; readonly regret: number; readonly bound: number | null }
  /** The mistakes expected over its draws. */
  readonly rwma: { readonly mistakes: number; readonly regret: number; readonly bound: number | null }
}

/**
 * Mistakes against the best expert, and the bounds that hold whatever the rounds were: 2 (1 + eps) m* + 2 ln N / eps for
 * the weighted majority, (1 + eps) m* + ln N / eps expected for the randomised one (SSEV, 3.1.2, step 7). Null for a
 * bound where there is one expert and nothing to learn.
 */
export const regretOf = (course: ExpertHistory): Regret => {
  const { rounds, epsilon, mistakes, mistakesOfMajority, expectedMistakesOfDraw } = course
  let best: Regret['best'] = null
  for (const [expert, count] of mistakes)
    if (best === null || count < best.mistakes) best = { expert, mistakes: count }
  const fewest = best?.mistakes ?? 0
  const slack = epsilon > 0 ? Math.log(mistakes.size) / epsilon : null
  const once = slack === null ? null : (1 + epsilon) * fewest + slack
  return {
    experts: mistakes.size,
    rounds,
    epsilon,
    best,
    wma: {
      mistakes: mistakesOfMajority,
      regret: mistakesOfMajority - fewest,
      bound: once === null ? null : 2 * once,
    },
    rwma: {
      mistakes: expectedMistakesOfDraw,
      regret: expectedMistakesOfDraw - fewest,
      bound: once,
    },
  }
}

/**
 * What each lineage's word weighs by people's feedback: the update of the Weighted Majority Algorithm (SSEV 3.1.2), a
 * round an answer, the oldest first. An expert is wrong in a round when the result that most of its candidates have was
 * spoken against more than for. `statements` are what of the feedback may train.
 */
export const rateExperts = (
  feedback: readonly AnswerFeedback[],
  statements: readonly FeedbackSignal[],
): readonly ExpertRecord[] => {
  const byQuestion = Map.groupBy(statements, ({ questionId }) => questionId)
  const rounds = feedback.flatMap(answer => {
    const said = byQuestion.get(answer.questionId)
    return said === undefined ? [] : [{ answers: answersOf(answer), favour: favourOf(said) }]
  })
  const experts = [...new Set(rounds.flatMap(({ answers }) => [...answers.keys()]))].sort()
  const epsilon = bestEpsilon(experts.length, rounds.length)
  let weights: ExpertWeights = new Map()
  const records = new Map(experts.map(expert => [expert, { mistakes: 0, rounds: 0 }]))
  for (const { answers, favour } of rounds) {
    const wrong = [...answers].flatMap(([expert, key]) => ((favour.get(key) ?? 0) < 0 ? [expert] : []))
    weights = penalize(weights, wrong, epsilon)
    for (const expert of answers.keys()) records.get(expert)!.rounds += 1
    for (const expert of wrong) records.get(expert)!.mistakes += 1
  }
  return experts.map(expert => ({ expert, weight: weightOf(weights, expert), ...records.get(expert)! }))
}

/** By lineage the key of the group that most of its candidates are in, the earliest of equals. */
const answersOf = ({ snapshot, candidates }: AnswerFeedback): ReadonlyMap<string, string> => {
  const answers = new Map<string, { readonly key: string; readonly members: number }>()
  const lineageOf = new Map(candidates.map(({ id, lineage }) => [id, lineage]))
  for (const { key, candidateIds } of snapshot.groups)
    for (const [lineage, own] of Map.groupBy(candidateIds, id => lineageOf.get(id)))
      if (lineage !== undefined && own.length > (answers.get(lineage)?.members ?? 0))
        answers.set(lineage, { key, members: own.length })
  return new Map([...answers].map(([lineage, { key }]) => [lineage, key]))
}

/** What was said for a group, less what was said against it; a side is spread over its groups. */
export const favourOf = (said: readonly FeedbackSignal[]): ReadonlyMap<string, number> => {
  const favour = new Map<string, number>()
  const add = (key: string, weight: number): void => {
    favour.set(key, (favour.get(key) ?? 0) + weight)
  }
  for (const statement of said) {
    const { right, wrong } = sidesOf(statement)
    const worth = statement.weight * (1 - 2 * statement.slip)
    const isNamed = statement.claim.kind !== 'wrong'
    for (const key of right) add(key, isNamed ? worth : worth / right.length)
    for (const key of wrong) add(key, -worth)
  }
  return favour
}
