import type { AskForJudgment } from '../../../src/domain/model.ts'
import type { RenderSchema } from '../../../src/domain/question-context.ts'
import type { DecidePairWinner, PairMember, RatePair } from '../../../src/domain/selection/pairwise.ts'
import { judgeRequest } from './judge-request.ts'

/**
 * A model as the judge of a pair (CHASE-SQL 3.5): it gets the question, the union schema, both statements and heads of
 * both results. Without `seesRows` no row of a result is sent, only how many there are and of which columns.
 */
export const makeJudgeWithModel =
  (deps: {
    readonly askForJudgement: AskForJudgment
    readonly renderSchema: RenderSchema
    readonly seesRows: boolean
  }): DecidePairWinner =>
  async ({ questionId, signal, ...pair }) => {
    const { value, usage } = await deps.askForJudgement({
      ...judgeRequest(pair, deps),
      ...(questionId === undefined ? {} : { questionId }),
      ...(signal ? { signal } : {}),
    })
    return { winner: value.winner, reason: value.reason, usage }
  }

/**
 * How much of what the vote gives to those behind its leader is theirs: they share all that the leader lacks, and a part
 * of that belongs to answers that nobody drafted. Fitted to pairs of which one is right: .5 on 37 of Spider's dev set,
 * less on its variants (.3 on 19, .2 on 23), so this is rather too much.
 */
const OF_THOSE_BEHIND = 0.5

/** Of two results, each is as likely as its share of what both are given by the vote, whose order is never turned. */
export const ratePairByScore: RatePair = (first, second) =>
  first.rank <= second.rank ? rateLeading(first, second) : 1 - rateLeading(second, first)

const rateLeading = (leading: PairMember, other: PairMember): number => {
  // The selector, which gives reasons, has left room for answers that nobody drafted by itself.
  const takesAll = leading.rank === 0 && leading.group.reasons === undefined
  const behind = other.group.score * (takesAll ? OF_THOSE_BEHIND : 1)
  const both = leading.group.score + behind
  return both > 0 ? Math.max(0.5, leading.group.score / both) : 0.5
}
