import type { AnswerFeedback } from '../../src/domain/feedback.ts'
import type { LabeledGroups } from '../../src/domain/selection/ranking.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import { shuffle } from '../../src/lib/random.ts'
import { countRight, trainChallenger } from '../../src/ranking/learning/challenge.ts'
import { capWeights, type FeedbackSignal, toFeedbackSignals } from '../../src/ranking/learning/signals.ts'
import { trainOnVotes } from '../../src/ranking/learning/train-on-votes.ts'
import { makeWeighFeedback } from '../../src/ranking/learning/weigh-feedback.ts'
import type { SelectorModel } from '../../src/ranking/selector/selector-model.ts'
import { blankSelector, comparePairs, rankByUtility } from './pair-selector.ts'

/** How a spammer votes: against the truth each time, up whatever was shown, or by a coin. */
export type SpamKind = 'opposite' | 'always-up' | 'coin'

/** Who votes. Every spammer votes `loudness` times as often as an honest voter. */
export interface Team {
  readonly honest: number
  readonly spammers: number
  readonly spam: SpamKind
  readonly loudness: number
  /** Of the honest votes: the person errs. */
  readonly noise: number
}

/** EX in % on databases that nobody voted on. */
export interface SpammedSeason {
  readonly seed: number
  /** Of the prior, before any vote. */
  readonly prior: number
  /** Of a selector trained on the honest votes alone, and on all of them; with every vote at full weight, and weighed. */
  readonly unweighed: { readonly honest: number; readonly all: number }
  readonly weighed: { readonly honest: number; readonly all: number }
  /** The mean weight of each kind of voter. */
  readonly weights: { readonly honest: number; readonly spammers: number }
}

/** As in `simulateSeason`: a third of the databases trains the prior, a third is voted on, a third is scored. */
const PRIOR_PULL = 5

/** How often a second and a third person vote on the same answer. */
const ONE_MORE = 0.25

const START = Date.parse('2026-01-01T08:00:00Z')

/** An answer every so often: spammers here are patient, so that no burst gives them away. */
const BETWEEN_ANSWERS_MS = 20 * 60_000

/** Trains on a season's votes with and without spammers, and with and without weights. The honest votes are the same. */
export const simulateSpam = (
  questions: readonly LabeledGroups[],
  { seed, answers, team }: { readonly seed: number; readonly answers: number; readonly team: Team },
): SpammedSeason => {
  const databases = shuffle([...new Set(questions.map(({ database }) => database))].sort(), seed)
  const third = Math.floor(databases.length / 3)
  const of = (from: number, until?: number): readonly LabeledGroups[] => {
    const some = new Set(databases.slice(from, until))
    return questions.filter(({ database }) => some.has(database))
  }
  const [seen, voted, unseen] = [of(0, third), of(third, 2 * third), of(2 * third)]
  const shipped: SelectorModel = {
    ...trainOnVotes(seen, { prior: blankSelector(seen), pull: PRIOR_PULL }),
    version: 'shipped',
  }
  const believe = comparePairs(shipped)
  const exOf = (model: SelectorModel): number =>
    (100 * countRight(unseen, rankByUtility(model))) / unseen.length
  const train = (statements: readonly FeedbackSignal[]): number =>
    exOf(trainChallenger(statements, { believe, prior: shipped }))

  const random = seededRandom(seed)
  const all = Array.from({ length: answers }, (_, number) =>
    voteAsTeam(voted[Math.floor(random() * voted.length)]!, { shipped, team, random, number }),
  )
  const honest = all.map(answer => ({
    ...answer,
    votes: answer.votes.filter(({ person }) => !isSpammer(person)),
  }))
  const weigh = makeWeighFeedback({ believe, trusted: new Set() })
  const weighed = weigh(all)
  const meanWeight = (wanted: boolean): number => {
    const own = [...weighed.voters].filter(([person]) => isSpammer(person) === wanted)
    return own.reduce((sum, [, weight]) => sum + weight, 0) / Math.max(1, own.length)
  }
  const unweighed = (feedback: readonly AnswerFeedback[]) => capWeights(feedback.flatMap(toFeedbackSignals))
  return {
    seed,
    prior: exOf(shipped),
    unweighed: { honest: train(unweighed(honest)), all: train(unweighed(all)) },
    weighed: { honest: train(weigh(honest).statements), all: train(weighed.statements) },
    weights: { honest: meanWeight(false), spammers: meanWeight(true) },
  }
}

const isSpammer = (person: string): boolean => person.startsWith('spammer')

/** An answer of the shipped selector, and the votes of one to three people on it. */
const voteAsTeam = (
  { id, database, groups, right }: LabeledGroups,
  {
    shipped,
    team,
    random,
    number,
  }: {
    readonly shipped: SelectorModel
    readonly team: Team
    readonly random: () => number
    readonly number: number
  },
): AnswerFeedback => {
  const shown = rankByUtility(shipped)(groups)[0]!
  const isRight = right.has(shown.key)
  const voters = 1 + Number(random() < ONE_MORE) + Number(random() < ONE_MORE)
  const people = new Set(Array.from({ length: voters }, () => pickVoter(team, random)))
  return {
    questionId: `${number} ${id}`,
    question: id,
    database,
    snapshot: { version: 'simulated', groups },
    votes: [...people].map(person => ({
      person,
      vote: (isSpammer(person) ? isSpamUp(team.spam, isRight, random) : isRight !== random() < team.noise)
        ? ('up' as const)
        : ('down' as const),
      candidateId: shown.representativeId,
      votedAt: new Date(START + number * BETWEEN_ANSWERS_MS),
    })),
    feedback: [],
    reviews: [],
    candidates: [],
  }
}

const isSpamUp = (spam: SpamKind, isRight: boolean, random: () => number): boolean =>
  spam === 'coin' ? random() < 0.5 : spam === 'always-up' || !isRight

const pickVoter = ({ honest, spammers, loudness }: Team, random: () => number): string => {
  const at = random() * (honest + spammers * loudness)
  return at < honest ? `voter ${Math.floor(at)}` : `spammer ${Math.floor((at - honest) / loudness)}`
}
