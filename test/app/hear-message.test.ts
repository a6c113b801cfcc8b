import { describe, expect, it } from 'vitest'
import { makeHearMessage } from '../../src/app/hear-message.ts'
import type { HeardMessage } from '../../src/core/heard-message.ts'
import type { Tx } from '../../src/core/tx.ts'

const message = (given: Partial<HeardMessage> & { thread?: string } = {}): HeardMessage => ({
  text: 'how many tents?',
  place: { team: 'T', channel: 'C', thread: given.thread ?? '1.0', message: '1.0' },
  askedBy: 'U1',
  askedAt: new Date(0),
  addressed: true,
  toOthers: false,
  ...given,
})

/** Ports that remember what was written, over what a test says is known already. */
const hearing = (
  known: { thread?: boolean; waiting?: { id: string; of: string }; replied?: boolean } = {},
) => {
  const written: string[] = []
  const claimed = new Set<string>()
  const hear = makeHearMessage({
    inTransaction: work => work({} as Tx),
    claimMessage: async key => !claimed.has(key) && Boolean(claimed.add(key)),
    isInOurThread: async () => known.thread ?? false,
    admit: async ({ person }) =>
      person === 'Uguest'
        ? { status: 'not-allowed', reason: 'No guests.', nextStep: 'Ask a member.' }
        : { status: 'admitted', database: 'shop' },
    tellRefused: async (_place, person, { reason }) => {
      written.push(`told ${person}: ${reason}`)
    },
    asksSomething: text => /[?]|^only|billing/.test(text),
    keepRemark: async (_place, { by, text }) => {
      written.push(`remark of ${by}: ${text}`)
    },
    findWaiting: async (_place, askedBy) => (known.waiting?.of === askedBy ? known.waiting.id : null),
    insertReply: async (questionId, reply) => {
      if (known.replied) return false
      written.push(`reply to ${questionId}: ${reply.kind === 'text' ? reply.text : reply.number}`)
      return true
    },
    storeQuestion: async asked => {
      expect(asked.database).toBe('shop')
      written.push(`question: ${asked.text}`)
      return 'q'
    },
    sendJob: async queue => {
      written.push(`job: ${queue}`)
    },
  })
  return { hear, written }
}

describe('hearing a message', () => {
  it('stores a question that names us', async () => {
    const { hear, written } = hearing()
    expect(await hear(message())).toBe('question')
    expect(written).toEqual(['question: how many tents?'])
  })

  it('hears the twin event and the retry as the same message', async () => {
    const { hear, written } = hearing()
    await hear(message())
    expect(await hear(message())).toBe('known')
    expect(written).toHaveLength(1)
  })

  it('stores nothing for somebody who may not ask, and tells that person alone', async () => {
    const { hear, written } = hearing({ thread: true })
    expect(await hear(message({ askedBy: 'Uguest' }))).toBe('refused')
    expect(await hear(message({ askedBy: 'Uguest', addressed: false, thread: '0.5' }))).toBe('refused')
    expect(written).toEqual(['told Uguest: No guests.', 'told Uguest: No guests.'])
  })

  it('takes nothing of what such a person says to others', async () => {
    const { hear, written } = hearing({ thread: true })
    const aside = message({ askedBy: 'Uguest', addressed: false, thread: '0.5', text: 'thanks' })
    expect(await hear(aside)).toBe('not-ours')
    expect(await hear({ ...aside, text: 'how many?', toOthers: true })).toBe('not-ours')
    expect(written).toEqual([])
  })

  it('leaves people alone who talk to each other', async () => {
    const { hear, written } = hearing()
    expect(await hear(message({ addressed: false }))).toBe('not-ours')
    expect(await hear(message({ addressed: false, thread: '0.5' }))).toBe('not-ours')
    expect(written).toEqual([])
  })

  it('needs no mention in a thread that it answered', async () => {
    const { hear } = hearing({ thread: true })
    expect(await hear(message({ addressed: false, thread: '0.5' }))).toBe('question')
  })

  it('takes a message in a waiting thread as the reply, and goes on', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' } })
    expect(await hear(message({ text: 'billing', addressed: false, thread: '0.5' }))).toBe('reply')
    expect(written).toEqual(['reply to q1: billing', 'job: resume'])
  })

  it('takes it as a question when somebody clicked first', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' }, replied: true })
    expect(await hear(message({ thread: '0.5' }))).toBe('question')
    expect(written).toEqual(['question: how many tents?'])
  })

  it('never takes another person for the one who asked', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' } })
    expect(await hear(message({ text: 'and how many boats?', askedBy: 'U2', thread: '0.5' }))).toBe(
      'question',
    )
    expect(written).toEqual(['question: and how many boats?'])
  })

  it('keeps what is said to others, and what asks nothing, as remarks', async () => {
    const { hear, written } = hearing({ thread: true })
    const inThread = { addressed: false, thread: '0.5' }
    expect(await hear(message({ ...inThread, text: '<@U2> is that right?', toOthers: true }))).toBe('remark')
    expect(
      await hear({
        ...message({ ...inThread, text: 'looks odd' }),
        place: { ...message().place, message: '2.0', thread: '0.5' },
      }),
    ).toBe('remark')
    expect(written).toEqual(['remark of U1: <@U2> is that right?', 'remark of U1: looks odd'])
  })

  it('does not take what is said to others for a reply', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' } })
    const said = { text: '<@U2> billing?', addressed: false, toOthers: true, thread: '0.5' }
    expect(await hear(message(said))).toBe('remark')
    expect(written).toEqual(['remark of U1: <@U2> billing?'])
  })

  it('does not answer a message without words that was not said to it', async () => {
    const { hear } = hearing({ thread: true })
    expect(await hear(message({ text: '', addressed: false, thread: '0.5' }))).toBe('not-ours')
  })
})
