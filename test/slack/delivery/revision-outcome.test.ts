import type { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { RevisionOutcome, RevisionRequest } from '../../../src/domain/answer-revision.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeNotifyRevisionOutcome } from '../../../src/slack/delivery/revision-outcome.ts'
import { answered } from '../listeners/answered.ts'

const wanted: RevisionRequest = {
  ...{ questionId: answered.question.id, person: 'U1', by: 'feedback', submission: 'V1', reason: null },
  change: { kind: 'sql', sql: 'SELECT 1 AS mine', evenIfHeavy: false },
}

const notAllowed: RevisionOutcome = {
  ...{ status: 'not-allowed', reason: 'You are not in the channel.', nextStep: 'Join it.' },
}

/** What the form of a change becomes, as text, and what is said beside it. */
const tellOf = async (wish: RevisionRequest, ended: RevisionOutcome | 'done', isOpen = true) => {
  const views: string[] = []
  const said: unknown[] = []
  const client = {
    views: {
      update: async ({ view }: { readonly view: unknown }) => {
        if (!isOpen) throw new Error('not_found')
        views.push(JSON.stringify(view))
      },
    },
    chat: { postEphemeral: async (told: unknown) => void said.push(told) },
  } as unknown as WebClient
  const tell = makeNotifyRevisionOutcome({
    ...{ client, log: silentLog },
    findAnswered: async () => answered,
    findRequest: async () => null,
  })
  await tell(wish, ended)
  return { views, said }
}

describe('how a change of an answer ended', () => {
  const pick: RevisionRequest = { ...wanted, change: { kind: 'pick', candidateId: 'c2' } }

  it('shows SQL of the answer to nobody who may not see it any more', async () => {
    const { views } = await tellOf(pick, notAllowed)
    expect(views).toEqual([expect.stringContaining('You are not in the channel. Join it.')])
    expect(views.join()).not.toContain('FROM tents')
    // Whoever may is given it to begin with.
    expect((await tellOf(pick, { status: 'gone' })).views.join()).toContain('FROM tents')
  })

  it('leaves whoever wrote SQL what they wrote', async () => {
    const { views } = await tellOf(wanted, notAllowed)
    expect(views.join()).toContain('SELECT 1 AS mine')
    expect(views.join()).not.toContain('FROM tents')
  })

  it('is said in the thread, to that person alone, where the form is closed', async () => {
    const { channel, thread } = answered.location
    expect((await tellOf(wanted, notAllowed, false)).said).toEqual([
      { channel, thread_ts: thread, user: 'U1', text: 'You are not in the channel. Join it.' },
    ])
    expect((await tellOf(wanted, 'done', false)).said).toEqual([])
  })

  it('says that a change stands which could not be shown, and does not ask for it again', async () => {
    const { views } = await tellOf(wanted, { status: 'unshown' })
    expect(views).toEqual([expect.stringContaining('Your change was made and stands')])
    expect(views.join()).not.toContain('SELECT 1 AS mine')
    expect((await tellOf(wanted, { status: 'unshown' }, false)).said).toMatchObject([
      { user: 'U1', text: expect.stringContaining('Your change was made and stands') },
    ])
  })
})
