import type { AnswerFeedback } from '../../src/domain/feedback.ts'
import type { LabeledGroups } from '../../src/domain/selection/ranking.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import { shuffle } from '../../src/lib/random.ts'
import { countRight, makeChallenge } from '../../src/ranking/learning/challenge.ts'
import { trainOnVotes } from '../../src/ranking/learning/train-on-votes.ts'
import { makeWeighFeedback } from '../../src/ranking/learning/weigh-feedback.ts'
import type { SelectorModel } from '../../src/ranking/selector/selector-model.ts'
import { blankSelector, comparePairs, rankByUtility } from './pair-selector.ts'
import { type Electorate, voteOnAnswer } from './vote-on-answers.ts'

/** One season: a prior is trained on a third of the databases, people vote on another, the last third is unseen. */
export interface Season {
  readonly seed: number
  /** EX of the prior on the unseen databases, in %. */
  readonly prior: number
  /** EX of the champion less that of the prior, in points, after each night. */
  readonly gains: readonly number[]
  readonly promotions: number
}

/** A night's training every so many votes. */
export const VOTES_A_NIGHT = 50

const MINIMUM_VOTES = 100

/** Of the prior's own training. */
const PRIOR_PULL = 5

/** Of the questions that the prior could be trained on. */
const ONE_IN_BENCHMARK = 5

/** Votes, nights, promotions: what the bot does, at its own settings. */
export const simulateSeason = (
  questions: readonly LabeledGroups[],
  {
    seed,
    votes,
    electorate,
  }: { readonly seed: number; readonly votes: number; readonly electorate: Electorate },
): Season => {
  const databases = shuffle([...new Set(questions.map(({ database }) => database))].sort(), seed)
  const third = Math.floor(databases.length / 3)
  const of = (from: number, until?: number): readonly LabeledGroups[] => {
    const some = new Set(databases.slice(from, until))
    return questions.filter(({ database }) => some.has(database))
  }
  const [known, voted, unseen] = [of(0, third), of(third, 2 * third), of(2 * third)]
  // The shipped benchmark is no part of what the prior was trained on.
  const benchmark = known.filter((_, at) => at % ONE_IN_BENCHMARK === 0)
  const seen = known.filter((_, at) => at % ONE_IN_BENCHMARK > 0)
  const random = seededRandom(seed)
  const shipped = {
    ...trainOnVotes(seen, { prior: blankSelector(seen), pull: PRIOR_PULL }),
    version: 'shipped',
  }
  const exOf = (model: SelectorModel): number =>
    (100 * countRight(unseen, rankByUtility(model))) / unseen.length
  const prior = exOf(shipped)
  const challenge = makeChallenge({
    compare: comparePairs,
    rank: rankByUtility,
    shipped,
    benchmark,
  })
  const weigh = makeWeighFeedback({ believe: comparePairs(shipped), trusted: new Set() })
  let champion = { version: 'shipped', model: shipped }
  let promotions = 0
  const feedback: AnswerFeedback[] = []
  const gains: number[] = []
  for (let number = 1; number <= votes; number++) {
    const question = voted[Math.floor(random() * voted.length)]!
    const rank = rankByUtility(champion.model)
    feedback.push(voteOnAnswer(question, { rank, electorate, random, number }))
    if (number % VOTES_A_NIGHT > 0) continue
    const night = challenge(weigh(feedback).statements, champion, { minimumVotes: MINIMUM_VOTES })
    if (night.status === 'judged' && night.report.verdict === 'promoted') {
      champion = { version: `night ${number / VOTES_A_NIGHT}`, model: night.model }
      promotions += 1
    }
    gains.push(exOf(champion.model) - prior)
  }
  return { seed, prior, gains, promotions }
}
