import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareAllPairs } from '../../../../graphs/answer/comparison/all-pairs.ts'
import type { AskJudge } from '../../../../graphs/answer/comparison/compare-pair.ts'
import type { RatePair } from '../../../../src/domain/selection/pairwise.ts'
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

/** A judge that nothing spares. */
const unaided = (ask: AskJudge) => ({ ask, rate: () => 0.5, surePair: 1 })

describe('comparing all pairs', () => {
  it('asks about every pair of groups in both orders, and never about equal results', async () => {
    const members = makeMembers({ A: { score: 0.5, size: 2 }, B: { score: 0.3, size: 2 }, C: { score: 0.1 } })
    // This judge prefers a place, so until the last pair any of them can win.
    const { ask, asked } = judgeBy({ AB: 'A', BA: 'B', AC: 'A', CA: 'C', BC: 'B', CB: 'C' })
    const { comparisons } = await compareAllPairs(members, unaided(ask))
    expect(asked.toSorted()).toEqual(['AB', 'AC', 'BA', 'BC', 'CA', 'CB'])
    expect(comparisons).toHaveLength(6)
    expect(comparisons[0]).toEqual({
      first: 'A0',
      second: 'B0',
      winner: 'first',
      by: 'model',
      reason: 'A it is',
    })
    expect(comparisons[1]).toMatchObject({ first: 'B0', second: 'A0', winner: 'first' })
  })

  it('puts in front whoever wins most, also from behind', async () => {
    const members = makeMembers({
      A: { score: 0.6, size: 3 },
      B: { score: 0.2, size: 2 },
      C: { score: 0.1, size: 2 },
    })
    const { winner } = await compareAllPairs(members, unaided(judgeBy(consistent('CAB')).ask))
    expect(winner.group.key).toBe('C')
  })

  it('lets a judge who prefers a place prefer neither', async () => {
    const members = makeMembers({ A: { score: 0.6, size: 2 }, B: { score: 0.3 } })
    const first = await compareAllPairs(members, unaided(judgeBy({ AB: 'A', BA: 'B' }).ask))
    const second = await compareAllPairs(members, unaided(judgeBy({ AB: 'B', BA: 'A' }).ask))
    expect([first.winner.group.key, second.winner.group.key]).toEqual(['A', 'A'])
  })

  it('breaks a tie by the votes', async () => {
    const members = makeMembers({ A: { score: 0.4 }, B: { score: 0.3 }, C: { score: 0.2 } })
    const circle = { AB: 'A', BA: 'A', BC: 'B', CB: 'B', CA: 'C', AC: 'C' }
    expect((await compareAllPairs(members, unaided(judgeBy(circle).ask))).winner.group.key).toBe('A')
    const larger = makeMembers({ A: { score: 0.4 }, B: { score: 0.3, size: 2 } })
    // A wins two candidates once each; B has won its equal pair and one of two orders: 2 to 2.
    const tied = await compareAllPairs(larger, unaided(judgeBy({ AB: 'A', BA: 'B' }).ask))
    expect(tied.winner.group.key).toBe('B')
  })

  it('leaves everything as the vote has it when the judge fails', async () => {
    const members = makeMembers({ A: { score: 0.4 }, B: { score: 0.3, size: 5 }, C: { score: 0.2, size: 9 } })
    const { winner, comparisons } = await compareAllPairs(members, unaided(judgeBy({}).ask))
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
      const { winner } = await compareAllPairs(members, unaided(judgeBy(table).ask))
      expect(best).toContain(winner.group.key)
    }
  })

  it('skips pairs that cannot change the winner', async () => {
    const members = makeMembers({
      A: { score: 0.5, size: 5 },
      B: { score: 0.3, size: 2 },
      C: { score: 0.1 },
      D: { score: 0.1 },
    })
    const { ask, asked } = judgeBy(consistent('ABCD'))
    expect((await compareAllPairs(members, unaided(ask))).winner.group.key).toBe('A')
    // Nobody can catch up with A once it has beaten them all, so they need not meet.
    expect(asked.toSorted()).toEqual(['AB', 'AC', 'AD', 'BA', 'CA', 'DA'])
  })

  it('has the winner that all pairs would have, whatever the judge says and however votes are spread', async () => {
    const keys = ['A', 'B', 'C', 'D', 'E'] as const
    const pairs = keys.flatMap(a => keys.filter(b => b !== a).map(b => `${a}${b}`))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: keys.length, maxLength: keys.length }),
        fc.array(fc.boolean(), { minLength: pairs.length, maxLength: pairs.length }),
        async (sizes, says) => {
          const groups = keys.map((key, at) => [key, { score: 0.5 - at / 10, size: sizes[at]! }] as const)
          const table = Object.fromEntries(pairs.map((pair, at) => [pair, pair[says[at] ? 0 : 1]!]))
          const candidates = keys.flatMap((result, at) =>
            Array.from({ length: sizes[at]! }, (_, one) => ({ id: `${result}${one}`, result })),
          )
          const wins = algorithm3(candidates, table)
          // The best of each group stands for it: among equal results the first of two wins.
          const scoreOf = (key: string): number =>
            Math.max(...candidates.filter(({ result }) => result === key).map(({ id }) => wins.get(id)!))
          const best = groups.toSorted(
            ([a, one], [b, other]) => scoreOf(b) - scoreOf(a) || other.size - one.size,
          )[0]
          const { ask, asked } = judgeBy(table)
          const { winner } = await compareAllPairs(makeMembers(Object.fromEntries(groups)), unaided(ask))
          expect(winner.group.key).toBe(best?.[0])
          expect(new Set(asked).size).toBe(asked.length)
        },
      ),
    )
  })

  it('asks nothing about a pair that the local scorer is sure of, and says who decided', async () => {
    const members = makeMembers({
      A: { score: 0.9, size: 3 },
      B: { score: 0.5, size: 2 },
      C: { score: 0.01 },
    })
    const { ask, asked } = judgeBy(consistent('CBA'))
    const rate: RatePair = (first, second) => first.group.score / (first.group.score + second.group.score)
    const { winner, comparisons } = await compareAllPairs(members, { ask, rate, surePair: 0.95 })
    expect([winner.group.key, asked.toSorted()]).toEqual(['B', ['AB', 'BA']])
    expect(comparisons.map(({ first, second, by }) => `${first} ${second} ${by}`)).toEqual([
      'A0 C0 scorer',
      'B0 C0 scorer',
      'A0 B0 model',
      'B0 A0 model',
    ])
  })
})
