import { WebAPIPlatformError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { Digest } from '../../../src/domain/digest.ts'
import type { DigestUseCases } from '../../../src/domain/digest-use-cases.ts'
import type { PendingQuestion } from '../../../src/domain/question.ts'
import { findTimeZone } from '../../../src/slack/directory.ts'
import type { Background } from '../../../src/slack/listeners/background.ts'
import { makeDigestActionClick } from '../../../src/slack/listeners/digest-buttons.ts'
import { makeDigestAskAgain, makeRepairDecisionClick } from '../../../src/slack/listeners/digest-notices.ts'
import { writeDigestKey, writeRepairKey } from '../../../src/slack/views/digests/buttons.ts'
import { digestOf, repair } from './digest-of.ts'

const { id } = digestOf()

/** A click in a message, as Slack sends it, with what is told to whoever clicked. */
const clickWith = (value: string, team = 'T1', seconds = '1795312157.000100', thread?: string) => {
  const told: string[] = []
  const toldIn: unknown[] = []
  const updated: string[] = []
  const shown: string[] = []
  const args = {
    ack: async () => {},
    action: { value, action_id: 'a', action_ts: seconds },
    body: {
      user: { id: 'U1' },
      team: { id: team },
      channel: { id: 'C1' },
      container: { type: 'message', message_ts: '1.1', ...(thread && { thread_ts: thread }) },
    },
    client: {
      chat: {
        postEphemeral: async (said: { readonly text: string; readonly thread_ts?: string }) => {
          told.push(said.text)
          toldIn.push(said.thread_ts ?? 'channel')
        },
        update: async ({ text, blocks }: { readonly text: string; readonly blocks: unknown }) => {
          updated.push(text)
          shown.push(JSON.stringify(blocks))
        },
      },
    },
  }
  return { args: args as never, told, toldIn, updated, shown }
}

const making = (digest: Digest, does: Partial<DigestUseCases> = {}) => {
  const started: Promise<unknown>[] = []
  const background: Background = {
    run: (_what, work) => void started.push(work()),
    settled: async () => void (await Promise.allSettled(started)),
  }
  const showHome = async (): Promise<void> => {
    throw new Error('this click is in a message')
  }
  const digests = { find: async () => digest, ...does } as DigestUseCases
  return { deps: { digests }, around: { background, showHome } }
}

const never = (): never => {
  throw new Error('nothing may be done')
}

describe('a button of a digest', () => {
  it('does nothing in another workspace (threat T7)', async () => {
    const { deps, around } = making(digestOf(), { pause: never })
    const { args, told } = clickWith(id, 'T2')
    await makeDigestActionClick('pause', deps, around)(args)
    await around.background.settled()
    expect(told).toEqual(['This digest is not there any more.'])
  })

  it.each([
    ['a message of the channel', undefined, 'channel'],
    ['the first message of a thread', '1.1', 'channel'],
    ['a reply in a thread', '1.0', '1.0'],
  ])('tells whoever clicked where it is seen: on %s', async (_what, thread, where) => {
    const { deps, around } = making(digestOf(), {
      pause: async () => ({ status: 'changed', digest: digestOf() }),
    })
    const { args, told, toldIn } = clickWith(id, 'T1', '1795312157.000100', thread)
    await makeDigestActionClick('pause', deps, around)(args)
    await around.background.settled()
    expect(told).toEqual([expect.stringContaining('is paused')])
    expect(toldIn).toEqual([where])
  })

  it('does nothing with a value that names no digest', async () => {
    const { deps, around } = making(digestOf(), { find: never })
    const { args, told } = clickWith('x')
    await makeDigestActionClick('pause', deps, around)(args)
    await around.background.settled()
    expect(told).toEqual([])
  })

  it('says when something broke', async () => {
    const pause = async (): Promise<never> => {
      throw new Error('the store is away')
    }
    const { deps, around } = making(digestOf(), { pause })
    const { args, told } = clickWith(id)
    await makeDigestActionClick('pause', deps, around)(args)
    await around.background.settled()
    expect(told).toEqual([expect.stringContaining('Try again in a moment')])
  })

  it('names each click, and one that is delivered again alike', async () => {
    const requests: string[] = []
    const runNow: DigestUseCases['runNow'] = async ({ request }) => {
      requests.push(request)
      return { status: 'changed', digest: digestOf() }
    }
    const { deps, around } = making(digestOf(), { runNow })
    const run = makeDigestActionClick('runNow', deps, around)
    for (const seconds of ['1795312140.000100', '1795312140.000100', '1795312140.700000'])
      await run(clickWith(writeDigestKey({ digestId: id, offset: null, run: null }), 'T1', seconds).args)
    await around.background.settled()
    expect(requests[0]).toBe(requests[1])
    expect(requests[2]).not.toBe(requests[0])
  })

  it('tells which run whoever clicks has seen, where that can be told', async () => {
    const seen: unknown[] = []
    const runNow: DigestUseCases['runNow'] = async given => {
      seen.push(given.seen)
      return { status: 'changed', digest: digestOf() }
    }
    const { deps, around } = making(digestOf(), { runNow })
    const run = new Date('2026-11-20T08:00:00.123Z')
    for (const value of [writeDigestKey({ digestId: id, offset: null, run }), id])
      await makeDigestActionClick('runNow', deps, around)(clickWith(value).args)
    await around.background.settled()
    expect(seen).toEqual([run, null])
  })
})

describe('a button that decides a repair', () => {
  const accept = writeRepairKey({ digestId: id, proposedAt: repair.proposedAt })

  it('decides what was shown, and takes the buttons away', async () => {
    const decided: string[] = []
    const { deps, around } = making(digestOf({ repair }), {
      decideRepair: async ({ decision }) => {
        decided.push(decision)
        return { status: 'changed', digest: digestOf() }
      },
    })
    const { args, updated, shown } = clickWith(accept)
    await makeRepairDecisionClick('accept', deps, around.background)(args)
    await around.background.settled()
    expect(decided).toEqual(['accept'])
    expect(updated).toEqual([expect.stringContaining('is accepted')])
    expect(shown.join()).toContain('The digest runs again')
  })

  it('does not say that a digest runs again which somebody had paused before', async () => {
    const pause: Digest['pause'] = { why: 'by-person', by: 'U1', at: new Date(0) }
    const { deps, around } = making(digestOf({ repair, pause }), {
      decideRepair: async () => ({ status: 'changed', digest: digestOf({ pause }) }),
    })
    const { args, shown } = clickWith(accept)
    await makeRepairDecisionClick('accept', deps, around.background)(args)
    await around.background.settled()
    expect(shown.join()).toContain('stays paused')
    expect(shown.join()).not.toContain('runs again')
  })

  it.each([
    ['another proposal has come since', { ...repair, proposedAt: new Date('2026-11-21T08:00:00Z') }],
    ['somebody was faster', null],
  ])('decides nothing where %s', async (_what, now) => {
    const shown: Date[] = []
    const { deps, around } = making(digestOf({ repair: now }), {
      decideRepair: async ({ proposedAt }) => {
        shown.push(proposedAt)
        return { status: 'gone' }
      },
    })
    const { args, told, updated } = clickWith(accept)
    await makeRepairDecisionClick('accept', deps, around.background)(args)
    await around.background.settled()
    expect(shown).toEqual([repair.proposedAt])
    expect(told).toEqual([expect.stringContaining('nothing to decide any more')])
    expect(updated).toEqual([])
  })
})

describe('the time zone of a person', () => {
  const clientOf = (info: () => Promise<unknown>) => ({ users: { info } }) as never

  it('is that of the profile', async () => {
    const client = clientOf(async () => ({ ok: true, user: { tz: 'Asia/Kolkata' } }))
    expect(await findTimeZone(client, 'U1')).toBe('Asia/Kolkata')
  })

  it.each([
    ['Slack refuses', async () => Promise.reject(new Error('missing_scope'))],
    ['the profile has none', async () => ({ ok: true, user: {} })],
  ])('is not known where %s', async (_what, info) => {
    expect(await findTimeZone(clientOf(info), 'U1')).toBeNull()
  })
})

describe('Ask again', () => {
  const broken = digestOf({
    ...{ condition: { kind: 'above', value: 5 }, repair: { ...repair, statement: null } },
    pause: { why: 'schema', reason: 'gone', at: new Date(0) },
  })
  /** A click on it, with what was promised, asked and told. */
  const press = async (
    given: {
      readonly isTwin?: boolean
      readonly whyNot?: string
      readonly code?: string
      /** Another database than that of the digest is asked there. */
      readonly asksOther?: boolean
    } = {},
  ) => {
    const { deps, around } = making(broken)
    const click = clickWith(id)
    const promised: PendingQuestion[] = []
    const closed: string[] = []
    const asked: unknown[] = []
    const posted: unknown[] = []
    const { client } = click.args as { client: { chat: Record<string, unknown> } }
    client.chat.postMessage = async ({ channel }: { readonly channel: string }) => {
      if (given.code) throw new WebAPIPlatformError({ ok: false, error: given.code })
      posted.push(channel)
      return { ts: '1795312158.000100' }
    }
    const useCases = {
      ...deps,
      findAskRefusal: async ({ database }: { readonly database?: string }) => {
        const reason =
          given.whyNot ?? (given.asksOther && database === 'shop/finance' ? 'It asks outdoor.' : null)
        return reason && { status: 'not-allowed', reason, nextStep: 'Ask an admin.' }
      },
      ask: async (wanted: unknown) => {
        asked.push(wanted)
        return { status: 'asked', questionId: 'q' }
      },
      pendingQuestions: {
        add: async (promise: PendingQuestion) => {
          if (!given.isTwin) promised.push(promise)
          return !given.isTwin
        },
        isOpen: async () => true,
        close: async (key: string) => void closed.push(key),
      },
    } as unknown as Parameters<typeof makeDigestAskAgain>[0]
    await makeDigestAskAgain(useCases, around)(click.args)
    await around.background.settled()
    return { promised, closed, asked, posted, told: click.told }
  }

  it('asks the question where the digest goes, and wishes a digest that is like it', async () => {
    const { promised, asked, posted, told } = await press()
    const { schedule, target, questions } = broken
    const channel = target.kind === 'channel' ? target.channel : ''
    const digest = {
      ...{ schedule: schedule.cron, timeZone: schedule.timeZone },
      ...{ condition: { kind: 'above', value: 5 }, target },
    }
    expect(promised).toMatchObject([{ person: 'U1', channel, text: questions[0]?.text, digest }])
    expect(asked).toMatchObject([{ text: questions[0]?.text, askedBy: 'U1', digest }])
    expect(posted).toEqual([channel])
    expect(told).toEqual([expect.stringContaining('becomes a new digest')])
  })

  it('asks once for a double click', async () => {
    const { asked, told } = await press({ isTwin: true })
    expect(asked).toEqual([])
    expect(told).toEqual([expect.stringContaining('Asked where the digest goes')])
  })

  it.each([
    [{ whyNot: 'Guests may not ask there.' }, 'Guests may not ask there. Ask an admin.'],
    [{ asksOther: true }, 'I do not ask shop with the glossary finance, so nothing was asked.'],
    [{ code: 'not_in_channel' }, 'I am not in the channel of this digest'],
    [{ code: 'internal_error' }, 'That did not work'],
  ])('says why not, and leaves nothing to be asked later: %j', async (given, said) => {
    const { promised, closed, asked, told } = await press(given)
    expect(asked).toEqual([])
    expect(closed).toEqual(promised.map(({ key }) => key))
    expect(told).toEqual([expect.stringContaining(said)])
  })
})
