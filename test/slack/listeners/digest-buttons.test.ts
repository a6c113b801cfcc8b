import { WebAPIPlatformError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { Digest } from '../../../src/domain/digests/digest.ts'
import type { DigestUseCases } from '../../../src/domain/digests/use-cases.ts'
import type { PendingQuestion } from '../../../src/domain/question.ts'
import { findTimeZone } from '../../../src/slack/directory.ts'
import type { Background } from '../../../src/slack/listeners/clicks-and-forms.ts'
import { makeDigestActionClick } from '../../../src/slack/listeners/digest-buttons.ts'
import { makeDigestAskAgain, makeRepairDecisionClick } from '../../../src/slack/listeners/digest-notices.ts'
import { writeDigestKey, writeRepairKey } from '../../../src/slack/views/digests/format.ts'
import { digestOf, repair } from './digest-of.ts'

const { id } = digestOf()

/** A click in a message, as Slack sends it, and the notices to the person who clicked. */
const clickWith = (value: string, team = 'T1', seconds = '1795312157.000100', thread?: string) => {
  const notices: string[] = []
  const noticePlaces: unknown[] = []
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
        postEphemeral: async (notice: { readonly text: string; readonly thread_ts?: string }) => {
          notices.push(notice.text)
          noticePlaces.push(notice.thread_ts ?? 'channel')
        },
        update: async ({ text, blocks }: { readonly text: string; readonly blocks: unknown }) => {
          updated.push(text)
          shown.push(JSON.stringify(blocks))
        },
      },
    },
  }
  return { args: args as never, notices, noticePlaces, updated, shown }
}

const setUp = (digest: Digest, overrides: Partial<DigestUseCases> = {}) => {
  const started: Promise<unknown>[] = []
  const background: Background = {
    run: (_what, work) => void started.push(work()),
    settled: async () => void (await Promise.allSettled(started)),
  }
  const showHome = async (): Promise<void> => {
    throw new Error('this click is in a message')
  }
  const digests = { find: async () => digest, ...overrides } as DigestUseCases
  return { deps: { digests }, home: { background, showHome } }
}

const never = (): never => {
  throw new Error('nothing must be done')
}

describe('a button of a digest', () => {
  it('does nothing in another workspace', async () => {
    const { deps, home } = setUp(digestOf(), { pause: never })
    const { args, notices } = clickWith(id, 'T2')
    await makeDigestActionClick('pause', deps, home)(args)
    await home.background.settled()
    expect(notices).toEqual(['This digest no longer exists.'])
  })

  it.each([
    ['a message of the channel', undefined, 'channel'],
    ['the first message of a thread', '1.1', 'channel'],
    ['a reply in a thread', '1.0', '1.0'],
  ])('posts the notice where the person sees it: on %s', async (_what, thread, where) => {
    const { deps, home } = setUp(digestOf(), {
      pause: async () => ({ status: 'changed', digest: digestOf() }),
    })
    const { args, notices, noticePlaces } = clickWith(id, 'T1', '1795312157.000100', thread)
    await makeDigestActionClick('pause', deps, home)(args)
    await home.background.settled()
    expect(notices).toEqual([expect.stringContaining('is paused')])
    expect(noticePlaces).toEqual([where])
  })

  it('ignores a value that names no digest', async () => {
    const { deps, home } = setUp(digestOf(), { find: never })
    const { args, notices } = clickWith('x')
    await makeDigestActionClick('pause', deps, home)(args)
    await home.background.settled()
    expect(notices).toEqual([])
  })

  it('reports an error', async () => {
    const pause = async (): Promise<never> => {
      throw new Error('the store is away')
    }
    const { deps, home } = setUp(digestOf(), { pause })
    const { args, notices } = clickWith(id)
    await makeDigestActionClick('pause', deps, home)(args)
    await home.background.settled()
    expect(notices).toEqual([expect.stringContaining('Try again in a moment')])
  })

  it('gives each click its own request id, and a redelivered click the same one', async () => {
    const requests: string[] = []
    const runNow: DigestUseCases['runNow'] = async ({ request }) => {
      requests.push(request)
      return { status: 'changed', digest: digestOf() }
    }
    const { deps, home } = setUp(digestOf(), { runNow })
    const run = makeDigestActionClick('runNow', deps, home)
    for (const seconds of ['1795312140.000100', '1795312140.000100', '1795312140.700000'])
      await run(clickWith(writeDigestKey({ digestId: id, offset: null, run: null }), 'T1', seconds).args)
    await home.background.settled()
    expect(requests[0]).toBe(requests[1])
    expect(requests[2]).not.toBe(requests[0])
  })

  it('passes on which run the person saw, if the button names one', async () => {
    const seen: unknown[] = []
    const runNow: DigestUseCases['runNow'] = async given => {
      seen.push(given.seen)
      return { status: 'changed', digest: digestOf() }
    }
    const { deps, home } = setUp(digestOf(), { runNow })
    const run = new Date('2026-11-20T08:00:00.123Z')
    for (const value of [writeDigestKey({ digestId: id, offset: null, run }), id])
      await makeDigestActionClick('runNow', deps, home)(clickWith(value).args)
    await home.background.settled()
    expect(seen).toEqual([run, null])
  })
})

