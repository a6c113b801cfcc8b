import { describe, expect, it } from 'vitest'
import type { SlackLocation } from '../../../src/domain/message.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { makeQuestion } from '../setup/make-question.ts'
import { openTestStore } from '../setup/open-test-store.ts'

const usage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }

const placeOf = (message: string, thread = '1.0'): SlackLocation => ({
  team: 'T',
  channel: 'C',
  thread,
  message,
})

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 20, 9, minute))

describe.each(postgresServers('threads'))('threads on the %s server', on => {
  /** A thread in which a question was answered. */
  const openAnswered = async () => {
    const opened = await openTestStore({ on })
    const { store } = opened
    const answer = async (message: string, minute: number, text: string) => {
      const question = makeQuestion({ text, askedAt: at(minute), askedBy: `U${minute}` })
      await store.repositories.questions.insert(question, placeOf(message))
      await store.questionLog.begin(question.id, ['queued'])
      await store.runStore.saveContext(question.id, {
        understanding: {
          kind: 'data',
          text: `${text} as a whole`,
          spans: [],
          today: '2026-11-20',
          timeZone: 'UTC',
        },
        matches: [],
        linked: { tables: [] },
      })
      await store.questionLog.storeReport({
        questionId: question.id,
        outcome: {
          status: 'answered',
          candidateId: 'c',
          resultId: 'r',
          sql: `select '${text}'`,
          confidence: 0.8,
          headline: text,
          assumptions: [],
        },
        candidates: [],
        usage,
      })
      return question
    }
    const ask = async (message: string, minute: number, thread?: string) => {
      const question = makeQuestion({ text: 'by month', askedAt: at(minute) })
      await store.repositories.questions.insert(question, placeOf(message, thread))
      return question
    }
    return { opened, store, answer, ask }
  }

  it('load what was answered and said before a question, and by whom', async () => {
    const { opened, store, answer, ask } = await openAnswered()
    await using _ = opened
    await answer('1.0', 0, 'tents')
    await answer('2.0', 2, 'boats')
    const { comments: remarks } = store.repositories
    await remarks.insert(placeOf('1.5'), { by: 'U9', text: 'are those all?', at: at(1) })
    await remarks.insert(placeOf('1.5'), { by: 'U9', text: 'delivered again', at: at(1) })
    const next = await ask('3.0', 3)
    await answer('4.0', 4, 'later')
    const transcript = await store.loadTranscript(next.id)
    expect(
      transcript.turns.map(({ originalText: said, text, askedBy, sql }) => [said, text, askedBy, sql]),
    ).toEqual([
      ['tents', 'tents as a whole', 'U0', "select 'tents'"],
      ['boats', 'boats as a whole', 'U2', "select 'boats'"],
    ])
    expect(transcript.comments).toEqual([{ by: 'U9', text: 'are those all?', at: at(1) }])
    const elsewhere = await ask('9.0', 9, '9.0')
    expect(await store.loadTranscript(elsewhere.id)).toEqual({ turns: [], comments: [] })
  })

  it('load the current answer after a change', async () => {
    const { opened, store, answer, ask } = await openAnswered()
    await using _ = opened
    const changed = await answer('1.0', 0, 'tents')
    const revision = {
      questionId: changed.id,
      kind: 'picked',
      person: 'U7',
      candidateId: 'c2',
      sql: 'select pitches',
      resultId: 'r2',
      headline: 'pitches',
      assumptions: ['By pitch.'],
      madeAt: at(1),
    } as const
    await store.repositories.answerRevisions.insert(revision, 'reading 1')
    const next = await ask('3.0', 3)
    expect((await store.loadTranscript(next.id)).turns).toMatchObject([
      { originalText: 'tents', sql: 'select pitches', headline: 'pitches', assumptions: ['By pitch.'] },
    ])
  })

  it('order messages of the same moment by posting', async () => {
    const { opened, store, answer, ask } = await openAnswered()
    await using _ = opened
    await answer('1.0', 0, 'tents')
    await answer('1.2', 0, 'boats')
    const next = await ask('1.1', 0)
    expect((await store.loadTranscript(next.id)).turns).toMatchObject([{ originalText: 'tents' }])
  })

  it('load while their question is running', async () => {
    const { opened, store, answer, ask } = await openAnswered()
    await using _ = opened
    const { questions } = store.repositories
    const first = await ask('1.0', 0)
    expect(await questions.isBeingAnswered(placeOf('2.0'))).toBe(true)
    expect(await questions.isBeingAnswered(placeOf('2.0', '9.0'))).toBe(false)
    await questions.withdraw(first.id)
    expect(await questions.isBeingAnswered(placeOf('2.0'))).toBe(false)
    await answer('1.1', 1, 'tents')
    expect(await questions.isBeingAnswered(placeOf('2.0'))).toBe(false)
  })

  it('are not needed by what follows the last question of a person in a channel', async () => {
    const { opened, store, answer } = await openAnswered()
    await using _ = opened
    const { questions } = store.repositories
    const lastAlone = (askedBy: string, since: number, before: number) =>
      store.inTransaction(tx =>
        questions.findLastAlone(placeOf('9.0', '9.0'), askedBy, { since: at(since), before: at(before) }, tx),
      )
    // In the thread that it began itself; the other one is a reply in it.
    const first = await answer('1.0', 1, 'tents')
    await answer('2.0', 2, 'boats')
    expect(await lastAlone('U1', 0, 5)).toBe(first.id)
    expect(await lastAlone('U2', 0, 5)).toBeNull()
    expect(await lastAlone('U1', 2, 5)).toBeNull()
    // Said in the same second, and after it by the order of posting.
    expect(await lastAlone('U1', 0, 1)).toBe(first.id)
    expect(await lastAlone('U1', 0, 0)).toBeNull()
    const next = { ...makeQuestion({ text: 'by month', askedAt: at(4) }), follows: first.id }
    await questions.insert(next, placeOf('9.0', '9.0'))
    expect((await store.loadTranscript(next.id)).turns).toMatchObject([{ originalText: 'tents' }])
    await questions.withdraw(first.id)
    expect((await store.loadTranscript(next.id)).turns).toEqual([])
  })

  it('leave out withdrawn questions', async () => {
    const { opened, store, answer, ask } = await openAnswered()
    await using _ = opened
    const { questions, comments: remarks } = store.repositories
    const gone = await answer('1.0', 0, 'tents')
    expect((await questions.findByMessage(placeOf('1.0')))?.id).toBe(gone.id)
    expect(await questions.isInOurThread(placeOf('2.0'), 'U9')).toBe(true)
    expect(await questions.withdraw(gone.id)).toBe(true)
    expect(await questions.withdraw(gone.id)).toBe(false)
    expect(await questions.isWithdrawn(gone.id)).toBe(true)
    expect(await questions.findByMessage(placeOf('1.0'))).toBeNull()
    expect(await questions.isInOurThread(placeOf('2.0'), 'U9')).toBe(false)
    const next = await ask('3.0', 3)
    expect((await store.loadTranscript(next.id)).turns).toEqual([])
    await remarks.insert(placeOf('1.5'), { by: 'U9', text: 'so', at: at(1) })
    expect(await remarks.change(placeOf('1.5'), { by: 'U9', text: 'so what', at: at(1) })).toBe(true)
    expect((await store.loadTranscript(next.id)).comments.map(({ text }) => text)).toEqual(['so what'])
    expect(await remarks.remove(placeOf('1.5'))).toBe(true)
    expect(await remarks.change(placeOf('1.5'), { by: 'U9', text: 'x', at: at(1) })).toBe(false)
  })

  it('follow a chain where there is no place', async () => {
    const { opened, store, answer } = await openAnswered()
    await using _ = opened
    const first = await answer('1.0', 0, 'tents')
    const next = makeQuestion({ follows: first.id, text: 'by month', askedAt: at(1) })
    await store.repositories.questions.insert(next, null)
    expect((await store.loadTranscript(next.id)).turns.map(({ originalText: said }) => said)).toEqual([
      'tents',
    ])
  })

  it('hand a message over once it is posted', async () => {
    const { opened, store, answer, ask } = await openAnswered()
    await using _ = opened
    const from = await answer('1.0', 0, 'tents')
    const to = await ask('3.0', 3)
    const { outboundMessages: outbound } = store.repositories
    const claim = { questionId: from.id, step: 'reply', channel: 'C', payload: {}, claimedAt: at(0) }
    await outbound.claim(claim)
    expect(await outbound.handOver(from.id, to.id, 'reply')).toBe(false)
    await outbound.markPosted(from.id, 'reply', '5.0')
    expect(await outbound.handOver(from.id, to.id, 'reply')).toBe(true)
    expect((await outbound.find(to.id, 'reply'))?.ts).toBe('5.0')
    expect(await outbound.find(from.id, 'reply')).toBeNull()
  })
})
