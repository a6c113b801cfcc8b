import { describe, expect, it } from 'vitest'
import { newestRowsOf } from '../../../graphs/answer/expensive/newest-rows.ts'
import { candidatesOfRound, outcomeOf, questionText, type State } from '../../../graphs/answer/state.ts'
import { candidateId, parseCandidateId } from '../../../src/domain/candidate.ts'
import { TracedCandidate } from '../../../src/store/stored/candidate.ts'
import { makeCandidate } from '../../helpers/make-candidate.ts'

const round = (attempt: number, number: number) => ({
  ...{ round: attempt, wave: number, drafts: [], probability: 0, gain: null, reason: '' },
})

const stateOf = (given: Partial<State>): State =>
  ({
    round: 1,
    waves: [round(0, 0), round(1, 0), round(1, 1)],
    candidateIds: [],
    drafted: [],
    ...given,
  }) as State

describe('the state of a run', () => {
  it('tells which candidates the round under way has brought', () => {
    const drafted = [
      { id: 'a', attempt: 0, round: 0 },
      { id: 'b', attempt: 1, round: 0 },
      { id: 'c', attempt: 1, round: 1 },
    ]
    expect(candidatesOfRound(stateOf({ candidateIds: ['a', 'b', 'c'], drafted }))).toEqual(['c'])
  })

  it('tells it of a run that was interrupted before rounds were kept beside the ids', () => {
    const candidateIds = ['0/00/semantic-parser/00.00', '1/00/query-plan/00.00', '1/01/query-plan/01.00']
    expect(candidatesOfRound(stateOf({ candidateIds }))).toEqual(['1/01/query-plan/01.00'])
  })

  it('has the question with the words of its replies, also where an earlier version wrote them into it', () => {
    expect(questionText({ text: 'orders by country', replies: ['billing', 'this year'] })).toBe(
      'orders by country (billing) (this year)',
    )
    expect(questionText({ text: 'orders by country (billing)' })).toBe('orders by country (billing)')
  })
})

describe('the id of a candidate', () => {
  it('is read back for candidates that were stored with nothing else', () => {
    const origin = { attempt: 1, round: 2, sample: 3 }
    expect(parseCandidateId(candidateId(origin, { path: 'query-plan', rank: 4 }))).toEqual(origin)
    const { origin: _, ...old } = makeCandidate({ id: '1/02/query-plan/03.04' })
    expect(TracedCandidate.parse(old).origin).toEqual(origin)
  })

  it('gives way to an origin that is stored', () => {
    const origin = { attempt: 5, round: 6, sample: 7 }
    expect(TracedCandidate.parse(makeCandidate({ id: '1/02/query-plan/03.04', origin })).origin).toEqual(
      origin,
    )
  })
})

it('reads the newest rows from the text only for a context that does not say', () => {
  const column = { name: 'id', kind: 'integer' }
  const table = { schema: null, name: 'nets', primaryKey: ['id'], columns: [column] }
  const catalog = { dialect: 'sqlite', tables: [table] } as unknown as Parameters<typeof newestRowsOf>[2]
  const question = { text: 'which nets, looking only at the newest 10 rows of nets?' } as State['question']
  expect(newestRowsOf({}, question, catalog)).toEqual({ table: 'nets', rows: 10 })
  expect(newestRowsOf({ newestRows: null }, question, catalog)).toBeNull()
})

it('has the sentence of an impossible change that an earlier version ended with', () => {
  const why = { code: 'impossible-change', explanation: 'There is no month.', hasExamples: true }
  const outcome = { status: 'refused', why, nearest: ['by week'] } as unknown as State['outcome']
  expect(outcomeOf({ outcome })).toEqual({
    status: 'refused',
    why: { code: 'written', reason: 'There is no month.', nextStep: '' },
    nearest: ['by week'],
  })
})

it('has the sentences of an outcome that an earlier version ended with', () => {
  const sentences = { reason: 'I found nothing.', nextStep: 'Leave it out.' }
  const outcome = { status: 'refused', ...sentences, missing: ['zebra'] } as unknown as State['outcome']
  expect(outcomeOf({ outcome })).toEqual({
    status: 'refused',
    why: { code: 'written', ...sentences },
    missing: ['zebra'],
  })
})
