import type { AnswerFeedback } from '../../core/feedback.ts'
import type { ComparePair, LabeledGroups, RankGroups } from '../../core/selector.ts'
import type { ChallengeReport, ChallengeVerdict } from '../../core/selector-version.ts'
import type { SelectorModel } from '../pairwise/selector-model.ts'
import { capWeights } from './cap-weights.ts'
import { compareOnVotes } from './compare-on-votes.ts'
import { countRight } from './count-right.ts'
import { countCappedVotes } from './count-votes-that-count.ts'
import { isHeldOut } from './is-held-out.ts'
import { toFeedbackSignals } from './read-statements.ts'
import { toLabeledGroups } from './to-labelled-groups.ts'
import { trainOnVotes } from './train-on-votes.ts'

/** How selectors are read, and what a challenger starts from and is held to. */
export interface ChallengeDeps {
  readonly compare: (model: SelectorModel) => ComparePair
  readonly rank: (model: SelectorModel) => RankGroups
  /** The selector that comes with Querent: every challenger starts from it, so that errors do not add up over nights. */
  readonly shipped: SelectorModel
  readonly benchmark: readonly LabeledGroups[]
}

/** What a night's training came to. */
export type Challenge =
  | { readonly status: 'too-few-votes'; readonly votes: number }
  | { readonly status: 'judged'; readonly model: SelectorModel; readonly report: ChallengeReport }

/** Firm enough that a few dozen votes move the shipped weights little; docs/learning.md says what was measured. */
export const PULL = 20

/** How many standard errors the gain on held-out votes must reach. */
const MARGIN = 1

/**
 * Makes the contest: a challenger is trained on the shipped selector and the votes, and compared with the champion on
 * votes that neither was trained on and on the shipped benchmark. `minimumVotes` counts no more of one person than
 * their cap. Deterministic.
 */
export const makeChallenge =
  ({ compare, rank, shipped, benchmark }: ChallengeDeps) =>
  (
    feedback: readonly AnswerFeedback[],
    champion: { readonly version: string; readonly model: SelectorModel },
    { minimumVotes }: { readonly minimumVotes: number },
  ): Challenge => {
    const statements = feedback.flatMap(toFeedbackSignals)
    const votes = countCappedVotes(statements)
    if (votes < minimumVotes) return { status: 'too-few-votes', votes }
    const capped = capWeights(statements)
    const learned = capped.filter(({ questionId }) => !isHeldOut(questionId))
    const heldOut = capped.filter(({ questionId }) => isHeldOut(questionId))
    const believe = compare(shipped)
    const model = trainOnVotes(
      learned.flatMap(statement => toLabeledGroups(statement, believe)),
      { prior: shipped, pull: PULL },
    )
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
        verdict: judgeChallenge(onVotes, onBenchmark),
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

const judgeChallenge = (
  votes: ChallengeReport['heldOut'],
  benchmark: ChallengeReport['benchmark'],
): ChallengeVerdict => {
  if (votes.gain <= 0 || votes.gain < MARGIN * votes.standardError) return 'not-better-on-votes'
  return benchmark.challenger < benchmark.champion ? 'worse-on-benchmark' : 'promoted'
}
