import { describe, expect, it } from 'vitest'
import { ratePairByScore } from '../../../../graphs/answer/comparison/pair-judges.ts'
import { runTournament } from '../../../../graphs/answer/comparison/tournament.ts'
import { judgeBy, makeMembers } from './make-members.ts'

const rules = { sureLeader: 0.8, surePair: 0.75, leading: 4 }

describe('a knock-out', () => {
  it('asks in both orders, one pair after the other, at most one fewer than groups', async () => {
    const members = makeMembers({
      A: { score: 0.3 },
      B: { score: 0.25 },
      C: { score: 0.2 },
      D: { score: 0.15 },
    })
    const { ask, asked } = judgeBy({ AB: 'B', BA: 'B', BC: 'B', CB: 'B', BD: 'D', DB: 'D' })
    const { winner, comparisons } = await runTournament(members, { ask, rate: ratePairByScore, rules })
    expect(asked).toEqual(['AB', 'BA', 'BC', 'CB', 'BD', 'DB'])
    expect(winner.group.key).toBe('D')
    expect(comparisons.every(({ by }) => by === 'model')).toBe(true)
  })

  it('leaves out who is not among the leading groups', async () => {
    const members = makeMembers({ A: { score: 0.3 }, B: { score: 0.25 }, C: { score: 0.2 } })
    const { ask, asked } = judgeBy({ AB: 'A', BA: 'A' })
    await runTournament(members, { ask, rate: ratePairByScore, rules: { ...rules, leading: 2 } })
    expect(asked).toEqual(['AB', 'BA'])
  })

  it('asks nobody about a sure leader', async () => {
    const { ask, asked } = judgeBy({})
    const members = makeMembers({ A: { score: 0.8 }, B: { score: 0.75 } })
    const { winner } = await runTournament(members, { ask, rate: ratePairByScore, rules })
    expect([winner.group.key, asked]).toEqual(['A', []])
  })

  it('asks nobody about a pair that the scorer is sure of, and asks about the next', async () => {
    const members = makeMembers({ A: { score: 0.4 }, B: { score: 0.1 }, C: { score: 0.1 } })
    const { ask, asked } = judgeBy({ BC: 'C', CB: 'C' })
    const { winner, comparisons } = await runTournament(members, {
      ask,
      rate: (first, second) =>
        first.group.key === 'A' && second.group.key === 'B' ? 0.1 : ratePairByScore(first, second),
      rules,
    })
    expect(asked).toEqual(['BC', 'CB'])
    expect(winner.group.key).toBe('C')
    expect(comparisons[0]).toEqual({
      first: 'A0',
      second: 'B0',
      winner: 'second',
      by: 'scorer',
      reason: '90 % sure by itself',
    })
  })

  it('goes by the scorer alone where there is no judge', async () => {
    const members = makeMembers({ A: { score: 0.3 }, B: { score: 0.29 } })
    const { winner } = await runTournament(members, { ask: null, rate: () => 0.45, rules })
    expect(winner.group.key).toBe('B')
  })

  it.each<[string, Record<string, string>]>([
    ['contradicts itself', { AB: 'A', BA: 'B' }],
    ['fails once', { AB: 'B' }],
    ['fails', {}],
  ])('keeps the preferred one when the judge %s', async (_, table) => {
    const members = makeMembers({ A: { score: 0.3 }, B: { score: 0.25 } })
    const { winner } = await runTournament(members, { ask: judgeBy(table).ask, rate: ratePairByScore, rules })
    expect(winner.group.key).toBe('A')
  })

  it('does not ask a judge again who has failed', async () => {
    const members = makeMembers({ A: { score: 0.3 }, B: { score: 0.25 }, C: { score: 0.2 } })
    const { ask, asked } = judgeBy({ AC: 'C', CA: 'C' })
    const { winner } = await runTournament(members, { ask, rate: ratePairByScore, rules })
    expect([winner.group.key, asked]).toEqual(['A', ['AB', 'BA']])
  })

  it("gives the selector's reasons of the one whom the scorer prefers", async () => {
    const members = makeMembers({ A: { score: 0.6 }, B: { score: 0.1 } })
    const reasons: Readonly<Record<string, readonly string[]>> = {
      A: ['more paths came to it', 'of the other: its result is empty'],
      B: ['its result is empty'],
    }
    const told = members.map(member => ({
      ...member,
      group: { ...member.group, reasons: reasons[member.group.key]! },
    }))
    const reasonBy = async (local: number) => {
      const [first, ...others] = told
      const contest = await runTournament([first!, ...others], { ask: null, rate: () => local, rules })
      return contest.comparisons.map(({ winner, reason }) => [winner, reason])
    }
    expect(await reasonBy(0.92)).toEqual([
      ['first', '92 % sure by itself; more paths came to it; of the other: its result is empty'],
    ])
    expect(await reasonBy(0.2)).toEqual([['second', '80 % sure by itself; its result is empty']])
  })

  it('asks no judge about a pair that a probe tells apart, against the vote too', async () => {
    const members = makeMembers({ A: { score: 0.3 }, B: { score: 0.25 }, C: { score: 0.2 } })
    const { ask, asked } = judgeBy({ BC: 'B', CB: 'B' })
    const probed: string[] = []
    const { winner, comparisons } = await runTournament(members, {
      ...{ ask, rate: ratePairByScore, rules },
      probe: async (first, second) => {
        probed.push(`${first.group.key}${second.group.key}`)
        return first.group.key === 'A' ? { winner: second, reason: 'the other finds nothing' } : null
      },
    })
    expect([winner.group.key, probed, asked]).toEqual(['B', ['AB', 'BC'], ['BC', 'CB']])
    expect(comparisons[0]).toEqual({
      first: 'A0',
      second: 'B0',
      winner: 'second',
      by: 'probe',
      reason: 'the other finds nothing',
    })
  })

  it('probes nothing where the scorer is sure, or no judge is there to be spared', async () => {
    const sure = makeMembers({ A: { score: 0.6 }, B: { score: 0.1 } })
    const near = makeMembers({ A: { score: 0.3 }, B: { score: 0.29 } })
    const probe = () => Promise.reject(new Error('nothing is to be looked up'))
    const { ask } = judgeBy({})
    expect((await runTournament(sure, { ask, rate: ratePairByScore, rules, probe })).winner.group.key).toBe(
      'A',
    )
    expect(
      (await runTournament(near, { ask: null, rate: ratePairByScore, rules, probe })).winner.group.key,
    ).toBe('A')
  })
})
