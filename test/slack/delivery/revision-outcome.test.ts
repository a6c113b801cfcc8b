import type { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { RevisionOutcome, RevisionRequest } from '../../../src/domain/answer-revision.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeNotifyRevisionOutcome } from '../../../src/slack/delivery/revision-outcome.ts'
import { answered } from '../listeners/answered.ts'

const request: RevisionRequest = {
  ...{ questionId: answered.question.id, person: 'U1', by: 'feedback', submission: 'V1', reason: null },
  change: { kind: 'sql', sql: 'SELECT 1 AS mine', evenIfHeavy: false },
}

const notAllowed: RevisionOutcome = {
  ...{ status: 'not-allowed', reason: 'You are not in the channel.', nextStep: 'Join it.' },
}

/** What the form of a change becomes, as text, and the notices beside it. */
const notify = async (request: RevisionRequest, outcome: RevisionOutcome | 'done', isOpen = true) => {
  const views: string[] = []
  const notices: unknown[] = []
  const client = {
    views: {
      update: async ({ view }: { readonly view: unknown }) => {
        if (!isOpen) throw new Error('not_found')
        views.push(JSON.stringify(view))
      },
    },
    chat: { postEphemeral: async (notice: unknown) => void notices.push(notice) },
  } as unknown as WebClient
  const notifyOutcome = makeNotifyRevisionOutcome({
    ...{ client, log: silentLog },
    findAnswered: async () => answered,
    findRequest: async () => null,
  })
  await notifyOutcome(request, outcome)
  return { views, notices }
}

describe('the outcome of a changed answer', () => {
  const pick: RevisionRequest = { ...request, change: { kind: 'pick', candidateId: 'c2' } }

  it('never shows the SQL of the answer to a person who has lost access', async () => {
    const { views } = await notify(pick, notAllowed)
    expect(views).toEqual([expect.stringContaining('You are not in the channel. Join it.')])
    expect(views.join()).not.toContain('FROM tents')
    // A person with access gets it as a starting point.
    expect((await notify(pick, { status: 'gone' })).views.join()).toContain('FROM tents')
  })

  it('keeps the SQL that the person wrote in the form', async () => {
    const { views } = await notify(request, notAllowed)
    expect(views.join()).toContain('SELECT 1 AS mine')
    expect(views.join()).not.toContain('FROM tents')
  })

  it('is told privately in the thread if the form is closed', async () => {
    const { channel, thread } = answered.location
    expect((await notify(request, notAllowed, false)).notices).toEqual([
      { channel, thread_ts: thread, user: 'U1', text: 'You are not in the channel. Join it.' },
    ])
    expect((await notify(request, 'done', false)).notices).toEqual([])
  })

  it('says that a change is saved even if it could not be shown, and does not ask for it again', async () => {
    const { views } = await notify(request, { status: 'unshown' })
    expect(views).toEqual([expect.stringContaining('Your change is saved')])
    expect(views.join()).not.toContain('SELECT 1 AS mine')
    expect((await notify(request, { status: 'unshown' }, false)).notices).toMatchObject([
      { user: 'U1', text: expect.stringContaining('Your change is saved') },
    ])
  })
})
