import { describe, expect, it } from 'vitest'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { makeQuestion } from '../setup/make-question.ts'
import { storeOn } from '../setup/store-on.ts'
import { storeQuestion } from '../setup/store-question.ts'
import { twoCountries } from '../setup/two-countries.ts'

const place = { team: 'T1', channel: 'C1', thread: '1.1', message: '1.2' }

describe.each(postgresServers('the repositories'))('on the %s server', on => {
  const store = storeOn(on)

  describe('replies', () => {
    it('are one per question, even with ten clicks', async () => {
      const { id } = await storeQuestion(store())
      await store().repositories.clarifications.upsert(id, twoCountries)
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          store().repositories.replies.insert(id, { kind: 'option', number: i + 1 }, `U${i}`),
        ),
      )
      expect(taken.filter(Boolean)).toHaveLength(1)
      const winner = taken.indexOf(true)
      expect(await store().repositories.replies.find(id)).toMatchObject({
        reply: { kind: 'option', number: winner + 1 },
        repliedBy: `U${winner}`,
      })
    })

    it('are late, and break no transaction, if there is no clarification', async () => {
      const { id } = await storeQuestion(store())
      const status = await store().inTransaction(async tx => {
        const taken = await store().repositories.replies.insert(
          id,
          { kind: 'text', text: 'the first' },
          null,
          tx,
        )
        expect(taken).toBe(false)
        return (await store().repositories.questions.find(id, tx))?.status
      })
      expect(status).toBe('queued')
      expect(await store().repositories.replies.find(id)).toBeNull()
    })
  })

  describe('outbound messages', () => {
    const messages = () => store().repositories.outboundMessages
    const claimedAt = new Date('2026-06-03T10:00:00.123Z')

    it('are claimed by one of several workers, and remember their ts', async () => {
      const { id } = await storeQuestion(store())
      const message = { questionId: id, step: 'status', channel: 'C1', payload: { text: 'on it' }, claimedAt }
      const claims = await Promise.all(Array.from({ length: 6 }, () => messages().claim(message)))
      expect(claims.filter(Boolean)).toHaveLength(1)
      expect(await messages().find(id, 'status')).toEqual({ ...message, ts: null, postedAt: null })
      expect(await messages().markPosted(id, 'status', '1717.42')).toBe(true)
      expect(await messages().find(id, 'status')).toMatchObject({ ts: '1717.42', postedAt: expect.any(Date) })
      expect(await messages().find(id, 'answer')).toBeNull()
    })

    it('are taken over by one worker if unresolved, and never once posted', async () => {
      const { id } = await storeQuestion(store())
      const message = { questionId: id, step: 'answer', channel: 'C1', payload: {}, claimedAt }
      await messages().claim(message)
      const later = new Date('2026-06-03T10:05:00.000Z')
      const taken = await Promise.all(Array.from({ length: 6 }, () => messages().reclaim(message, later)))
      expect(taken.filter(Boolean)).toHaveLength(1)
      await messages().markPosted(id, 'answer', '1717.43')
      expect(await messages().reclaim({ ...message, claimedAt: later }, new Date())).toBe(false)
    })
  })

  describe('a transaction', () => {
    it('leaves nothing when it fails', async () => {
      const question = makeQuestion()
      const broken = store().inTransaction(async tx => {
        await store().repositories.questions.insert(question, null, tx)
        throw new Error('half-way')
      })
      await expect(broken).rejects.toThrow('half-way')
      expect(await store().repositories.questions.find(question.id)).toBeNull()
    })

    it('runs the SQL of others inside it, with their placeholders', async () => {
      const question = makeQuestion()
      const seen = await store().inTransaction(async tx => {
        await store().repositories.questions.insert(question, place, tx)
        const sql = `select text, place ? 'team' as has_team from querent.questions where id = $1 and key = $2`
        return store().executeIn(tx, sql, [question.id, question.key])
      })
      expect(seen.rows).toEqual([{ text: question.text, has_team: true }])
    })
  })
})
