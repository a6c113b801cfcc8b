import type { AskJudge } from '../../graphs/answer/comparison/compare-pair.ts'
import type { PairMember } from '../../src/domain/selection/pairwise.ts'

/** A judge who is right about so many pairs, and how often it was asked. */
export interface ImaginedJudge {
  readonly ask: AskJudge
  readonly asked: () => number
}

/**
 * Makes a judge that names the right one of a pair with this probability, and tosses a coin where both or neither are
 * right. It says the same in both orders: a judge that errs by itself is worse than one that contradicts itself, so that
 * the figures are rather too low. `random` is from 0 to 1.
 */
export const makeImaginedJudge = (
  accuracy: number,
  isRight: (member: PairMember) => boolean,
  random: () => number,
): ImaginedJudge => {
  const said = new Map<string, PairMember>()
  let asked = 0
  return {
    asked: () => asked,
    ask: async (first, second) => {
      asked += 1
      const pair = [first.group.key, second.group.key].sort().join()
      const winner = said.get(pair) ?? decide(first, second)
      said.set(pair, winner)
      return { winner: winner.group.key === first.group.key ? first : second, reason: 'imagined' }
    },
  }

  function decide(first: PairMember, second: PairMember): PairMember {
    if (isRight(first) === isRight(second)) return random() < 0.5 ? first : second
    return isRight(first) === random() < accuracy ? first : second
  }
}
