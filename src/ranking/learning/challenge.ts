import type {
  ChallengeReport,
  ChallengeVerdict,
  ComparePair,
  LabeledGroups,
  RankGroups,
} from '../../domain/selection/ranking.ts'
import type { SelectorModel } from '../selector/selector-model.ts'
import { compareOnVotes, toLabeledGroups } from './compare-on-votes.ts'
import { countCappedVotes, type FeedbackSignal } from './signals.ts'
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
type Challenge =
  | { readonly status: 'too-few-votes'; readonly votes: number }
  | { readonly status: 'judged'; readonly model: SelectorModel; readonly report: ChallengeReport }

/** Firm enough that a few dozen votes move the shipped weights little; docs/learning.md says what was measured. */
export const PULL = 20

/** How many standard errors the gain on held-out votes must reach. */
const MARGIN = 1

/**
 * Makes the contest: a challenger is trained on the shipped selector and the votes, and compared with the champion on
 * votes that neither was trained on and on the shipped benchmark. Statements are weighed and capped (`WeighFeedback`).
 * `minimumVotes` counts no more of one person than their cap. Deterministic.
 */
export const makeChallenge =
  ({ compare, rank, shipped, benchmark }: ChallengeDeps) =>
  (
    statements: readonly FeedbackSignal[],
    champion: { readonly version: string; readonly model: SelectorModel },
    { minimumVotes }: { readonly minimumVotes: number },
  ): Challenge => {
    const votes = countCappedVotes(statements)
    if (votes < minimumVotes) return { status: 'too-few-votes', votes }
    const learned = statements.filter(({ questionId }) => !isHeldOut(questionId))
    const heldOut = statements.filter(({ questionId }) => isHeldOut(questionId))
    const model = trainChallenger(learned, { believe: compare(shipped), prior: shipped })
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

/** The shipped selector, as far as the statements move it. */
export const trainChallenger = (
  statements: readonly FeedbackSignal[],
  { believe, prior }: { readonly believe: ComparePair; readonly prior: SelectorModel },
): SelectorModel =>
  trainOnVotes(
    statements.flatMap(statement => toLabeledGroups(statement, believe)),
    { prior, pull: PULL },
  )

const judgeChallenge = (
  votes: ChallengeReport['heldOut'],
  benchmark: ChallengeReport['benchmark'],
): ChallengeVerdict => {
  if (votes.gain <= 0 || votes.gain < MARGIN * votes.standardError) return 'not-better-on-votes'
  return benchmark.challenger < benchmark.champion ? 'worse-on-benchmark' : 'promoted'
}

/** One question in this many is never trained on. */
const ONE_IN = 4

/**
 * Whether a question's votes are kept for comparing selectors. It hangs on the id alone, so that what is held out tonight
 * was held out every night before: no champion has seen it. FNV-1a over the id's code units.
 */
const isHeldOut = (questionId: string): boolean => {
  let hash = 0x811c9dc5
  for (let at = 0; at < questionId.length; at++)
    hash = Math.imul(hash ^ questionId.charCodeAt(at), 0x01000193) >>> 0
  // The low bits of FNV-1a mix too little for ids that differ in their ends.
  return ((hash ^ (hash >>> 15)) >>> 0) % ONE_IN === 0
}

/** Questions whose first-ranked group is right. */
export const countRight = (questions: readonly LabeledGroups[], rank: RankGroups): number =>
  questions.filter(({ groups, right }) => {
    const [first] = rank(groups)
    return first !== undefined && right.has(first.key)
  }).length
