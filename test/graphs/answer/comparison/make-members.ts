import type { AskJudge } from '../../../../graphs/answer/comparison/compare-pair.ts'
import type { PairMember } from '../../../../src/domain/selection/pairwise.ts'
import { makeCandidate, ranWith } from '../../../helpers/make-candidate.ts'

/** Groups by key, best first: what the vote gives each, and how many candidates stand in it. */
export const makeMembers = (
  groups: Readonly<Record<string, { readonly score: number; readonly size?: number }>>,
): [PairMember, ...PairMember[]] => {
  const [first, ...others] = Object.entries(groups).map(([key, { score, size = 1 }], place): PairMember => {
    const candidateIds = Array.from({ length: size }, (_, at) => `${key}${at}`)
    return {
      group: { key, candidateIds, representativeId: `${key}0`, score },
      rank: place,
      votes: size,
      representative: makeCandidate({ id: `${key}0`, sql: `select '${key}'`, run: ranWith(key) }),
    }
  })
  return [first!, ...others]
}

/** A judge who goes by a table: `AB` when A is shown before B, and who of them it names. Fails on what is not there. */
export const judgeBy = (table: Readonly<Record<string, string>>): { ask: AskJudge; asked: string[] } => {
  const asked: string[] = []
  return {
    asked,
    ask: async (first, second) => {
      const pair = `${first.group.key}${second.group.key}`
      asked.push(pair)
      const winner = [first, second].find(({ group }) => group.key === table[pair])
      return winner === undefined
        ? { winner: null, reason: 'the model is down' }
        : { winner, reason: `${winner.group.key} it is` }
    },
  }
}
