import type { AnswerFeedback } from '../../core/feedback.ts'
import type { ComparePair, LabelledGroups, RankGroups } from '../../core/selector.ts'
import type { ChallengeReport, ChallengeVerdict } from '../../core/selector-version.ts'
import { capWeights } from './cap-weights.ts'
import { compareOnVotes } from './compare-on-votes.ts'
import { countRight } from './count-right.ts'
import { countVotesThatCount } from './count-votes-that-count.ts'
import { isHeldOut } from './is-held-out.ts'
import { readStatements } from './read-statements.ts'
import { toLabelledGroups } from './to-labelled-groups.ts'

/** How a selector is trained and read. */
export interface ChallengeDeps<Model> {
  /** Trains on votes, pulled towards the prior as firmly as `pull` says. */
  readonly train: (
    questions: readonly LabelledGroups[],
    options: { readonly seed: number; readonly prior: Model; readonly pull: number },
  ) => Model
  readonly compare: (model: Model) => ComparePair
  readonly rank: (model: Model) => RankGroups
  /** The selector that comes with Querent: every challenger starts from it, so that errors do not add up over nights. */
  readonly shipped: Model
  readonly benchmark: readonly LabelledGroups[]
}

/** What a night's training came to. */
export type Challenge<Model> =
  | { readonly status: 'too-few-votes'; readonly votes: number }
  | { readonly status: 'judged'; readonly model: Model; readonly report: ChallengeReport }

/** Firm enough that a few dozen votes move the shipped weights little; see docs/learning.md for what was measured. */
export const PULL = 20

/** How many standard errors the gain on held-out votes must reach. */
const MARGIN = 1

const SEED = 1

/**
 * Makes the contest: a challenger is trained on the shipped selector and the votes, and compared with the champion on
 * votes that neither was trained on and on the shipped benchmark. `minimumVotes` counts no more of one person than
 * their cap.
 */
export const makeChallenge =
  <Model>({ train, compare, rank, shipped, benchmark }: ChallengeDeps<Model>) =>
  (
    feedback: readonly AnswerFeedback[],
    champion: { readonly version: string; readonly model: Model },
    { minimumVotes }: { readonly minimumVotes: number },
  ): Challenge<Model> => {
    const usable = feedback.flatMap(readStatements).filter(statement => toLabelledGroups(statement) !== null)
    const votes = countVotesThatCount(usable)
    if (votes < minimumVotes) return { status: 'too-few-votes', votes }
    const capped = capWeights(usable)
    const label = (statements: typeof capped): readonly LabelledGroups[] =>
      statements.flatMap(statement => toLabelledGroups(statement) ?? [])
    const learned = capped.filter(({ questionId }) => !isHeldOut(questionId))
    const heldOut = label(capped.filter(({ questionId }) => isHeldOut(questionId)))
    const model = train(label(learned), { seed: SEED, prior: shipped, pull: PULL })
    const onVotes = compareOnVotes(heldOut, {
      champion: compare(champion.model),
      challenger: compare(model),
    })
    const onBenchmark = {
      questions: benchmark.length,
      champion: countRight(benchmark, rank(champion.model)),
      challenger: countRight(benchmark, rank(model)),
    }
    return {
      status: 'judged',
      model,
      report: {
        against: champion.version,
        verdict: judge(onVotes, onBenchmark),
        trainedOn: {
          questions: new Set(learned.map(({ questionId }) => questionId)).size,
          voters: new Set(learned.map(({ person }) => person)).size,
          weight: learned.reduce((sum, { weight }) => sum + weight, 0),
        },
        heldOut: onVotes,
        benchmark: onBenchmark,
      },
    }
  }

const judge = (
  votes: ChallengeReport['heldOut'],
  benchmark: ChallengeReport['benchmark'],
): ChallengeVerdict => {
  if (votes.gain <= 0 || votes.gain < MARGIN * votes.standardError) return 'not-better-on-votes'
  return benchmark.challenger < benchmark.champion ? 'worse-on-benchmark' : 'promoted'
}
