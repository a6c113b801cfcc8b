import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Brief } from '../../src/core/brief.ts'
import type { Clarification } from '../../src/core/clarification.ts'
import type { Question } from '../../src/core/question.ts'
import type { Store } from '../../src/store/make-store.ts'
import { makeCandidate } from '../helpers/make-candidate.ts'
import { postgresServers } from '../helpers/postgres-servers.ts'
import { makeQuestion } from './make-question.ts'
import { openTestStore } from './open-test-store.ts'

const place = { team: 'T1', channel: 'C1', thread: '1.1', message: '1.2' }
const clarification: Clarification = {
  question: 'Which country?',
  options: [
    { label: 'of billing', hint: '5 rows', candidateIds: ['1-a'] },
    { label: 'of shipping', hint: '', candidateIds: ['1-b', '1-c'] },
  ],
  defaultOption: 1,
}

describe.each(postgresServers('the repositories'))('on the %s server', on => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let store: Store
  beforeAll(async () => {
    opened = await openTestStore({ on })
    store = opened.store
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  const asked = async (): Promise<Question> => {
    const question = makeQuestion()
    await store.repositories.questions.insert(question, null)
    return question
  }

  describe('questions', () => {
    it('come back as they were asked', async () => {
      const question = makeQuestion({ askedBy: null, text: 'what\'s "new"?\n{} $1 ? ☃' })
      expect(await store.repositories.questions.insert(question, place)).toBe(true)
      const found = await store.repositories.questions.find(question.id)
      expect(found).toMatchObject({ ...question, status: 'queued', place })
      expect(await store.repositories.questions.findByKey(question.key)).toEqual(found)
      expect(await store.questionLog.load(question.id)).toEqual(question)
    })

    it('are stored once a key, of twenty at the same time too', async () => {
      const question = makeQuestion()
      const twins = Array.from({ length: 20 }, () => makeQuestion({ key: question.key }))
      const inserted = await Promise.all(twins.map(twin => store.repositories.questions.insert(twin, null)))
      expect(inserted.filter(Boolean)).toHaveLength(1)
      const winner = twins[inserted.indexOf(true)]
      expect((await store.repositories.questions.findByKey(question.key))?.id).toBe(winner?.id)
    })

    it('move on for one of several callers', async () => {
      const { id } = await asked()
      const moves = await Promise.all(
        Array.from({ length: 8 }, () => store.repositories.questions.move(id, ['queued'], 'working')),
      )
      expect(moves.filter(moved => moved?.status === 'working')).toHaveLength(1)
      expect(moves.filter(moved => moved === null)).toHaveLength(7)
    })

    it('hold text that Postgres would refuse', async () => {
      const question = makeQuestion({ text: `nul \0 and half a pair \ud83d` })
      await store.repositories.questions.insert(question, null)
      const found = await store.repositories.questions.find(question.id)
      expect(found?.text).toBe('nul \ufffd and half a pair \ufffd')
    })

    it('are nowhere when nobody asked them', async () => {
      expect(await store.questionLog.load(makeQuestion().id)).toBeNull()
      expect(await store.repositories.questions.findByKey('T1:C1:0')).toBeNull()
    })

    it('take all that belongs to them along when removed', async () => {
      const { id } = await asked()
      await store.workbench.saveCandidates(id, [makeCandidate({ id: '1-a' })])
      expect(await store.repositories.questions.remove(id)).toBe(true)
      expect(await store.workbench.loadCandidates(id)).toEqual([])
    })
  })

  describe('threads', () => {
    const inThread = (thread: string, message: string) => ({ team: 'T1', channel: 'C1', thread, message })

    it('are ours once a question in them was answered', async () => {
      const { questions } = store.repositories
      const question = makeQuestion()
      await questions.insert(question, inThread('7.1', '7.1'))
      expect(await questions.isInOurThread(inThread('7.1', '7.9'), 'U2')).toBe(false)
      await questions.setStatus(question.id, 'answered')
      expect(await questions.isInOurThread(inThread('7.1', '7.9'), 'U2')).toBe(true)
      expect(await questions.isInOurThread(inThread('7.2', '7.9'), 'U2')).toBe(false)
      expect(await questions.isInOurThread({ ...inThread('7.1', '7.9'), channel: 'C2' }, 'U2')).toBe(false)
      expect(await questions.isInOurThread({ ...inThread('7.1', '7.9'), team: 'T2' }, 'U2')).toBe(false)
    })

    it('have the last question of a person that waits in them', async () => {
      const { questions } = store.repositories
      const [first, second, last] = ['2026-06-03T01', '2026-06-03T02', '2026-06-03T03'].map(hour =>
        makeQuestion({ askedAt: new Date(`${hour}:00:00Z`), askedBy: 'U1' }),
      )
      for (const question of [second, first, last]) {
        if (question) await questions.insert(question, inThread('8.1', '8.2'))
      }
      expect(await questions.findWaiting(inThread('8.1', '8.9'), 'U1')).toBeNull()
      await questions.setStatus(first?.id ?? '', 'waiting')
      await questions.setStatus(second?.id ?? '', 'waiting')
      expect(await questions.findWaiting(inThread('8.1', '8.9'), 'U1')).toBe(second?.id)
      expect(await questions.findWaiting(inThread('8.1', '8.9'), 'U2')).toBeNull()
      expect(await questions.isInOurThread(inThread('8.1', '8.9'), 'U1')).toBe(true)
      expect(await questions.isInOurThread(inThread('8.1', '8.9'), 'U2')).toBe(false)
    })
  })

  describe('messages', () => {
    it('are taken in once a key, and not at all when what they became was not stored', async () => {
      const { heardMessages } = store.repositories
      const failed = store.inTransaction(async tx => {
        expect(await heardMessages.claim('T1:C1:9.1', tx)).toBe(true)
        throw new Error('no room')
      })
      await expect(failed).rejects.toThrow('no room')
      const claims = await Promise.all(Array.from({ length: 5 }, () => heardMessages.claim('T1:C1:9.1')))
      expect(claims.filter(Boolean)).toHaveLength(1)
      expect(await heardMessages.purgeBefore(new Date(Date.now() - 60_000))).toBe(0)
      expect(await heardMessages.purgeBefore(new Date(Date.now() + 60_000))).toBe(1)
    })
  })

  describe('the workbench', () => {
    const brief: Brief = {
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

    it('gives back the last brief', async () => {
      const { id } = await asked()
      await store.workbench.saveBrief(id, { ...brief, matches: [] })
      await store.workbench.saveBrief(id, brief)
      expect(await store.workbench.loadBrief(id)).toEqual(brief)
    })

    it('says so when there is none', async () => {
      const { id } = await asked()
      await expect(store.workbench.loadBrief(id)).rejects.toMatchObject({ code: 'internal' })
    })

    it('keeps candidates by id, in the order of code units', async () => {
      const { id } = await asked()
      const first = makeCandidate({ id: '1-b', unused: ['bikes'] })
      const ran = makeCandidate({
        id: '1-B',
        decisions: [{ phrase: 'sold', kind: 'column', choice: 'orders.sold_at', label: 'day of sale' }],
        repairs: [{ round: 1, sql: 'select 1', errorClass: 'syntax', message: 'near "\ud83d"' }],
        run: { status: 'failed', errorClass: 'timeout', message: 'took too long' },
      })
      await store.workbench.saveCandidates(id, [first, ran])
      const again = { ...first, sql: 'select 2' }
      await store.workbench.saveCandidates(id, [again])
      const repaired = { ...ran, repairs: [{ ...ran.repairs[0], message: 'near "\ufffd"' }] }
      expect(await store.workbench.loadCandidates(id)).toEqual([repaired, again])
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
      const { id } = await asked()
      const candidates = [makeCandidate({ id: '1-a' })]
      await store.questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store.questionLog.keepReport({ questionId: id, outcome: answered, candidates, usage })
      const [run, ...others] = await store.repositories.runs.list(id)
      expect(others).toEqual([])
      expect(run).toMatchObject({ status: 'finished', outcome: answered, usage })
      const { status: _, ...answer } = answered
      expect(await store.repositories.answers.find(id)).toMatchObject({ ...answer, runId: run?.id })
      expect(await store.workbench.loadCandidates(id)).toEqual(candidates)
      expect((await store.repositories.questions.find(id))?.status).toBe('answered')
    })

    it('marks the run of a worker that died as abandoned when the next begins', async () => {
      const { id } = await asked()
      await store.questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store.questionLog.begin(id, ['queued', 'working', 'waiting'])
      const runs = await store.repositories.runs.list(id)
      expect(runs.map(run => run.status).sort()).toEqual(['abandoned', 'running'])
    })

    it('leaves a question that is asked back waiting, and lets a later run answer it', async () => {
      const { id } = await asked()
      const back = { status: 'needs-clarification', clarification } as const
      await store.questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store.questionLog.keepReport({ questionId: id, outcome: back, candidates: [], usage })
      expect((await store.repositories.questions.find(id))?.status).toBe('waiting')
      expect(await store.repositories.clarifications.find(id)).toEqual(clarification)
      await store.questionLog.begin(id, ['queued', 'working', 'waiting'])
      await store.questionLog.keepReport({ questionId: id, outcome: answered, candidates: [], usage })
      expect((await store.repositories.runs.list(id)).map(run => run.outcome?.status)).toEqual([
        'needs-clarification',
        'answered',
      ])
      expect((await store.repositories.answers.find(id))?.headline).toBe('42 bikes')
    })

    it.each([
      ['refused', { status: 'refused', reason: 'no such data', nextStep: 'ask for orders' }],
      ['failed', { status: 'failed', reason: 'the database is away', nextStep: 'ask again' }],
    ] as const)('keeps a question that was %s, without an answer', async (status, outcome) => {
      const { id } = await asked()
      await store.questionLog.keepReport({ questionId: id, outcome, candidates: [], usage })
      expect((await store.repositories.questions.find(id))?.status).toBe(status)
      expect((await store.repositories.runs.list(id)).map(run => run.outcome)).toEqual([outcome])
      expect(await store.repositories.answers.find(id)).toBeNull()
    })

    it('keeps nothing of a report whose question is not there', async () => {
      const { id } = makeQuestion()
      const report = { questionId: id, outcome: answered, candidates: [], usage }
      await expect(store.questionLog.keepReport(report)).rejects.toMatchObject({ code: 'internal' })
      await expect(store.questionLog.begin(id, ['queued', 'working', 'waiting'])).rejects.toMatchObject({
        code: 'internal',
      })
    })
  })

  describe('replies', () => {
    it('are one a question, of ten clicks too', async () => {
      const { id } = await asked()
      await store.repositories.clarifications.upsert(id, clarification)
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          store.repositories.replies.insert(id, { kind: 'option', number: i + 1 }, `U${i}`),
        ),
      )
      expect(taken.filter(Boolean)).toHaveLength(1)
      const winner = taken.indexOf(true)
      expect(await store.repositories.replies.find(id)).toMatchObject({
        reply: { kind: 'option', number: winner + 1 },
        repliedBy: `U${winner}`,
      })
    })

    it('are late, and break no transaction, where nothing was asked', async () => {
      const { id } = await asked()
      const status = await store.inTransaction(async tx => {
        const taken = await store.repositories.replies.insert(
          id,
          { kind: 'text', text: 'the first' },
          null,
          tx,
        )
        expect(taken).toBe(false)
        return (await store.repositories.questions.find(id, tx))?.status
      })
      expect(status).toBe('queued')
      expect(await store.repositories.replies.find(id)).toBeNull()
    })
  })

  describe('outbound messages', () => {
    const messages = () => store.repositories.outboundMessages
    const claimedAt = new Date('2026-06-03T10:00:00.123Z')

    it('are claimed by one of several workers, and remember their ts', async () => {
      const { id } = await asked()
      const message = { questionId: id, step: 'status', channel: 'C1', payload: { text: 'on it' }, claimedAt }
      const claims = await Promise.all(Array.from({ length: 6 }, () => messages().claim(message)))
      expect(claims.filter(Boolean)).toHaveLength(1)
      expect(await messages().find(id, 'status')).toEqual({ ...message, ts: null, postedAt: null })
      expect(await messages().markPosted(id, 'status', '1717.42')).toBe(true)
      expect(await messages().find(id, 'status')).toMatchObject({ ts: '1717.42', postedAt: expect.any(Date) })
      expect(await messages().find(id, 'answer')).toBeNull()
    })

    it('in doubt are taken over by one, and never once they are posted', async () => {
      const { id } = await asked()
      const message = { questionId: id, step: 'answer', channel: 'C1', payload: {}, claimedAt }
      await messages().claim(message)
      const later = new Date('2026-06-03T10:05:00.000Z')
      const taken = await Promise.all(Array.from({ length: 6 }, () => messages().reclaim(message, later)))
      expect(taken.filter(Boolean)).toHaveLength(1)
      await messages().markPosted(id, 'answer', '1717.43')
      expect(await messages().reclaim({ ...message, claimedAt: later }, new Date())).toBe(false)
    })
  })

  describe('votes', () => {
    it('count once a person, the last one', async () => {
      const { id } = await asked()
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
      await store.questionLog.keepReport({ questionId: id, outcome, candidates: [], usage })
      const answer = await store.repositories.answers.find(id)
      const vote = { questionId: id, runId: answer?.runId ?? '', candidateId: '1-a' }
      expect(await store.repositories.votes.count(id)).toEqual({ up: 0, down: 0 })
      await store.repositories.votes.upsert({ ...vote, person: 'U1', vote: 'up' })
      await store.repositories.votes.upsert({ ...vote, person: 'U2', vote: 'up' })
      await store.repositories.votes.upsert({ ...vote, person: 'U1', vote: 'down' })
      expect(await store.repositories.votes.count(id)).toEqual({ up: 1, down: 1 })
    })
  })

  it('counts what became of all questions, and all votes', async () => {
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
      const outcome =
        status === 'answered' ? { status, ...answered } : { status, reason: 'no data', nextStep: 'ask again' }
      await fresh.store.questionLog.keepReport({ questionId: question.id, outcome, candidates: [], usage })
      const answer = await fresh.store.repositories.answers.find(question.id)
      if (!answer) continue
      const vote = { questionId: question.id, runId: answer.runId, candidateId: 'c', person: 'U1' }
      await votes.upsert({ ...vote, vote: 'down' })
    }
    await questions.insert(makeQuestion(), null)
    expect(await questions.countEnded()).toEqual({ answered: 2, refused: 1, failed: 1 })
    expect(await votes.countAll()).toEqual({ up: 0, down: 2 })
  })

  describe('a transaction', () => {
    it('leaves nothing when it fails', async () => {
      const question = makeQuestion()
      const broken = store.inTransaction(async tx => {
        await store.repositories.questions.insert(question, null, tx)
        throw new Error('half-way')
      })
      await expect(broken).rejects.toThrow('half-way')
      expect(await store.repositories.questions.find(question.id)).toBeNull()
    })

    it('runs the SQL of others inside it, with their placeholders', async () => {
      const question = makeQuestion()
      const seen = await store.inTransaction(async tx => {
        await store.repositories.questions.insert(question, place, tx)
        const sql = `select text, place ? 'team' as has_team from querent.questions where id = $1 and key = $2`
        return store.executeIn(tx, sql, [question.id, question.key])
      })
      expect(seen.rows).toEqual([{ text: question.text, has_team: true }])
    })
  })
})
