import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/domain/answer.ts'
import type { QuestionContext } from '../../src/domain/question-context.ts'
import { makeCandidate } from '../helpers/make-candidate.ts'
import { postgresServers } from '../helpers/services/postgres-servers.ts'
import { makeQuestion } from './setup/make-question.ts'
import { openTestStore } from './setup/open-test-store.ts'
import { storeOn } from './setup/store-on.ts'
import { storeQuestion } from './setup/store-question.ts'
import { twoCountries } from './setup/two-countries.ts'

describe.each(postgresServers('the log of questions'))('on the %s server', on => {
  const store = storeOn(on)

  describe('the run store', () => {
    const brief: QuestionContext = {
      understanding: {
        kind: 'data',
        text: 'bikes sold last month',
        spans: [{ phrase: 'last month', at: [11, 21], from: '2026-05-01', until: '2026-06-01' }],
        today: '2026-06-03',
        timeZone: 'Europe/Berlin',
      },
      matches: [{ keyword: 'bikes', table: 'products', column: 'category', value: 'Bike', score: 0.9 }],
      linked: {
        tables: [
          { table: 'orders', keep: 'all' },
          { table: 'products', keep: ['id', 'category'] },
        ],
      },
    }

    it('returns the last context', async () => {
      const { id } = await storeQuestion(store())
      await store().runStore.saveContext(id, { ...brief, matches: [] })
      await store().runStore.saveContext(id, brief)
      expect(await store().runStore.loadContext(id)).toEqual(brief)
    })

    it('rejects if there is none', async () => {
      const { id } = await storeQuestion(store())
      await expect(store().runStore.loadContext(id)).rejects.toMatchObject({ code: 'internal' })
    })

    it('keeps candidates by id, in the order of code units', async () => {
      const { id } = await storeQuestion(store())
      const first = makeCandidate({ id: '1-b', unused: ['bikes'] })
      const ran = makeCandidate({
        id: '1-B',
        decisions: [{ phrase: 'sold', kind: 'column', choice: 'orders.sold_at', label: 'day of sale' }],
        repairs: [{ round: 1, sql: 'select 1', errorClass: 'syntax', message: 'near "\ud83d"' }],
        run: { status: 'failed', errorClass: 'timeout', message: 'took too long' },
      })
      await store().runStore.saveCandidates(id, [first, ran])
      const again = { ...first, sql: 'select 2' }
      await store().runStore.saveCandidates(id, [again])
      const repaired = { ...ran, repairs: [{ ...ran.repairs[0], message: 'near "\ufffd"' }] }
      expect(await store().runStore.loadCandidates(id)).toEqual([repaired, again])
    })
  })

  describe('the log of questions', () => {
    const usage = { modelCalls: 3, promptTokens: 1200, completionTokens: 80 }
    const answered = {
      status: 'answered',
      candidateId: '1-a',
      resultId: 'r1',
      sql: 'select 42',
      confidence: 0.75,
      headline: '42 bikes',
      assumptions: ['May is May 2026'],
      alternatives: [{ label: 'fiscal May', hint: '1 row', candidateId: '1-b' }],
    } as const

    it('keeps an answer with its run and its candidates', async () => {
      const { id } = await storeQuestion(store())
      const candidates = [makeCandidate({ id: '1-a' })]
      await store().questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store().questionLog.storeReport({ questionId: id, outcome: answered, candidates, usage })
      const [run, ...others] = await store().repositories.runs.list(id)
      expect(others).toEqual([])
      expect(run).toMatchObject({ status: 'finished', outcome: answered, usage })
      const { status: _, ...answer } = answered
      expect(await store().repositories.answers.find(id)).toMatchObject({ ...answer, runId: run?.id })
      expect(await store().runStore.loadCandidates(id)).toEqual(candidates)
      expect((await store().repositories.questions.find(id))?.status).toBe('answered')
    })

    it('marks the run of a dead worker as abandoned when the next one starts', async () => {
      const { id } = await storeQuestion(store())
      await store().questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store().questionLog.begin(id, ['queued', 'working', 'waiting'])
      const runs = await store().repositories.runs.list(id)
      expect(runs.map(run => run.status).sort()).toEqual(['abandoned', 'running'])
    })

    it('leaves a question waiting for clarification, and lets a later run answer it', async () => {
      const { id } = await storeQuestion(store())
      const back = { status: 'needs-clarification', clarification: twoCountries } as const
      await store().questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store().questionLog.storeReport({ questionId: id, outcome: back, candidates: [], usage })
      expect((await store().repositories.questions.find(id))?.status).toBe('waiting')
      expect(await store().repositories.clarifications.find(id)).toEqual(twoCountries)
      await store().questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store().questionLog.storeReport({ questionId: id, outcome: answered, candidates: [], usage })
      expect((await store().repositories.runs.list(id)).map(run => run.outcome?.status)).toEqual([
        'needs-clarification',
        'answered',
      ])
      expect((await store().repositories.answers.find(id))?.headline).toBe('42 bikes')
    })

    it.each([
      [
        'refused',
        { status: 'refused', why: { code: 'written', reason: 'no such data', nextStep: 'ask for orders' } },
      ],
      [
        'failed',
        { status: 'failed', why: { code: 'written', reason: 'the database is away', nextStep: 'ask again' } },
      ],
    ] as const)('keeps a question that was %s, without an answer', async (status, outcome) => {
      const { id } = await storeQuestion(store())
      await store().questionLog.storeReport({ questionId: id, outcome, candidates: [], usage })
      expect((await store().repositories.questions.find(id))?.status).toBe(status)
      expect((await store().repositories.runs.list(id)).map(run => run.outcome)).toEqual([outcome])
      expect(await store().repositories.answers.find(id)).toBeNull()
    })

    it('stores no report of a missing question', async () => {
      const { id } = makeQuestion()
      const report = { questionId: id, outcome: answered, candidates: [], usage }
      await expect(store().questionLog.storeReport(report)).rejects.toMatchObject({ code: 'internal' })
      await expect(store().questionLog.begin(id, ['queued', 'working', 'waiting'])).rejects.toMatchObject({
        code: 'internal',
      })
    })
  })

  describe('votes', () => {
    it('count once per person, the last one', async () => {
      const { id } = await storeQuestion(store())
      const outcome = {
        status: 'answered',
        candidateId: '1-a',
        resultId: 'r1',
        sql: 'select 1',
        confidence: 0.5,
        headline: '1',
        assumptions: [],
      } as const
      const usage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }
      await store().questionLog.storeReport({ questionId: id, outcome, candidates: [], usage })
      const answer = await store().repositories.answers.find(id)
      const vote = { questionId: id, runId: answer?.runId ?? '', candidateId: '1-a' }
      expect(await store().repositories.votes.count(id)).toEqual({ up: 0, down: 0 })
      await store().repositories.votes.upsert({ ...vote, person: 'U1', vote: 'up' })
      await store().repositories.votes.upsert({ ...vote, person: 'U2', vote: 'up' })
      await store().repositories.votes.upsert({ ...vote, person: 'U1', vote: 'down' })
      expect(await store().repositories.votes.count(id)).toEqual({ up: 1, down: 1 })
    })
  })

  it('counts all outcomes and votes', async () => {
    await using fresh = await openTestStore({ on })
    const { questions, votes } = fresh.store.repositories
    expect(await questions.countEnded()).toEqual({ answered: 0, refused: 0, failed: 0 })
    const usage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }
    const answered = {
      sql: 's',
      resultId: 'r',
      candidateId: 'c',
      confidence: 1,
      headline: 'h',
      assumptions: [],
    }
    for (const status of ['answered', 'answered', 'refused', 'failed'] as const) {
      const question = makeQuestion()
      await questions.insert(question, null)
      const outcome: Outcome =
        status === 'answered'
          ? { status, ...answered }
          : { status, why: { code: 'written', reason: 'no data', nextStep: 'ask again' } }
      await fresh.store.questionLog.storeReport({ questionId: question.id, outcome, candidates: [], usage })
      const answer = await fresh.store.repositories.answers.find(question.id)
      if (!answer) continue
      const vote = { questionId: question.id, runId: answer.runId, candidateId: 'c', person: 'U1' }
      await votes.upsert({ ...vote, vote: 'down' })
    }
    await questions.insert(makeQuestion(), null)
    expect(await questions.countEnded()).toEqual({ answered: 2, refused: 1, failed: 1 })
    expect(await votes.countAll()).toEqual({ up: 0, down: 2 })
  })
})
