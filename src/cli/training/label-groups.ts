import type { LabeledGroups } from '../../core/selector.ts'
import type { PoolQuestion } from '../../evaluation/execute-pools.ts'
import { measureGroups } from '../../selection/features/group/measure-groups.ts'
import { databaseFamily } from '../../selection/training/database-family.ts'

/**
 * A question of a pool as a selector learns from it. Right is a group whose rows are the known ones in any order of
 * columns: people do not care, and which order to show is chosen within the group.
 */
export const labelResultGroups = (question: PoolQuestion, weight: number): LabeledGroups => {
  const { id, ballots, witnesses, labels } = question
  const database = databaseFamily(question.database)
  const rightIds = new Set(
    ballots.filter((_, at) => labels[at]?.anyOrder).map(({ candidateId }) => candidateId),
  )
  const groups = measureGroups(ballots, witnesses)
  return {
    ...{ id, database, groups, weight },
    right: new Set(
      groups.filter(({ candidateIds }) => candidateIds.some(id => rightIds.has(id))).map(({ key }) => key),
    ),
  }
}
