import { describe, expect, it } from 'vitest'
import type { NotAllowed } from '../../../src/domain/access/access.ts'
import { makeShowSqlClick } from '../../../src/slack/listeners/answer-buttons.ts'
import { makeScheduleClick } from '../../../src/slack/listeners/digest-forms.ts'
import { makeEditSqlClick } from '../../../src/slack/listeners/edit-sql.ts'
import {
  makeReviewFix,
  makeReviewReject,
  makeReviewShowSql,
} from '../../../src/slack/listeners/review-decisions.ts'
import { answered, request } from './answered.ts'

/** A form about an answer shows its SQL and its question, which have values of rows. */

const refusal: NotAllowed = {
  status: 'not-allowed',
  reason: 'This answer was made for someone who sees other rows.',
  nextStep: 'Ask the question yourself.',
}

/** A click, with everything that the person is shown because of it. */
const clickIn = (channel: string) => {
  const opened: string[] = []
  const notices: string[] = []
  const args = {
    ack: async () => {},
    action: { value: answered.question.id, action_id: 'a', action_ts: '1.1' },
    body: {
      trigger_id: 't1',
      user: { id: 'U0000BBB' },
      team: { id: 'T1' },
      channel: { id: channel },
      container: { type: 'message', message_ts: '1.1' },
    },
    client: {
      users: { info: async () => ({}) },
      views: { open: async ({ view }: { readonly view: unknown }) => opened.push(JSON.stringify(view)) },
      chat: { postEphemeral: async ({ text }: { readonly text: string }) => notices.push(text) },
    },
  }
  return { args: args as never, opened, notices }
}

const depsOf = (refused: NotAllowed | null) => ({
  findAnswered: async () => answered,
  findRefusal: async () => refused,
  findReviewRequest: async () => request,
  findReviewRefusal: async () => refused,
  digests: { list: async () => ({ digests: [], total: 0 }) } as never,
})

const forms = [
  ['Show SQL', makeShowSqlClick, answered.location.channel],
  ['Edit & rerun', makeEditSqlClick, answered.location.channel],
  ['Schedule', makeScheduleClick, answered.location.channel],
  ['Show SQL of a review', makeReviewShowSql, request.channel],
  ['Fix SQL of a review', makeReviewFix, request.channel],
  ['Reject of a review', makeReviewReject, request.channel],
] as const

describe.each(forms)('the form of %s', (_name, makeClick, channel) => {
  it('opens for people who may see the rows', async () => {
    const { args, opened, notices } = clickIn(channel)
    await makeClick(depsOf(null))(args)
    expect(opened).toHaveLength(1)
    expect(notices).toEqual([])
  })

  it('does not open for others, who are told why', async () => {
    const { args, opened, notices } = clickIn(channel)
    await makeClick(depsOf(refusal))(args)
    expect(opened).toEqual([])
    expect(notices).toEqual([`${refusal.reason} ${refusal.nextStep}`])
  })
})
