import { describe, expect, it } from 'vitest'
import { compareAllPairs } from '../../../../graphs/answer/comparison/tournament.ts'
import { judgeBy, makeMembers } from './make-members.ts'

/** Algorithm 3 word by word, over candidates instead of groups: the answer's candidate by its wins. */
const algorithm3 = (
  candidates: readonly { readonly id: string; readonly result: string }[],
  judge: Readonly<Record<string, string>>,
): Map<string, number> => {
  const wins = new Map(candidates.map(({ id }) => [id, 0]))
  for (const i of candidates) {
    for (const j of candidates) {
      if (i === j) continue
      const winner = i.result === j.result ? i : judge[`${i.result}${j.result}`] === i.result ? i : j
      wins.set(winner.id, wins.get(winner.id)! + 1)
    }
  }
  return wins
}

const consistent = (order: string): Record<string, string> => {
  const table: Record<string, string> = {}
  for (const a of order)
    for (const b of order) if (a !== b) table[`${a}${b}`] = order.indexOf(a) < order.indexOf(b) ? a : b
  return table
}

describe('comparing all pairs', () => {
  it('asks about every pair of groups in both orders, and never about equal results', async () => {
    const members = makeMembers({ A: { score: 0.5, size: 4 }, B: { score: 0.3, size: 2 }, C: { score: 0.1 } })
    const { ask, asked } = judgeBy(consistent('ABC'))
    const { comparisons } = await compareAllPairs(members, ask)
    expect(asked.toSorted()).toEqual(['AB', 'AC', 'BA', 'BC', 'CA', 'CB'])
    expect(comparisons).toHaveLength(6)
    expect(comparisons[0]).toEqual({
      first: 'A0',
      second: 'B0',
      winner: 'first',
      by: 'model',
      reason: 'A it is',
    })
    expect(comparisons[1]).toMatchObject({ first: 'B0', second: 'A0', winner: 'second' })
  })

  it('puts in front whoever wins most, also from behind', async () => {
    const members = makeMembers({
      A: { score: 0.6, size: 3 },
      B: { score: 0.2, size: 2 },
      C: { score: 0.1, size: 2 },
    })
    const { winner } = await compareAllPairs(members, judgeBy(consistent('CAB')).ask)
    expect(winner.group.key).toBe('C')
  })

  it('lets a judge who prefers a place prefer neither', async () => {
    const members = makeMembers({ A: { score: 0.6, size: 2 }, B: { score: 0.3 } })
    const first = await compareAllPairs(members, judgeBy({ AB: 'A', BA: 'B' }).ask)
    const second = await compareAllPairs(members, judgeBy({ AB: 'B', BA: 'A' }).ask)
    expect([first.winner.group.key, second.winner.group.key]).toEqual(['A', 'A'])
  })

  it('breaks a tie by the votes', async () => {
    const members = makeMembers({ A: { score: 0.4 }, B: { score: 0.3 }, C: { score: 0.2 } })
    const circle = { AB: 'A', BA: 'A', BC: 'B', CB: 'B', CA: 'C', AC: 'C' }
    expect((await compareAllPairs(members, judgeBy(circle).ask)).winner.group.key).toBe('A')
    const larger = makeMembers({ A: { score: 0.4 }, B: { score: 0.3, size: 2 } })
    // A wins two candidates once each; B has won its equal pair and one of two orders: 2 to 2.
    const tied = await compareAllPairs(larger, judgeBy({ AB: 'A', BA: 'B' }).ask)
    expect(tied.winner.group.key).toBe('B')
  })

  it('leaves everything as the vote has it when the judge fails', async () => {
    const members = makeMembers({ A: { score: 0.4 }, B: { score: 0.3, size: 5 }, C: { score: 0.2, size: 9 } })
    const { winner, comparisons } = await compareAllPairs(members, judgeBy({}).ask)
    expect(winner.group.key).toBe('A')
    expect(new Set(comparisons.map(({ by }) => by))).toEqual(new Set(['vote']))
    expect(comparisons[0]?.reason).toBe('the model is down')
  })

  it('scores groups as Algorithm 3 scores their candidates, whatever the judge says', async () => {
    // Every judge of three groups there is: six answers, two ways each.
    const pairs = ['AB', 'BA', 'AC', 'CA', 'BC', 'CB']
    const sizes = { A: 3, B: 2, C: 2 }
    const members = makeMembers({
      A: { score: 0.5, size: sizes.A },
      B: { score: 0.3, size: sizes.B },
      C: { score: 0.2, size: sizes.C },
    })
    const candidates = Object.entries(sizes).flatMap(([result, size]) =>
      Array.from({ length: size }, (_, at) => ({ id: `${result}${at}`, result })),
    )
    for (let judgement = 0; judgement < 2 ** pairs.length; judgement++) {
      const table = Object.fromEntries(pairs.map((pair, at) => [pair, pair[(judgement >> at) & 1]!]))
      const wins = algorithm3(candidates, table)
      const most = Math.max(...wins.values())
      const best = candidates.filter(({ id }) => wins.get(id) === most).map(({ result }) => result)
      const { winner } = await compareAllPairs(members, judgeBy(table).ask)
      expect(best).toContain(winner.group.key)
    }
  })
})
