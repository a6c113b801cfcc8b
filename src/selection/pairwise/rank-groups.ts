import type { MeasuredGroup, RankedGroup, RankGroups } from '../../core/selector.ts'
import { linearScore } from '../weigh.ts'
import { explainChoice } from './explain-choice.ts'
import { measureChoice } from './measure-choice.ts'
import type { SelectorModel } from './selector-model.ts'
import { utilityOf } from './utility.ts'

/**
 * Makes the selector: groups by their utility, the score of CHASE-SQL's Algorithm 3 (3.5) without its calls, since with
 * an antisymmetric comparison the one that beats each other is the one of the highest utility. The winner's
 * probability is calibrated; what it leaves is shared by the others and by answers that nobody drafted.
 */
export const makeRankGroups =
  (model: SelectorModel): RankGroups =>
  groups => {
    const ranked = groups
      .map(group => ({ group, utility: utilityOf(group, model) }))
      // A stable sort: among equals the group that came first stays first.
      .sort((a, b) => b.utility - a.utility)
    const [winner] = ranked
    if (winner === undefined) return []
    const sure = probabilityOfWinner(ranked, model)
    const rest = ranked
      .slice(1)
      .reduce((sum, { utility }) => sum + Math.exp(utility - winner.utility), NONE_OF_THEM)
    return ranked.map(({ group, utility }, place): RankedGroup => {
      const rival = place === 0 ? ranked[1] : winner
      return {
        key: group.key,
        representativeId: group.representativeId,
        // Nobody behind the winner is likelier than it: where it is doubtful, more is left to what nobody drafted.
        probability:
          place === 0 ? sure : Math.min(sure, ((1 - sure) * Math.exp(utility - winner.utility)) / rest),
        reasons: rival === undefined ? [] : explainChoice(group, rival.group, model),
      }
    })
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