describe('a button that decides a repair', () => {
  const accept = writeRepairKey({ digestId: id, proposedAt: repair.proposedAt })

  it('decides the shown proposal and removes the buttons', async () => {
    const decided: string[] = []
    const { deps, home } = setUp(digestOf({ repair }), {
      decideRepair: async ({ decision }) => {
        decided.push(decision)
        return { status: 'changed', digest: digestOf() }
      },
    })
    const { args, updated, shown } = clickWith(accept)
    await makeRepairDecisionClick('accept', deps, home.background)(args)
    await home.background.settled()
    expect(decided).toEqual(['accept'])
    expect(updated).toEqual([expect.stringContaining('is accepted')])
    expect(shown.join()).toContain('The digest runs again')
  })

  it('does not claim that a digest runs again if a person had paused it before', async () => {
    const pause: Digest['pause'] = { why: 'by-person', by: 'U1', at: new Date(0) }
    const { deps, home } = setUp(digestOf({ repair, pause }), {
      decideRepair: async () => ({ status: 'changed', digest: digestOf({ pause }) }),
    })
    const { args, shown } = clickWith(accept)
    await makeRepairDecisionClick('accept', deps, home.background)(args)
    await home.background.settled()
    expect(shown.join()).toContain('stays paused')
    expect(shown.join()).not.toContain('runs again')
  })

  it.each([
    ['there is a newer proposal', { ...repair, proposedAt: new Date('2026-11-21T08:00:00Z') }],
    ['someone else decided', null],
  ])('decides nothing if %s', async (_what, now) => {
    const shown: Date[] = []
    const { deps, home } = setUp(digestOf({ repair: now }), {
      decideRepair: async ({ proposedAt }) => {
        shown.push(proposedAt)
        return { status: 'gone' }
      },
    })
    const { args, notices, updated } = clickWith(accept)
    await makeRepairDecisionClick('accept', deps, home.background)(args)
    await home.background.settled()
    expect(shown).toEqual([repair.proposedAt])
    expect(notices).toEqual([expect.stringContaining('nothing left to decide')])
    expect(updated).toEqual([])
  })
})

describe('the time zone of a person', () => {
  const clientOf = (info: () => Promise<unknown>) => ({ users: { info } }) as never

  it('comes from the profile', async () => {
    const client = clientOf(async () => ({ ok: true, user: { tz: 'Asia/Kolkata' } }))
    expect(await findTimeZone(client, 'U1')).toBe('Asia/Kolkata')
  })

  it.each([
    ['Slack refuses', async () => Promise.reject(new Error('missing_scope'))],
    ['the profile has none', async () => ({ ok: true, user: {} })],
  ])('is unknown if %s', async (_what, info) => {
    expect(await findTimeZone(clientOf(info), 'U1')).toBeNull()
  })
})

describe('Ask again', () => {
  const broken = digestOf({
    ...{ condition: { kind: 'above', value: 5 }, repair: { ...repair, statement: null } },
    pause: { why: 'schema', reason: 'gone', at: new Date(0) },
  })
  /** A click on it, with the stored, posted and asked question and the notices. */
  const press = async (
    given: {
      readonly isTwin?: boolean
      readonly whyNot?: string
      readonly code?: string
      /** The channel is connected to another database than the digest. */
      readonly asksOther?: boolean
    } = {},
  ) => {
    const { deps, home } = setUp(broken)
    const click = clickWith(id)
    const pending: PendingQuestion[] = []
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
      findAskRefusal: async ({ asks }: { readonly asks?: string }) => {
        const reason =
          given.whyNot ?? (given.asksOther && asks === 'shop/finance' ? 'It asks outdoor.' : null)
        return reason && { status: 'not-allowed', reason, nextStep: 'Ask an admin.' }
      },
      ask: async (question: unknown) => {
        asked.push(question)
        return { status: 'asked', questionId: 'q' }
      },
      pendingQuestions: {
        add: async (question: PendingQuestion) => {
          if (!given.isTwin) pending.push(question)
          return !given.isTwin
        },
        isOpen: async () => true,
        close: async (key: string) => void closed.push(key),
      },
    } as unknown as Parameters<typeof makeDigestAskAgain>[0]
    await makeDigestAskAgain(useCases, home)(click.args)
    await home.background.settled()
    return { pending, closed, asked, posted, notices: click.notices }
  }

  it('asks the question where the digest goes, and requests the same digest again', async () => {
    const { pending, asked, posted, notices } = await press()
    const { schedule, target, questions } = broken
    const channel = target.kind === 'channel' ? target.channel : ''
    const digest = {
      ...{ schedule: schedule.cron, timeZone: schedule.timeZone },
      ...{ condition: { kind: 'above', value: 5 }, target },
    }
    expect(pending).toMatchObject([{ person: 'U1', channel, text: questions[0]?.text, digest }])
    expect(asked).toMatchObject([{ text: questions[0]?.text, askedBy: 'U1', digest }])
    expect(posted).toEqual([channel])
    expect(notices).toEqual([expect.stringContaining('becomes a new digest')])
  })

  it('asks once for a double click', async () => {
    const { asked, notices } = await press({ isTwin: true })
    expect(asked).toEqual([])
    expect(notices).toEqual([expect.stringContaining('I asked the question where the digest goes')])
  })

  it.each([
    [{ whyNot: 'Guests may not ask there.' }, 'Guests may not ask there. Ask an admin.'],
    [{ asksOther: true }, "People can't ask shop with the glossary finance where this digest goes."],
    [{ code: 'not_in_channel' }, 'I am not in the channel of this digest'],
    [{ code: 'internal_error' }, 'That did not work'],
  ])('says why not, and leaves nothing to be asked later: %j', async (given, text) => {
    const { pending, closed, asked, notices } = await press(given)
    expect(asked).toEqual([])
    expect(closed).toEqual(pending.map(({ key }) => key))
    expect(notices).toEqual([expect.stringContaining(text)])
  })
})
