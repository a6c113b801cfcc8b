import { describe, expect, it } from 'vitest'
import { makePlanRound } from '../../../../graphs/answer/nodes/plan-round.ts'
import type { State } from '../../../../graphs/answer/state.ts'
import type { AnswerEvent } from '../../../../src/domain/answer.ts'
import type { Candidate, DraftPath } from '../../../../src/domain/candidate.ts'
import type { Database } from '../../../../src/domain/database.ts'
import type { Knowledge } from '../../../../src/domain/knowledge.ts'
import type { PlannedDraft } from '../../../../src/domain/trace.ts'
import { measureGroups } from '../../../../src/ranking/features/measure-groups.ts'
import { makeRankGroups } from '../../../../src/ranking/selector/rank-groups.ts'
import { makeCandidate, ranWith } from '../../../helpers/make-candidate.ts'
import { selectionParts } from '../../../helpers/selection-parts.ts'
import { makeSelectorModel } from '../../../ranking/selector/make-measured.ts'

const noDraft: DraftPath['draft'] = async () => {
  throw new Error('nothing is drafted here')
}

const paths: readonly DraftPath[] = [
  { name: 'semantic-parser', cost: 'free', samples: 1, draft: noDraft },
  { name: 'query-plan', cost: 'model', samples: 2, draft: noDraft },
]

const question = { id: 'q1', text: 'how many?', database: 'd', askedAt: '2026-11-20', timeZone: 'UTC' }

const fromModel = (wave: number, result: string): Candidate =>
  makeCandidate({
    id: `0/${String(wave).padStart(2, '0')}/query-plan/00.00`,
    path: 'query-plan',
    lineage: 'query-plan/m',
    run: ranWith(result),
  })

const fromParser = makeCandidate({ id: '0/00/semantic-parser/00.00', run: ranWith('A') })

/** Runs the node after these waves of drafts, over what they brought. */
const plan = async (
  waves: readonly (readonly PlannedDraft[])[],
  candidates: readonly Candidate[],
  {
    withSelector = true,
    isWhy = false,
    knowledge = undefined,
    ...drafting
  }: {
    readonly withSelector?: boolean
    readonly isWhy?: boolean
    readonly knowledge?: Knowledge | undefined
    readonly mode?: 'adaptive' | 'full'
    readonly callLimit?: number
  } = {},
) => {
  const saved: unknown[] = []
  const { decideDrafting } = selectionParts
  const planWave = makePlanRound({
    database: async () => ({ knowledge }) as Partial<Database> as Database,
    drafting: {
      paths,
      mode: 'adaptive',
      mostDrafts: 2,
      decideDrafting: tally => ({ ...decideDrafting(tally), continues: true }),
      ...drafting,
    },
    storing: {
      runStore: {
        loadCandidates: async () => candidates,
        saveContext: () => Promise.reject(new Error('no brief is saved here')),
        loadContext: () => Promise.reject(new Error('no brief is read here')),
        saveCandidates: () => Promise.reject(new Error('no candidate is saved here')),
      },
    },
    choosing: {
      ...selectionParts,
      selector: withSelector
        ? {
            measure: measureGroups,
            champion: async () => ({
              version: 'night-7',
              rank: makeRankGroups(makeSelectorModel({ 'vote-share': 1 }, [1])),
            }),
            saveSnapshot: async (id, snapshot) => {
              saved.push([id, snapshot])
            },
          }
        : null,
    },
  })
  const made = waves.map((drafts, wave) => ({
    ...{ round: 0, wave, drafts, probability: 0, gain: null, reason: '' },
  }))
  const told: AnswerEvent[] = []
  const update = await planWave(
    { question, round: 0, waves: made, isWhy, cannotAnswer: [] } as unknown as State,
    {
      writer: event => told.push(event),
    },
  )
  return { told, saved, planned: update.planned, groups: update.groups, waves: update.waves }
}

const free = [{ path: 'semantic-parser', sample: 0 }]

