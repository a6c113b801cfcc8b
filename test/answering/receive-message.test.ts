import { describe, expect, it } from 'vitest'
import { makeReceiveMessage } from '../../src/answering/receive-message.ts'
import type { InboundMessage } from '../../src/domain/message.ts'
import type { Tx } from '../../src/domain/operations/jobs.ts'

const message = (given: Partial<InboundMessage> & { thread?: string } = {}): InboundMessage => ({
  text: 'how many tents?',
  location: { team: 'T', channel: 'C', thread: given.thread ?? '1.0', message: '1.0' },
  askedBy: 'U1',
  askedAt: new Date(0),
  addressed: true,
  toOthers: false,
  ...given,
})

/** Ports that remember what was written, over what a test says is known already. */
const hearing = (
  known: {
    thread?: boolean
    answering?: boolean
    lastAlone?: { id: string; at: Date }
    waiting?: { id: string; of: string }
    replied?: boolean
    /** Questions that are within the limit. */
    limit?: number
    now?: Date
  } = {},
) => {
  const written: string[] = []
  const claimed = new Set<string>()
  let counted = 0
  const hear = makeReceiveMessage({
    inTransaction: work => work({} as Tx),
    claimMessage: async key => !claimed.has(key) && Boolean(claimed.add(key)),
    isInOurThread: async () => known.thread ?? false,
    isBeingAnswered: async () => known.answering ?? false,
    findLastDirect: async (_place, askedBy, { since, before }) => {
      const last = known.lastAlone
      return askedBy === 'U1' && last && last.at >= since && last.at < before ? last.id : null
    },
    looksLikeEdit: text => text.startsWith('only'),
    now: () => known.now ?? new Date(1_000),
    admit: async ({ person }) =>
      person === 'Uguest'
        ? { status: 'not-allowed', reason: 'No guests.', nextStep: 'Ask a member.' }
        : { status: 'admitted', database: 'shop' },
    notifyRefused: async (_place, person, { reason }) => {
      written.push(`told ${person}: ${reason}`)
    },
    limit: async ({ person, team }) => {
      expect(team).toBe('T')
      counted += 1
      return counted <= (known.limit ?? 100)
        ? null
        : { status: 'not-allowed', reason: `${person} asks too much.`, nextStep: 'Try again in 1 minute.' }
    },
    notifyRateLimited: async (_place, person, { reason, nextStep }) => {
      written.push(`told ${person}: ${reason} ${nextStep}`)
    },
    isRequest: text => /[?]|^only|billing/.test(text),
    storeComment: async (_place, { by, text }) => {
      written.push(`remark of ${by}: ${text}`)
    },
    findWaiting: async (_place, askedBy) => (known.waiting?.of === askedBy ? known.waiting.id : null),
    storeReply: async ({ questionId, reply, repliedBy }) => {
      expect(repliedBy).toBe(known.waiting?.of)
      if (known.replied) return false
      written.push(`reply to ${questionId}: ${reply.kind === 'text' ? reply.text : reply.number}`)
      return true
    },
    storeQuestion: async asked => {
      expect(asked.database).toBe('shop')
      written.push(`question: ${asked.text}${asked.follows === undefined ? '' : ` after ${asked.follows}`}`)
      return 'q'
    },
    sendJob: async queue => {
      written.push(`job: ${queue}`)
    },
  })
  return { hear, written }
}

describe('a message sent before the first answer of its thread', () => {
  const early = { addressed: false, thread: '0.5', text: 'only large ones' }

  it('is deferred, and claims nothing yet', async () => {
    const { hear, written } = hearing({ answering: true })
    expect(await hear(message(early))).toBe('deferred')
    expect(await hear(message(early))).toBe('deferred')
    expect(written).toEqual(['job: hear-again', 'job: hear-again'])
  })

  it('becomes a question, once, when the answer is there', async () => {
    const { hear, written } = hearing({ answering: true, thread: true })
    expect(await hear(message(early))).toBe('question')
    expect(await hear(message(early))).toBe('known')
    expect(written).toEqual(['question: only large ones'])
  })

  it('is ignored if it asks nothing, is addressed to others, or is too old', async () => {
    const known = { answering: true }
    expect(await hearing(known).hear(message({ ...early, text: 'thanks' }))).toBe('not-ours')
    expect(await hearing(known).hear(message({ ...early, toOthers: true }))).toBe('not-ours')
    const now = new Date(16 * 60_000)
    expect(await hearing({ ...known, now }).hear(message(early))).toBe('not-ours')
  })
})

describe('a direct message outside of threads', () => {
  const askedAt = new Date('2026-05-01T12:00:00Z')
  const said = { isDirect: true as const, askedAt, text: 'only large ones' }
  const minutesBefore = (minutes: number) => new Date(askedAt.getTime() - minutes * 60_000)

  it('follows an answer of the last half hour if it is a change', async () => {
    const { hear, written } = hearing({ lastAlone: { id: 'q0', at: minutesBefore(29) } })
    await hear(message(said))
    expect(written).toEqual(['question: only large ones after q0'])
  })

  it.each([
    ['after half an hour', said, 31],
    ['that is a question of its own', { ...said, text: 'how many tents?' }, 5],
    ['of somebody else', { ...said, askedBy: 'U2' }, 5],
    ['in a thread', { ...said, thread: '0.5' }, 5],
  ])('follows nothing %s', async (_what, given, minutes) => {
    const { hear, written } = hearing({ thread: true, lastAlone: { id: 'q0', at: minutesBefore(minutes) } })
    await hear(message(given))
    expect(written).toEqual([`question: ${given.text}`])
  })
})

