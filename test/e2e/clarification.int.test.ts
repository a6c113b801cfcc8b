import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { buttons, cells, isQuestionBack, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Hires by each of the two countries that they have. */
const byPickup = [
  ['Denmark', '167'],
  ['Norway', '166'],
  ['Portugal', '167'],
]
const byReturn = [
  ['Denmark', '125'],
  ['Norway', '125'],
  ['Portugal', '250'],
]

let workspace: TestWorkspace
const simulator = () => workspace.simulator

const askVaguely = async (): Promise<{ question: RecordedMessage; back: RecordedMessage }> => {
  const question = await workspace.ask('@querent number of hires by country')
  return { question, back: await workspace.reply(question, isQuestionBack) }
}
/** The rows that the question ended with, in the same message that asked back. */
const answerIn = async (question: RecordedMessage, back: RecordedMessage) => {
  const reply = await workspace.reply(question, isTable)
  expect(reply.ts).toBe(back.ts)
  expect(workspace.replies(question)).toHaveLength(1)
  return cells(reply).slice(1).toSorted()
}

beforeAll(async () => {
  workspace = await openWorkspace()
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())
afterEach(async () => {
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe('a vague question', () => {
  it('is asked back with buttons, and a click answers it', async () => {
    const { question, back } = await askVaguely()
    expect(buttons(back)).toEqual(['Pickup country', 'Return country', 'Something else…'])
    await simulator().click({ by: 'ada', on: back, label: 'Return country' })
    expect(await answerIn(question, back)).toEqual(byReturn)
    // The reply is kept for an admin to accept.
    const proposed = await simulator().until(async () => {
      const rows = await workspace.watcher.rows(
        `select r.phrase, r.meaning, r.status from querent.proposed_rules r
         join querent.questions q on q.id = r.question_id where q.place ->> 'message' = $1`,
        [question.ts],
      )
      return rows.length > 0 ? rows : undefined
    })
    expect(proposed).toEqual([
      { phrase: 'country', meaning: 'return country of the hire', status: 'proposed' },
    ])
  })

  it('is answered by words in its thread', async () => {
    const { question, back } = await askVaguely()
    await simulator().post({ by: 'ada', in: '#sales', thread: question.ts, text: 'pickup country' })
    expect(await answerIn(question, back)).toEqual(byPickup)
  })

  it('is answered by words in the modal of "Something else…"', async () => {
    const { question, back } = await askVaguely()
    await simulator().click({ by: 'ada', on: back, label: 'Something else…' })
    await simulator().until(() => simulator().modal('ada'))
    expect(await simulator().submitModal('ada', { reply: '   ' })).toMatchObject({ outcome: 'errors' })
    expect(await simulator().submitModal('ada', { reply: 'return country' })).toEqual({ outcome: 'closed' })
    expect(await answerIn(question, back)).toEqual(byReturn)
  })

  it('takes one of two clicks at once', async () => {
    const { question, back } = await askVaguely()
    const clicks = await Promise.all([
      simulator().click({ by: 'ada', on: back, label: 'Return country' }),
      simulator().click({ by: 'ada', on: back, label: 'Pickup country' }),
    ])
    expect(clicks.map(({ outcome }) => outcome)).toEqual(['acknowledged', 'acknowledged'])
    const rows = await answerIn(question, back)
    const taken = await workspace.watcher.rows(
      `select r.reply ->> 'number' as number, count(j.*)::int as jobs
       from querent.questions q join querent.replies r on r.question_id = q.id
       join querent_jobs.job j on j.name = 'resume' and j.data ->> 'questionId' = q.id::text
       where q.place ->> 'message' = $1 group by 1`,
      [question.ts],
    )
    expect(taken).toEqual([{ number: expect.stringMatching(/^[12]$/), jobs: 1 }])
    expect(rows).toEqual(taken[0]?.number === '1' ? byPickup : byReturn)
  })

  it('is answered by the stated default when nobody replies in time', async () => {
    const { question, back } = await askVaguely()
    const waiting = `name = 'expire-clarification' and data ->> 'questionId' = (
      select id::text from querent.questions where place ->> 'message' = $1)`
    await workspace.watcher.until(`select 1 from querent_jobs.job where ${waiting}`, [question.ts])
    await workspace.watcher.rows(`update querent_jobs.job set start_after = now() where ${waiting}`, [
      question.ts,
    ])
    const stated = /Without a reply, I go with: (\w+) country/.exec(JSON.stringify(back.blocks))?.[1]
    expect(await answerIn(question, back)).toEqual(stated === 'Pickup' ? byPickup : byReturn)
    const [reply] = await workspace.watcher.rows(
      `select r.replied_by, r.reply ->> 'expired' as expired from querent.replies r
       join querent.questions q on q.id = r.question_id where q.place ->> 'message' = $1`,
      [question.ts],
    )
    expect(reply).toEqual({ replied_by: null, expired: 'true' })
  })

  it('is not for others to choose: they are told so alone', async () => {
    const { question, back } = await askVaguely()
    await simulator().click({ by: 'jonas', on: back, label: 'Pickup country' })
    const told = await simulator().until(() =>
      simulator()
        .messages()
        .find(({ onlyFor, threadTs }) => onlyFor !== null && threadTs === question.ts),
    )
    expect(told.onlyFor).toBe(simulator().people.find(({ handle }) => handle === 'jonas')?.id)
    expect(told.text).toContain('can choose here')
    expect(
      await workspace.watcher.rows(
        "select from querent.replies r join querent.questions q on q.id = r.question_id where q.place ->> 'message' = $1",
        [question.ts],
      ),
    ).toEqual([])
    await simulator().click({ by: 'ada', on: back, label: 'Return country' })
    expect(await answerIn(question, back)).toEqual(byReturn)
  })
})
