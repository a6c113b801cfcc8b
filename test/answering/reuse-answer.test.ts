import { describe, expect, it } from 'vitest'
import { makeAnswerReuse } from '../../src/answering/reuse-answer.ts'
import type { AnswerAlternative } from '../../src/domain/answer.ts'
import type { LocatedQuestion } from '../../src/domain/message.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeMemoryAnswerCache } from '../../src/store/limits-and-cache.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'
import { makeQuestion } from '../store/setup/make-question.ts'

type Deps = Parameters<typeof makeAnswerReuse>[0]

const asked = {
  ...{ questionId: 'second', database: 'shop', schemaVersion: 'v1', question: 'how many tents' },
  selector: 'shipped',
}

const location = { team: 'T', channel: 'C', thread: '1.0', message: '1.0' }

const answeredAt = new Date('2026-11-22T10:00:00Z')

const winner = makeCandidate({ id: '0/a/00', run: ranWith('w') })

const other = makeCandidate({ id: '0/a/01', run: ranWith('o') })

const third = makeCandidate({ id: '0/a/02', run: ranWith('t') })

const alternatives: readonly AnswerAlternative[] = [{ label: 'by return', hint: '', candidateId: other.id }]

const resultOf = (candidate: typeof winner): string =>
  candidate.run?.status === 'ran' ? candidate.run.resultId : ''

const remembering = (given: Partial<Deps> & { placed?: Partial<LocatedQuestion['question']> } = {}) => {
  const copied: string[] = []
  const records = new Map<string, { readonly key: string; readonly readAt: Date }>()
  const { placed, ...deps } = given
  const memory = makeAnswerReuse({
    cache: makeMemoryAnswerCache({ now: () => 0 }),
    forMs: 60_000,
    findPlaced: async id => ({ question: makeQuestion({ id, ...placed }), location }),
    fingerprint: async () => 'a model',
    rightsFingerprint: async ({ person }) => `rights of ${person}`,
    recordReusable: async ({ questionId, key, readAt }) =>
      void records.set(questionId, { readAt, key: JSON.stringify(key) }),
    findReusable: async ({ questionId, key }) => {
      const found = records.get(questionId)
      return found?.key === JSON.stringify(key) ? found.readAt : null
    },
    findAnswer: async () => ({
      candidateId: winner.id,
      resultId: resultOf(winner),
      ...{ sql: winner.sql, confidence: 0.9, headline: '7 tents', assumptions: [], alternatives },
    }),
    listCandidates: async () => [winner, other, third],
    findContext: async () => ({
      understanding: { kind: 'data', text: '', spans: [], today: '', timeZone: 'UTC' },
      matches: [],
      linked: { tables: [] },
    }),
    findTrace: async () => ({
      groups: [
        {
          key: 'g1',
          candidateIds: [winner.id, third.id],
          representativeId: third.id,
          score: 0.9,
          head: null,
        },
        { key: 'g2', candidateIds: [third.id], representativeId: third.id, score: 0.1, head: null },
      ],
    }),
    copyResult: async (id, to) => {
      copied.push(`${id} for ${to}`)
      return `copy of ${id}`
    },
    now: () => answeredAt,
    log: silentLog,
    ...deps,
  })
  return { memory, copied }
}

/** As `first` left it, asked again. */
const recall = async (given: Parameters<typeof remembering>[0] = {}) => {
  const { memory, copied } = remembering(given)
  const { key } = await memory.find({ ...asked, questionId: 'first' })
  if (key) await memory.store(key, 'first')
  return { ...(await memory.find(asked)), copied }
}

describe('an earlier answer', () => {
  it("is reused with copies of its own and its alternatives' results only", async () => {
    const { answer, copied } = await recall()
    expect(copied).toEqual([`${resultOf(winner)} for second`, `${resultOf(other)} for second`])
    expect(answer?.outcome).toMatchObject({
      resultId: `copy of ${resultOf(winner)}`,
      alternatives,
      cached: { from: 'first', readAt: '2026-11-22T10:00:00.000Z' },
    })
    expect(answer?.candidates.map(({ id }) => id)).toEqual([winner.id, other.id])
    expect(answer?.groups).toEqual([
      { key: 'g1', candidateIds: [winner.id], representativeId: winner.id, score: 0.9 },
    ])
  })

  it('is not shown to a person with other permissions', async () => {
    let person = 0
    const { key, answer } = await recall({ rightsFingerprint: async () => `rights ${person++}` })
    expect(key).toMatchObject({ rights: 'rights 1' })
    expect(answer).toBeNull()
  })

  it('is not shown if the configuration changed', async () => {
    let model = 0
    const { key, answer } = await recall({ fingerprint: async () => `model ${model++}` })
    expect(key?.answeredBy).toContain('model 1')
    expect(answer).toBeNull()
  })

  it.each(['trained', null])('is not shown if another selector ranks (%s)', async selector => {
    const { memory } = remembering()
    const { key } = await memory.find({ ...asked, questionId: 'first' })
    if (key) await memory.store(key, 'first')
    expect(await memory.find({ ...asked, selector })).toMatchObject({
      key: expect.anything(),
      answer: null,
    })
    expect((await memory.find(asked)).answer?.from).toBe('first')
  })

  it.each([
    ['whose rights are not known', { rightsFingerprint: async () => null }],
    ['of whom nothing is known', { placed: { askedBy: null } }],
  ] as const)('is neither shown to nor stored for a person %s', async (_, given) => {
    const { key, answer } = await recall(given)
    expect({ key, answer }).toEqual({ key: null, answer: null })
  })

  it.each([
    ['somebody found fault with it', { findReusable: async () => null }],
    ['its rows have expired', { copyResult: async () => null }],
    ['it is gone', { findAnswer: async () => null }],
    ['the rows are wanted anew', { placed: { fresh: true } }],
  ] as const)('is not shown when %s, and the new one can be stored', async (_, given) => {
    const { key, answer } = await recall(given)
    expect(key).not.toBeNull()
    expect(answer).toBeNull()
  })

  it('leaves out alternatives whose rows have expired', async () => {
    const { answer } = await recall({ copyResult: async id => (id === resultOf(other) ? null : 'copy') })
    expect(answer?.outcome.alternatives).toBeUndefined()
    expect(answer?.candidates).toHaveLength(1)
  })

  it('is not reused for its own question when a run is repeated', async () => {
    const { memory } = remembering()
    const { key } = await memory.find(asked)
    if (key) await memory.store(key, asked.questionId)
    expect((await memory.find(asked)).answer).toBeNull()
  })

  it('is left out if the store is unavailable', async () => {
    const { answer } = await recall({ findReusable: () => Promise.reject(new Error('away')) })
    expect(answer).toBeNull()
  })

  it('is not stored, and fails nothing, if the store is unavailable', async () => {
    const { answer } = await recall({ recordReusable: () => Promise.reject(new Error('away')) })
    expect(answer).toBeNull()
  })

  it('is looked for in the workspace of the question', async () => {
    const teams: string[] = []
    await recall({
      findReusable: async ({ team }) => {
        teams.push(team)
        return null
      },
    })
    expect(teams).toEqual(['T'])
  })
})
