import { nextRoundEnd } from '../../domain/selection/draft-rounds.ts'
import type { CandidateVote } from '../../domain/selection/ranking.ts'
import { shuffle } from '../../lib/random.ts'
import {
  measureTally,
  type StoppingModel,
  type StoppingWeights,
  tallyMeasureNames,
} from '../stopping-rule.ts'
import { countVotes, type Priors } from '../votes.ts'
import { fitLogistic, fitRidge, linearScore } from './fit.ts'

/** How the model is trained. */
interface TrainingOptions {
  /** What one candidate costs, as the probability of a right answer that one would give for it. */
  readonly cost: number
  readonly seed: number
  /** How often each question is gone through, each time with its samples in another order. */
  readonly redraws?: number
}

const USUAL_REDRAWS = 6

/** Few questions and correlated steps: a firm pull. */
const PULL = 20

/** What training gives; the caller adds where it comes from. */
type TrainedWeights = Pick<StoppingModel, 'measures' | 'rating'> & StoppingWeights

/**
 * Learns how sure to be of a leader, and when to stop drafting. The latter is optimal stopping by backward induction:
 * from the last candidate to the first, a linear function is fitted to what a further round (and stopping later as already
 * learned) gained over stopping here. Deterministic for a seed.
 */
export const trainStoppingModel = (
  questions: readonly LabeledVotes[],
  { cost, ...options }: TrainingOptions,
): TrainedWeights => {
  const courses = traceVotes(questions, options)
  return {
    measures: [...tallyMeasureNames],
    rating: fitRating(courses),
    going: fitGoing(courses, cost),
  }
}

/**
 * The courses that the questions took, each as often as it is redrawn. `choose` says which candidate would be the answer
 * after some of them; without it, the leader of the vote is.
 */
export const traceVotes = <Question extends LabeledVotes>(
  questions: readonly Question[],
  {
    seed,
    redraws = USUAL_REDRAWS,
    choose,
  }: Omit<TrainingOptions, 'cost'> & {
    readonly choose?: ChooseAnswer<Question>
  },
): readonly VoteHistory[] =>
  Array.from({ length: redraws }, (_, draw) =>
    questions.map(question => traceVote(redrawOrder(question, seed + draw), choose)),
  ).flat()

/** Chooses among the first candidates of a question; null if none can be chosen. */
export type ChooseAnswer<Question> = (
  question: Question,
  candidateVotes: readonly CandidateVote[],
) => string | null

/** How sure to be of the answer of each step. */
export const fitRating = (courses: readonly VoteHistory[]): number[] => {
  const cases = courses.flatMap(({ steps }) =>
    steps.flatMap(({ measures, right }) =>
      measures === null ? [] : [{ measures: [1, ...measures], right }],
    ),
  )
  return cases.length === 0 ? new Array(tallyMeasureNames.length + 1).fill(0) : [...fitLogistic(cases)]
}

/**
 * When to go on, learned from the last candidate back to the first at a cost of each. Going on means a whole round: the
 * next place to stop is its end.
 */
export const fitGoing = (courses: readonly VoteHistory[], cost: number): number[][] => {
  const longest = Math.max(0, ...courses.map(({ steps }) => steps.length))
  const going: number[][] = []
  // What each course is worth at each of its steps, in probability of a right answer less costs, if all goes well after.
  const worth = courses.map(({ steps }) => steps.map(({ right }) => Number(right)))
  const worthOfGoing = (course: number, at: number): number => {
    const end = Math.min(nextRoundEnd(at + 1), worth[course]!.length) - 1
    return worth[course]![end]! - cost * (end - at)
  }
  for (let at = longest - 2; at >= 0; at--) {
    const here = courses.flatMap(({ steps }, course) => {
      const step = steps[at]
      return step === undefined || at + 1 >= steps.length ? [] : [{ course, step }]
    })
    const judged = here.flatMap(({ course, step: { measures, right } }) =>
      measures === null ? [] : [{ measures, gain: worthOfGoing(course, at) - Number(right) }],
    )
    const weights = fitRidge(
      judged.map(({ measures }) => measures),
      judged.map(({ gain }) => gain),
      PULL,
    )
    going.unshift(weights.length === tallyMeasureNames.length + 1 ? [...weights] : neverGoOn())
    for (const { course, step } of here)
      if (step.measures === null || linearScore(step.measures, going[0]!) > 0)
        worth[course]![at] = worthOfGoing(course, at)
  }
  return going.length > 0 ? going : [neverGoOn()]
}

const neverGoOn = (): number[] => [-1, ...new Array<number>(tallyMeasureNames.length).fill(0)]

/** A question whose candidates are known to be right or wrong; for training alone. */
export interface LabeledVotes {
  readonly database: string
  readonly candidateVotes: readonly CandidateVote[]
  readonly priors: Priors
  /** Ids of the candidates that are right. */
  readonly right: ReadonlySet<string>
}

/** The course of one vote: after each candidate what the tally measured, and whether its leader was right. */
interface VoteHistory {
  readonly database: string
  readonly steps: readonly { readonly measures: readonly number[] | null; readonly right: boolean }[]
}

/** Follows a vote candidate by candidate. */
const traceVote = <Question extends LabeledVotes>(
  question: Question,
  choose: ChooseAnswer<Question> | undefined,
): VoteHistory => ({
  database: question.database,
  steps: question.candidateVotes.map((_, index) => {
    const known = question.candidateVotes.slice(0, index + 1)
    const tally = countVotes(known, question.priors)
    const chosen = choose ? choose(question, known) : (tally.groups[0]?.representativeId ?? null)
    return { measures: measureTally(tally), right: chosen !== null && question.right.has(chosen) }
  }),
})

/**
 * The same question in another order that was as likely: samples of one lineage are exchangeable, so their order is
 * drawn again. Lineages keep their turns.
 */
export const redrawOrder = <Question extends LabeledVotes>(labelled: Question, seed: number): Question => {
  const queues = new Map(
    [...Map.groupBy(labelled.candidateVotes, ({ lineage }) => lineage)].map(([lineage, own], index) => [
      lineage,
      shuffle(own, seed * 31 + index).values(),
    ]),
  )
  const candidateVotes = labelled.candidateVotes.map(
    ({ lineage }) => queues.get(lineage)!.next().value as CandidateVote,
  )
  return { ...labelled, candidateVotes }
}