const first = [{ path: 'query-plan', sample: 0 }]

const second = [{ path: 'query-plan', sample: 1 }]

describe('what a choice was made from', () => {
  it('is kept once drafting is over, with the version that chose', async () => {
    const candidates = [fromParser, fromModel(1, 'A'), fromModel(2, 'B')]
    const { saved, planned, groups } = await plan([free, first, second], candidates)
    expect(planned).toEqual([])
    expect(groups?.[0]).toMatchObject({ key: 'A', score: expect.closeTo(1 / (1 + Math.exp(-1)), 10) })
    expect(saved).toEqual([
      [
        'q1',
        {
          version: 'night-7',
          groups: [
            expect.objectContaining({ key: 'A', measures: expect.objectContaining({ 'vote-share': 0.5 }) }),
            expect.objectContaining({ key: 'B' }),
          ],
        },
      ],
    ])
  })

  it('is not kept while there are drafts to come, though the selector already ranks', async () => {
    const { saved, planned, waves } = await plan([free, first], [fromParser, fromModel(1, 'A')])
    expect(planned).toEqual(second)
    expect(saved).toEqual([])
    expect(waves).toMatchObject([{ probability: expect.closeTo(1 / (1 + Math.exp(-1)), 10) }])
  })

  it('is kept where no draft of a model ran too, for votes to teach about readings', async () => {
    const { saved, planned } = await plan([free, first, second], [fromParser])
    expect(planned).toEqual([])
    expect(saved).toEqual([['q1', { version: 'night-7', groups: [expect.objectContaining({ key: 'A' })] }]])
  })

  it('has no evidence where the question uses a term of the team, which no rule reads', async () => {
    const term = {
      name: 'many',
      synonyms: [],
      meaning: 'more than a dozen',
      sql: null,
      columns: [],
      at: { file: 'terms.md', line: 1 },
    }
    const knowledge = {
      terms: [term],
      rules: [],
      descriptions: [],
      joins: [],
    } as Partial<Knowledge> as Knowledge
    const witnessOf = async (given: { readonly knowledge?: Knowledge }) => {
      const { saved } = await plan([free, first, second], [fromParser, fromModel(1, 'A')], given)
      return JSON.stringify(saved).includes('parser')
    }
    expect(await witnessOf({})).toBe(true)
    expect(await witnessOf({ knowledge })).toBe(false)
  })

  it('is not kept where nothing ran', async () => {
    const { saved, planned } = await plan([free, first, second], [])
    expect(planned).toEqual([])
    expect(saved).toEqual([])
  })

  it('is not kept without a selector', async () => {
    const { saved, groups } = await plan([free, first, second], [fromModel(1, 'A')], { withSelector: false })
    expect(saved).toEqual([])
    expect(groups?.[0]?.key).toBe('A')
  })
})

it('takes a number apart along one path, and asks no model for more', async () => {
  const begun = await plan([], [], { isWhy: true })
  expect(begun.planned).toEqual(free)
  const { planned, waves } = await plan([free], [fromParser], { isWhy: true, withSelector: false })
  expect(planned).toEqual([])
  expect(waves).toMatchObject([{ reason: 'there is no model to ask' }])
})

describe('a plan of full mode', () => {
  it('says before the first draft that its calls may not be enough', async () => {
    // Two drafts, no fix, and three results compared in both orders.
    const { told, planned } = await plan([], [], { mode: 'full', callLimit: 7 })
    expect(planned).toHaveLength(3)
    expect(told).toMatchObject([{ step: 'draft', callShortfall: { estimated: 8, allowed: 7 } }])
  })

  it('says nothing if they are enough, if nothing limits them, or in adaptive mode', async () => {
    expect((await plan([], [], { mode: 'full', callLimit: 8 })).told).toEqual([])
    expect((await plan([], [], { mode: 'full' })).told).toEqual([])
    expect((await plan([], [], { mode: 'adaptive', callLimit: 1 })).told).toEqual([])
  })
})
