import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { cells, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Where and for whom the bot answers: every way to get at rows, tried by somebody who may and by somebody who may not. */

const clear = '@querent how many bicycles are there by kind?'

let workspace: TestWorkspace
const simulator = () => workspace.simulator
const idOf = (handle: string): string => simulator().people.find(person => person.handle === handle)?.id ?? ''

/** What was told to one person alone, whatever else there is. */
const toldTo = (handle: string): readonly RecordedMessage[] =>
  simulator()
    .messages()
    .filter(({ onlyFor }) => onlyFor === idOf(handle))
const words = (message: RecordedMessage): string => JSON.stringify(message.blocks) + message.text
/** Waits for one more word to a person than there were. */
const nextTo = async (handle: string, act: () => Promise<unknown>): Promise<string> => {
  const before = toldTo(handle).length
  await act()
  return words(await simulator().until(() => toldTo(handle)[before], 20_000))
}
const ask = (by: string, channel: string, text = clear) => simulator().post({ by, in: channel, text })
const questionsOf = async (message: RecordedMessage): Promise<number> => {
  const found = await workspace.watcher.rows(
    "select 1 from querent.questions where place ->> 'message' = $1",
    [message.ts],
  )
  return found.length
}
/** Refused at the door: told alone, with no question stored and nothing said to everybody. */
const expectRefused = async (by: string, channel: string, reason: string): Promise<void> => {
  let message: RecordedMessage | null = null
  const told = await nextTo(by, async () => {
    message = await ask(by, channel)
  })
  expect(told).toContain(reason)
  if (message === null) throw new Error('nothing was said')
  expect(await questionsOf(message)).toBe(0)
  expect(workspace.replies(message)).toEqual([])
}

beforeAll(async () => {
  workspace = await openWorkspace({
    admin: 'mira',
    humansIn: 'random',
    knowledge: {
      'weight/words.md':
        "## Terms\n\n### heavies\nBicycles that carry loads.\n- sql: `bicycles.kind = 'cargo'`\n",
    },
    more: ({ people }) => ({
      channels: {
        sales: {},
        general: {
          glossary: 'weight',
          guests: true,
          mayAsk: ['S0ANALYSTS', ...people.filter(({ handle }) => handle !== 'mira').map(({ id }) => id)],
        },
        partners: {},
      },
    }),
  })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())
afterEach(async () => {
  simulator().setFaults([])
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe('while Slack tells nothing', () => {
  const failing = (method: string) => ({ method, times: 50, kind: 'error', error: 'internal_error' }) as const

  it('of the channel, which database is asked is not known: refused at the door', async () => {
    simulator().setFaults([failing('conversations.info')])
    await expectRefused('ada', '#sales', 'Slack did not tell me who you are')
  })

  it('of the person, the question is stored, and no worker answers it', async () => {
    const first = await ask('ada', '#sales')
    await workspace.reply(first, isTable)
    simulator().setFaults([failing('users.info')])
    const question = await ask('mira', '#sales')
    const reply = await workspace.reply(question, message => words(message).includes('Slack did not tell me'))
    expect(words(reply)).toContain('Try again in a minute')
    const [row] = await workspace.watcher.rows(
      `select q.status, (select count(*)::int from querent.saved_results r where r.question_id = q.id) as results
       from querent.questions q where q.place ->> 'message' = $1`,
      [question.ts],
    )
    expect(row).toEqual({ status: 'failed', results: 0 })
  })
})

describe('at the door', () => {
  it('a member is answered in a channel that is set', async () => {
    const question = await ask('ada', '#sales')
    expect(cells(await workspace.reply(question, isTable))).toHaveLength(4)
  })

  it('a guest is told so alone, and once a thread', async () => {
    await expectRefused('noor', '#sales', "I don't answer guests of this workspace.")
    const question = await ask('ada', '#sales')
    await workspace.reply(question, isTable)
    const inThread = (text: string) =>
      simulator().post({ by: 'noor', in: '#sales', thread: question.ts, text })
    expect(await nextTo('noor', () => inThread('@querent and only cargo?'))).toContain('guests')
    const told = toldTo('noor').length
    await inThread('@querent only tandem?')
    await inThread('only folding?')
    await simulator().settled()
    expect(toldTo('noor')).toHaveLength(told)
    expect(workspace.replies(question)).toHaveLength(1)
  })

  it('a guest is answered where that is allowed', async () => {
    const question = await ask('noor', '#general')
    await workspace.reply(question, isTable)
  })

  it('somebody of another company is refused, and in a shared channel everybody is', async () => {
    await expectRefused('theo', '#sales', 'you are from another one')
    await expectRefused('ada', '#partners', 'is shared with another company or workspace')
  })

  it('who is not listed is refused; a member of a listed group is not', async () => {
    await expectRefused('mira', '#general', 'only some people can ask')
    const question = await ask('jonas', '#general')
    await workspace.reply(question, isTable)
  })

  it('in a channel that is not set, says what an admin has to write', async () => {
    const told = await nextTo('ada', () => ask('ada', '#random'))
    expect(told).toContain('channels:\\n  random:\\n    database: cycles')
    expect(told).toContain(`<@${idOf('mira')}>`)
  })

  it('answers in direct messages', async () => {
    const question = await simulator().post({ by: 'ada', text: 'how many bicycles are there by kind?' })
    await workspace.reply(question, isTable)
  })

  it('reads the words of a channel in that channel alone', async () => {
    const there = await ask('ada', '#general', '@querent how many heavies are there?')
    const answer = await workspace.reply(there, message => /16/.test(words(message)))
    expect(words(answer)).toContain('16')
    const elsewhere = await ask('ada', '#sales', '@querent how many heavies are there?')
    const other = await workspace.reply(
      elsewhere,
      message => /heavies/.test(words(message)) && message.stream?.state !== 'streaming',
    )
    expect(words(other)).not.toContain('16')
  })
})

describe('with an answer that is there', () => {
  const answered = async () => {
    const question = await ask('ada', '#sales')
    return { question, answer: await workspace.reply(question, isTable) }
  }
  const revisions = async (question: RecordedMessage): Promise<number> => {
    const found = await workspace.watcher.rows(
      `select 1 from querent.answer_revisions r join querent.questions q on q.id = r.question_id
       where q.place ->> 'message' = $1`,
      [question.ts],
    )
    return found.length
  }

  it('a guest exports nothing', async () => {
    const { question, answer } = await answered()
    const told = await nextTo('noor', () =>
      simulator().click({ by: 'noor', on: answer, label: 'Export CSV' }),
    )
    expect(told).toContain('guests')
    expect(workspace.replies(question)).toHaveLength(1)
  })

  it('a guest reruns no SQL', async () => {
    const { question, answer } = await answered()
    const told = await nextTo('noor', () =>
      simulator().click({ by: 'noor', on: answer, label: 'Edit & rerun' }),
    )
    expect(told).toContain("I don't answer guests")
    expect(simulator().modal('noor')).toBeNull()
    expect(await revisions(question)).toBe(0)
  })

  it("a guest's vote does not count, and opens no form that runs SQL", async () => {
    const { question, answer } = await answered()
    const told = await nextTo('noor', () =>
      simulator().click({ by: 'noor', on: answer, actionId: 'vote', choice: 'negative' }),
    )
    expect(told).toContain('guests')
    await simulator().settled()
    expect(simulator().modal('noor')).toBeNull()
    const votes = await workspace.watcher.rows(
      `select 1 from querent.feedback f join querent.questions q on q.id = f.question_id
       where q.place ->> 'message' = $1`,
      [question.ts],
    )
    expect(votes).toEqual([])
    expect(await revisions(question)).toBe(0)
  })

  it('a guest shows its rows to nobody else, and decides nothing about it', async () => {
    const { question, answer } = await answered()
    const requests = () =>
      simulator()
        .messages()
        .filter(message => words(message).includes('asks whether this answer is right'))
    const askHuman = (by: string) => simulator().click({ by, on: answer, label: 'Ask a human' })
    expect(await nextTo('noor', () => askHuman('noor'))).toContain('guests')
    expect(requests()).toEqual([])
    await askHuman('ada')
    const request = await simulator().until(() => requests()[0])
    const told = await nextTo('noor', () => simulator().click({ by: 'noor', on: request, label: 'Approve' }))
    expect(told).toContain('guests')
    for (const label of ['Reject', 'Fix SQL', 'Show SQL']) {
      const refused = await nextTo('noor', () => simulator().click({ by: 'noor', on: request, label }))
      expect(refused).toContain('guests')
      expect(simulator().modal('noor')).toBeNull()
    }
    const [row] = await workspace.watcher.rows(
      `select r.decision from querent.human_requests r join querent.questions q on q.id = r.question_id
       where q.place ->> 'message' = $1`,
      [question.ts],
    )
    expect(row).toEqual({ decision: null })
    expect(await workspace.watcher.rows('select 1 from querent.verified_queries')).toEqual([])
  })
})
