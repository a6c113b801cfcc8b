import type { RankGroups } from '../../src/domain/selection/ranking.ts'
import { measureGroups } from '../../src/ranking/features/measure-groups.ts'
import type { ChooseAnswer } from '../../src/ranking/learning/train-stopping-model.ts'
import { makeRankGroups } from '../../src/ranking/selector/rank-groups.ts'
import { selectorWithout } from '../../src/ranking/selector/shipped-selector.ts'
import type { ReadVotes } from './read-votes.ts'

const ranks = new Map<string, RankGroups>()

/** What the learned selector would choose, as trained without the question's database. */
export const chooseLearned: ChooseAnswer<ReadVotes> = ({ database, parserEvidence }, candidateVotes) => {
  const rank = ranks.get(database) ?? makeRankGroups(selectorWithout(database))
  ranks.set(database, rank)
  return rank(measureGroups(candidateVotes, parserEvidence))[0]?.representativeId ?? null
}
