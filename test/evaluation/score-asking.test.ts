import { describe, expect, it } from 'vitest'
import type { PoolLabel, PoolQuestion } from '../../src/evaluation/execute-pools.ts'
import { type PoolClarification, scoreAsking } from '../../src/evaluation/score-asking.ts'

const right: PoolLabel = { ex: true, anyOrder: true }
const turned: PoolLabel = { ex: false, anyOrder: true }
const wrong: PoolLabel = { ex: false, anyOrder: false }

interface Case {
  readonly labels: readonly PoolLabel[]
  readonly asking: PoolClarification | null
}

const option = (...candidateIds: string[]) => ({ candidateIds, answerId: candidateIds[0] ?? '' })

/** Questions whose first candidate is the selector's choice; candidates are called by their places. */
const score = (cases: readonly Case[], cost = 0.1) => {
  const questions = cases.map(
    ({ labels }, at) =>
      ({
        id: String(at),
        database: 'd',
        candidates: [],
        candidateVotes: labels.map((_, nth) => ({ candidateId: String(nth), lineage: 'l', run: null })),
        labels,
      }) as Partial<PoolQuestion> as PoolQuestion,
  )
  const judged = cases.map(({ labels }) => ({
    selected: { candidateId: '0', confidence: 0.5, early: null },
    label: labels[0] ?? wrong,
    earlyLabel: null,
  }))
  return scoreAsking(questions, judged, { findQuestion: ({ id }) => cases[Number(id)]?.asking ?? null, cost })
}

describe('the simulated person', () => {
  it('takes the option that holds a right result', () => {
    const { atCost } = score([
      {
        labels: [wrong, right],
        asking: { value: 0.4, isAskable: true, options: [option('0'), option('1')] },
      },
      {
        labels: [right, wrong],
        asking: { value: 0.3, isAskable: true, options: [option('0'), option('1')] },
      },
    ])
    expect(atCost).toEqual({
      asked: 1,
      falseAsks: 0.5,
      exAfterAsking: 1,
      exAnyOrderAfterAsking: 1,
      recovered: 1,
      recoveredEx: 1,
      gainPerQuestion: 0.5,
    })
  })

  it('gets what the option answers with, which may be wrong all the same', () => {
    const { atCost } = score([
      {
        labels: [wrong, wrong, right],
        asking: { value: 0.4, isAskable: true, options: [option('0'), option('1', '2')] },
      },
    ])
    expect(atCost).toMatchObject({ asked: 1, exAfterAsking: 0, recovered: 0 })
  })

  it('keeps the answer where no option is right, and still was asked', () => {
    const { atCost } = score([
      {
        labels: [right, wrong, wrong],
        asking: { value: 0.4, isAskable: true, options: [option('1'), option('2')] },
      },
      {
        labels: [wrong, wrong, right],
        asking: { value: 0.4, isAskable: true, options: [option('0'), option('1')] },
      },
    ])
    expect(atCost).toMatchObject({ asked: 1, falseAsks: 0.5, exAfterAsking: 0.5 })
  })

  it('is asked in vain where only the order of columns is wrong', () => {
    const { atCost } = score([
      {
        labels: [turned, wrong],
        asking: { value: 0.4, isAskable: true, options: [option('0'), option('1')] },
      },
    ])
    expect(atCost).toMatchObject({ falseAsks: 1, exAfterAsking: 0, exAnyOrderAfterAsking: 1 })
  })
})

describe('how much is asked', () => {
  const cases: readonly Case[] = Array.from({ length: 20 }, (_, at) => ({
    labels: [at < 5 ? wrong : right, right],
    asking: at < 10 ? { value: (20 - at) / 100, isAskable: true, options: [option('0'), option('1')] } : null,
  }))

  it('is what is worth its cost', () => {
    expect(score(cases, 0.17).atCost).toMatchObject({ asked: 0.2, falseAsks: 0 })
    expect(score(cases, 0.21).atCost).toMatchObject({ asked: 0, gainPerQuestion: null })
  })

  it('is the most valuable first, beside as many at random', () => {
    const { curve, always } = score(cases)
    expect(curve[1]).toMatchObject({ asked: 0.1, exAnyOrderAfterAsking: 0.85 })
    expect(curve[1]?.recovered).toBeCloseTo(0.4)
    // Of 20 questions 5 can be helped: asking any two of them helps half a one.
    expect(curve[1]?.exAnyOrderAtRandom).toBeCloseTo(0.775)
    expect(always).toMatchObject({ asked: 0.5, falseAsks: 0.25, recovered: 1, gainPerQuestion: 0.5 })
  })
})
