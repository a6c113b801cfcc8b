import { describe, expect, it } from 'vitest'
import { makeCandidate } from '../../helpers/make-candidate.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { makeQuestion } from '../setup/make-question.ts'
import { storeOn } from '../setup/store-on.ts'
import { storeQuestion } from '../setup/store-question.ts'

const place = { team: 'T1', channel: 'C1', thread: '1.1', message: '1.2' }

describe.each(postgresServers('questions'))('on the %s server', on => {
  const store = storeOn(on)

  describe('questions', () => {
    it('come back as they were asked', async () => {
      const question = makeQuestion({ askedBy: null, text: 'what\'s "new"?\n{} $1 ? ☃' })
      expect(await store().repositories.questions.insert(question, place)).toBe(true)
      const found = await store().repositories.questions.find(question.id)
      expect(found).toMatchObject({ ...question, status: 'queued', place })
      expect(await store().repositories.questions.findByKey(question.key)).toEqual(found)
      expect(await store().questionLog.load(question.id)).toEqual(question)
    })

    it('are stored once a key, of twenty at the same time too', async () => {
      const question = makeQuestion()
      const twins = Array.from({ length: 20 }, () => makeQuestion({ key: question.key }))
      const inserted = await Promise.all(twins.map(twin => store().repositories.questions.insert(twin, null)))
      expect(inserted.filter(Boolean)).toHaveLength(1)
      const winner = twins[inserted.indexOf(true)]
      expect((await store().repositories.questions.findByKey(question.key))?.id).toBe(winner?.id)
    })

    it('change status for one of several callers', async () => {
      const { id } = await storeQuestion(store())
      const moves = await Promise.all(
        Array.from({ length: 8 }, () => store().repositories.questions.move(id, ['queued'], 'working')),
      )
      expect(moves.filter(moved => moved?.status === 'working')).toHaveLength(1)
      expect(moves.filter(moved => moved === null)).toHaveLength(7)
    })

    it('hold text that Postgres would refuse', async () => {
      const question = makeQuestion({ text: `nul \0 and half a pair \ud83d` })
      await store().repositories.questions.insert(question, null)
      const found = await store().repositories.questions.find(question.id)
      expect(found?.text).toBe('nul \ufffd and half a pair \ufffd')
    })

    it('are nowhere when nobody asked them', async () => {
      expect(await store().questionLog.load(makeQuestion().id)).toBeNull()
      expect(await store().repositories.questions.findByKey('T1:C1:0')).toBeNull()
    })

    it('are deleted with everything that belongs to them', async () => {
      const { id } = await storeQuestion(store())
      await store().runStore.saveCandidates(id, [makeCandidate({ id: '1-a' })])
      expect(await store().repositories.questions.remove(id)).toBe(true)
      expect(await store().runStore.loadCandidates(id)).toEqual([])
    })
  })

  describe('threads', () => {
    const inThread = (thread: string, message: string) => ({ team: 'T1', channel: 'C1', thread, message })

    it('belong to the bot once a question in them was answered', async () => {
      const { questions } = store().repositories
      const question = makeQuestion()
      await questions.insert(question, inThread('7.1', '7.1'))
      expect(await questions.isInOurThread(inThread('7.1', '7.9'), 'U2')).toBe(false)
      await questions.setStatus(question.id, 'answered')
      expect(await questions.isInOurThread(inThread('7.1', '7.9'), 'U2')).toBe(true)
      expect(await questions.isInOurThread(inThread('7.2', '7.9'), 'U2')).toBe(false)
      expect(await questions.isInOurThread({ ...inThread('7.1', '7.9'), channel: 'C2' }, 'U2')).toBe(false)
      expect(await questions.isInOurThread({ ...inThread('7.1', '7.9'), team: 'T2' }, 'U2')).toBe(false)
    })

    it("return a person's last waiting question", async () => {
      const { questions } = store().repositories
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
    it('are claimed once per key, and not if their transaction fails', async () => {
      const { inboundMessages: heardMessages } = store().repositories
      const failed = store().inTransaction(async tx => {
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
})
