import type { LabeledGroups } from '../../core/selector.ts'
import { measureChoice } from '../pairwise/measure-choice.ts'
import type { SelectorModel } from '../pairwise/selector-model.ts'
import { utilityOf } from '../pairwise/utility.ts'
import type { Case } from './fit-logistic.ts'

/** What a selector chose for each question that has any group, in numbers, and whether it was right. */
export const toChoices = (
  questions: readonly LabeledGroups[],
  model: Pick<SelectorModel, 'features'>,
): readonly Case[] =>
  questions
    .filter(({ groups }) => groups.length > 0)
    .map(({ groups, right }) => {
      const ranked = groups
        .map(group => ({
          key: group.key,
          measures: group.measures,
          candidates: group.candidateIds.length,
          utility: utilityOf(group, model),
        }))
        .sort((a, b) => b.utility - a.utility)
      const [winner, ...others] = ranked
      if (winner === undefined) throw new Error('a question without groups')
      return { measures: [1, ...measureChoice([winner, ...others])], right: right.has(winner.key) }
    })
