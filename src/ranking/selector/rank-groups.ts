import type { MeasuredGroup, RankedGroup, RankGroups } from '../../domain/selection/ranking.ts'
import { reasonOf } from '../features/feature-reasons.ts'
import { linearScore } from '../learning/fit.ts'
import { contributions, type SelectorModel } from './selector-model.ts'

/**
 * Makes the selector: groups by their utility, the score of CHASE-SQL's Algorithm 3 (3.5) without its calls, since with
 * an antisymmetric comparison the one that beats each other is the one of the highest utility. The winner's
 * probability is calibrated; what it leaves is shared by the others and by answers that nobody drafted.
 */
export const makeRankGroups =
  (model: SelectorModel): RankGroups =>
  groups => {
    const ranked = groups
      .map(group => toRanked(group, model))
      // A stable sort: among equals the group that came first stays first.
      .sort((a, b) => b.utility - a.utility)
    const [winner] = ranked
    if (winner === undefined) return []
    const sure = probabilityOfWinner(ranked, model)
    const rest = ranked
      .slice(1)
      .reduce((sum, { utility }) => sum + Math.exp(utility - winner.utility), NONE_OF_THEM)
    return ranked.map(({ group, parts, utility }, place): RankedGroup => {
      const rival = place === 0 ? ranked[1] : winner
      return {
        key: group.key,
        representativeId: group.representativeId,
        // Nobody behind the winner is likelier than it: where it is doubtful, more is left to what nobody drafted.
        probability:
          place === 0 ? sure : Math.min(sure, ((1 - sure) * Math.exp(utility - winner.utility)) / rest),
        reasons: rival === undefined ? [] : explainParts(parts, rival.parts, model),
      }
    })
  }

/** A group with what each feature adds to its utility, in the model's order. */
const toRanked = (group: MeasuredGroup, model: SelectorModel) => {
  const parts = contributions(group, model)
  return { group, parts, utility: parts.reduce((sum, part) => sum + part, 0) }
}

/** How likely, beside a rival as good as the winner, it is that the right answer is none of the drafted ones. */
const NONE_OF_THEM = 0.25

const probabilityOfWinner = (
  ranked: readonly { readonly group: MeasuredGroup; readonly utility: number }[],
  { calibration }: SelectorModel,
): number =>
  1 /
  (1 +
    Math.exp(
      -linearScore(
        measureChoice(
          ranked.map(({ group, utility }) => ({
            utility,
            candidates: group.candidateIds.length,
            measures: group.measures,
          })),
        ),
        calibration,
      ),
    ))

const MOST_REASONS = 3

/** Less than this changes no mind. */
const LEAST = 0.1

/**
 * What tells a group from a rival, in words, the strongest first. A feature that speaks for the group names what it has;
 * one that speaks against the rival names what the rival has.
 */
export const explainChoice = (
  group: MeasuredGroup,
  rival: MeasuredGroup,
  model: Pick<SelectorModel, 'features'>,
): readonly string[] => explainParts(contributions(group, model), contributions(rival, model), model)

const explainParts = (
  own: readonly number[],
  theirs: readonly number[],
  { features }: Pick<SelectorModel, 'features'>,
): readonly string[] => {
  const gains: { readonly name: string; readonly weight: number; readonly gain: number }[] = []
  for (const [at, { name, weight }] of features.entries()) {
    const gain = (own[at] ?? 0) - (theirs[at] ?? 0)
    if (Math.abs(gain) >= LEAST) gains.push({ name, weight, gain })
  }
  gains.sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
  const reasons = new Set<string>()
  for (const { name, weight, gain } of gains) {
    const reason = reasonOf(name)
    // Who has more of the feature is who the words are about.
    if (reason !== null) reasons.add(gain > 0 === weight > 0 ? reason : `of the other: ${reason}`)
    if (reasons.size === MOST_REASONS) break
  }
  return [...reasons]
}

/** One ranked group as calibration sees it. */
interface RankedChoice {
  readonly utility: number
  /** How many agree. */
  readonly candidates: number
  readonly measures: Readonly<Record<string, number>>
}

/** So far ahead is as good as further. */
const MOST_GAP = 6

/**
 * A choice in numbers, for the probability that its winner is right: how far it is ahead of all others and of the next,
 * how many groups and candidates there are, and what supports it. Weights of calibration are in this order, after the
 * intercept. `ranked` is best first and not empty.
 */
export const measureChoice = (ranked: readonly RankedChoice[]): readonly number[] => {
  const [winner, second] = ranked as readonly [RankedChoice, ...RankedChoice[]]
  const rest = ranked.slice(1).reduce((sum, { utility }) => sum + Math.exp(utility - winner.utility), 0)
  const of = (name: string): number => winner.measures[name] ?? 0
  return [
    Math.min(MOST_GAP, -Math.log(rest + Math.exp(-MOST_GAP))),
    Math.min(MOST_GAP, second === undefined ? MOST_GAP : winner.utility - second.utility),
    Math.log(ranked.length),
    Math.log(ranked.reduce((sum, { candidates }) => sum + candidates, 0)),
    of('vote-share'),
    of('vote-margin'),
    of('parser'),
    of('result-empty'),
    of('literal-absent'),
  ]
}
