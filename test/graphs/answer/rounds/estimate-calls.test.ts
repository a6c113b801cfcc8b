import { describe, expect, it } from 'vitest'
import { estimateCalls, findCallShortfall } from '../../../../graphs/answer/rounds/estimate-calls.ts'
import { planRound } from '../../../../graphs/answer/rounds/plan-round.ts'
import { makeModelDraftPaths } from '../../../../src/bootstrap/answering/drafting-and-linking.ts'
import { configSchema } from '../../../../src/config/schema/schema.ts'

const never = () => Promise.reject(new Error('no model is asked here'))

const paths = makeModelDraftPaths(
  { askForSql: never, askForExamples: never, drafters: ['m'] },
  { linkSchema: never },
)

const plan = (mostDrafts: number) =>
  planRound({
    drafting: 'full',
    paths,
    made: [],
    came: 0,
    mostDrafts,
    cannotAnswer: { came: 0, areAgreed: false },
    isAmbiguous: false,
    freePathsAgree: false,
    judgement: { continues: true, reason: '' },
  }).drafts

describe('the calls of a plan', () => {
  it('are drafts with the examples they share, fixes, and comparisons in both orders', () => {
    expect(estimateCalls(plan(21), paths)).toEqual({ drafts: 22, fixes: 2, judgments: 6 })
    // The third path, which makes examples, is not used; and one result needs no comparison.
    expect(estimateCalls(plan(2), paths)).toEqual({ drafts: 2, fixes: 0, judgments: 6 })
    expect(estimateCalls(plan(1), paths)).toEqual({ drafts: 1, fixes: 0, judgments: 0 })
  })

  it('count nothing for paths that ask no model', () => {
    const parser = { name: 'semantic-parser', cost: 'free' } as const
    expect(estimateCalls([{ path: 'semantic-parser', sample: 0 }], [parser])).toEqual({
      drafts: 0,
      fixes: 0,
      judgments: 0,
    })
  })

  it('fit the default budget with the default number of drafts, and not with more', () => {
    const { budget, drafting } = configSchema.parse({})
    const shortfall = (mostDrafts: number) =>
      findCallShortfall(estimateCalls(plan(mostDrafts), paths), budget.modelCallsPerQuestion)
    expect(shortfall(drafting.mostDrafts)).toBeNull()
    expect(findCallShortfall(estimateCalls(plan(21), paths), 20)).toEqual({ estimated: 30, allowed: 20 })
  })
})
