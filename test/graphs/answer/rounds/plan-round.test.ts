import { describe, expect, it } from 'vitest'
import { planRound, type RoundInput } from '../../../../graphs/answer/rounds/plan-round.ts'
import type { PlannedDraft } from '../../../../src/domain/trace.ts'

const parser = { name: 'semantic-parser', cost: 'free', samples: 1 } as const

const divide = { name: 'divide-and-conquer', cost: 'model', samples: 7 } as const

const plan = { name: 'query-plan', cost: 'model', samples: 7 } as const

const synthetic = { name: 'online-synthetic', cost: 'model', samples: 7 } as const

const metric = { name: 'metric-query', cost: 'model', samples: 1, isFirst: true } as const

const unsure = { continues: true, reason: 'worth it' }

const settled = { continues: false, reason: 'not worth it' }

const input = (given: Partial<RoundInput>): RoundInput => ({
  drafting: 'adaptive',
  paths: [parser, divide, plan, synthetic],
  made: [],
  came: 1,
  mostDrafts: 21,
  cannotAnswer: { came: 0, areAgreed: false },
  isAmbiguous: false,
  freePathsAgree: false,
  judgement: unsure,
  ...given,
})

/** Plans round after round under one judgment; the sizes of the rounds. */
const sizes = (given: Partial<RoundInput>): number[] => {
  const made: PlannedDraft[] = []
  const found: number[] = []
  for (;;) {
    const { drafts } = planRound(input({ ...given, made }))
    if (drafts.length === 0) return found
    found.push(drafts.length)
    made.push(...drafts)
  }
}

describe('planRound', () => {
  it('begins with what asks no model, then three drafts one by one, then two at a time, later more, to twenty-one', () => {
    expect(sizes({})).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4, 1])
  })

  it('lets the paths take turns', () => {
    const made = [
      { path: 'semantic-parser', sample: 0 },
      { path: 'divide-and-conquer', sample: 0 },
      { path: 'query-plan', sample: 0 },
      { path: 'online-synthetic', sample: 0 },
    ]
    expect(planRound(input({ made })).drafts).toEqual([
      { path: 'divide-and-conquer', sample: 1 },
      { path: 'query-plan', sample: 1 },
    ])
  })

  it('stops where a further draft is not worth it, and says so, but asks a model once', () => {
    const made = [{ path: 'semantic-parser', sample: 0 }]
    expect(planRound(input({ made, judgement: settled })).drafts).toHaveLength(1)
    const more = [...made, { path: 'divide-and-conquer', sample: 0 }]
    expect(planRound(input({ made: more, judgement: settled }))).toEqual({
      drafts: [],
      reason: 'not worth it',
    })
  })

  it('never goes over the limit, nor over what the paths can make', () => {
    expect(sizes({ mostDrafts: 4 })).toEqual([1, 1, 1, 1, 1])
    expect(
      sizes({
        paths: [
          { ...divide, samples: 2 },
          { ...plan, samples: 1 },
        ],
      }),
    ).toEqual([1, 1, 1])
  })

  it('stops when a wave of models brought nothing, not when a free one did', () => {
    const made = [{ path: 'semantic-parser', sample: 0 }]
    expect(planRound(input({ made, came: 0 })).drafts).toHaveLength(1)
    expect(planRound(input({ made: [...made, { path: 'query-plan', sample: 0 }], came: 0 })).drafts).toEqual(
      [],
    )
  })

  it('asks others when a draft finds no answer in the schema, and stops when they agree', () => {
    const made = [
      { path: 'semantic-parser', sample: 0 },
      { path: 'divide-and-conquer', sample: 0 },
    ]
    const one = { came: 1, areAgreed: false }
    expect(planRound(input({ made, came: 0, judgement: settled, cannotAnswer: one }))).toEqual({
      drafts: [{ path: 'query-plan', sample: 0 }],
      reason: 'a draft found no answer in the schema, so others are asked',
    })
    const agreed = { came: 2, areAgreed: true }
    expect(planRound(input({ made, came: 0, cannotAnswer: agreed }))).toEqual({
      drafts: [],
      reason: 'the drafts agree that the schema cannot answer',
    })
  })

  it('makes everything at once in full, and then nothing more', () => {
    expect(sizes({ drafting: 'full' })).toEqual([22])
  })

  it('makes do without a model', () => {
    expect(sizes({ paths: [parser] })).toEqual([1])
    expect(sizes({ paths: [] })).toEqual([])
  })

  describe('with a path that is first', () => {
    const paths = [parser, metric, divide, plan, synthetic]
    const begun = [
      { path: 'semantic-parser', sample: 0 },
      { path: 'metric-query', sample: 0 },
    ]

    it('asks it beside the free paths, and does not count it among the drafts', () => {
      expect(planRound(input({ paths })).drafts).toEqual(begun)
      expect(sizes({ paths })).toEqual([2, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4, 1])
      expect(sizes({ paths, mostDrafts: 1 })).toEqual([2, 1])
    })

    it('asks for no SQL if the free paths agree with it', () => {
      const agreed = { paths, freePathsAgree: true }
      expect(planRound(input({ ...agreed, made: begun }))).toEqual({
        drafts: [],
        reason: 'the metric query and what was read without a model agree',
      })
      // What a model wrote in SQL is weighed as ever.
      const more = [...begun, { path: 'divide-and-conquer', sample: 0 }]
      expect(planRound(input({ ...agreed, made: more })).drafts).toHaveLength(1)
    })

    it('asks for no SQL if more is not worth it', () => {
      expect(planRound(input({ paths, made: begun, judgement: settled }))).toEqual({
        drafts: [],
        reason: 'not worth it',
      })
    })

    it('goes on if it drafted nothing', () => {
      expect(planRound(input({ paths, made: begun, came: 0 }))).toEqual({
        drafts: [{ path: 'divide-and-conquer', sample: 0 }],
        reason: 'no model has written SQL yet',
      })
    })

    it('leaves it out in full', () => {
      expect(planRound(input({ paths, drafting: 'full' })).drafts).not.toContainEqual(begun[1])
    })
  })
})