describe('receiving a message', () => {
  it('stores a question that mentions the bot', async () => {
    const { hear, written } = hearing()
    expect(await hear(message())).toBe('question')
    expect(written).toEqual(['question: how many tents?'])
  })

  it('treats duplicate events and retries as one message', async () => {
    const { hear, written } = hearing()
    await hear(message())
    expect(await hear(message())).toBe('known')
    expect(written).toHaveLength(1)
  })

  it('stores nothing for a person who cannot ask, and tells them privately', async () => {
    const { hear, written } = hearing({ thread: true })
    expect(await hear(message({ askedBy: 'Uguest' }))).toBe('refused')
    expect(await hear(message({ askedBy: 'Uguest', addressed: false, thread: '0.5' }))).toBe('refused')
    expect(written).toEqual(['told Uguest: No guests.', 'told Uguest: No guests.'])
  })

  it('ignores what such a person says to others', async () => {
    const { hear, written } = hearing({ thread: true })
    const aside = message({ askedBy: 'Uguest', addressed: false, thread: '0.5', text: 'thanks' })
    expect(await hear(aside)).toBe('not-ours')
    expect(await hear({ ...aside, text: 'how many?', toOthers: true })).toBe('not-ours')
    expect(written).toEqual([])
  })

  it('ignores people talking to each other', async () => {
    const { hear, written } = hearing()
    expect(await hear(message({ addressed: false }))).toBe('not-ours')
    expect(await hear(message({ addressed: false, thread: '0.5' }))).toBe('not-ours')
    expect(written).toEqual([])
  })

  it('needs no mention in a thread it has answered', async () => {
    const { hear } = hearing({ thread: true })
    expect(await hear(message({ addressed: false, thread: '0.5' }))).toBe('question')
  })

  it('treats a message in a waiting thread as the reply, and resumes', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' } })
    expect(await hear(message({ text: 'billing', addressed: false, thread: '0.5' }))).toBe('reply')
    expect(written).toEqual(['reply to q1: billing'])
  })

  it('treats it as a question if a click came first', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' }, replied: true })
    expect(await hear(message({ thread: '0.5' }))).toBe('question')
    expect(written).toEqual(['question: how many tents?'])
  })

  it('does not accept a reply from another person', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' } })
    expect(await hear(message({ text: 'and how many boats?', askedBy: 'U2', thread: '0.5' }))).toBe(
      'question',
    )
    expect(written).toEqual(['question: and how many boats?'])
  })

  it('stores messages to others, and those that ask nothing, as comments', async () => {
    const { hear, written } = hearing({ thread: true })
    const inThread = { addressed: false, thread: '0.5' }
    expect(await hear(message({ ...inThread, text: '<@U2> is that right?', toOthers: true }))).toBe('comment')
    expect(
      await hear({
        ...message({ ...inThread, text: 'looks odd' }),
        location: { ...message().location, message: '2.0', thread: '0.5' },
      }),
    ).toBe('comment')
    expect(written).toEqual(['remark of U1: <@U2> is that right?', 'remark of U1: looks odd'])
  })

  it('does not treat a message to others as a reply', async () => {
    const { hear, written } = hearing({ thread: true, waiting: { id: 'q1', of: 'U1' } })
    const said = { text: '<@U2> billing?', addressed: false, toOthers: true, thread: '0.5' }
    expect(await hear(message(said))).toBe('comment')
    expect(written).toEqual(['remark of U1: <@U2> billing?'])
  })

  it('ignores an empty message that was not addressed to it', async () => {
    const { hear } = hearing({ thread: true })
    expect(await hear(message({ text: '', addressed: false, thread: '0.5' }))).toBe('not-ours')
  })
})

describe('a message over the limit', () => {
  const at = (n: number) =>
    message({ location: { team: 'T', channel: 'C', thread: `${n}.0`, message: `${n}.0` } })

  it('is not stored, and its author is told privately when to ask again', async () => {
    const { hear, written } = hearing({ limit: 1 })
    expect(await hear(at(1))).toBe('question')
    expect(await hear(at(2))).toBe('refused')
    expect(written).toEqual([
      'question: how many tents?',
      'told U1: U1 asks too much. Try again in 1 minute.',
    ])
  })

  it('counts once, however often it is delivered', async () => {
    const { hear, written } = hearing({ limit: 2 })
    for (const n of [1, 1, 1, 2, 3, 3]) await hear(at(n))
    expect(written.filter(line => line.startsWith('question'))).toHaveLength(2)
    expect(written.filter(line => line.startsWith('told'))).toHaveLength(1)
  })

  it('counts only if it is a question: replies and comments are free', async () => {
    const waiting = { id: 'q1', of: 'U1' }
    const { hear } = hearing({ limit: 0, thread: true, waiting })
    expect(await hear(message({ thread: '0.5', addressed: false }))).toBe('reply')
    const talk = hearing({ limit: 0, thread: true })
    expect(await talk.hear(message({ thread: '0.5', addressed: false, text: 'nice' }))).toBe('comment')
  })
})
