import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { blockTypes, buttons, cells, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Bicycles by kind, as the file has them. */
const byKind = [
  ['cargo', '16'],
  ['folding', '16'],
  ['tandem', '16'],
]
const clear = '@querent how many bicycles are there by kind?'

let workspace: TestWorkspace
const simulator = () => workspace.simulator
const answered = async (question: RecordedMessage) => workspace.reply(question, isTable)
const questionOf = ({ ts }: RecordedMessage) =>
  workspace.watcher.rows("select * from querent.questions where place ->> 'message' = $1", [ts])

beforeAll(async () => {
  workspace = await openWorkspace({ admin: 'mira' })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())
afterEach(async () => {
  simulator().setEventFaults({})
  simulator().setFaults([])
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe('a mention', () => {
  it('comes as two events and gets one reply in its thread, which becomes a table', async () => {
    const question = await workspace.ask(clear)
    const reply = await answered(question)
    expect(reply.threadTs).toBe(question.ts)
    expect(cells(reply).slice(1).toSorted()).toEqual(byKind)
    expect(blockTypes(reply)).toEqual(['section', 'data_table', 'context', 'actions', 'context_actions'])
    await simulator().settled()
    const told = simulator()
      .deliveries()
      .filter(({ body }) => (body as { event?: { ts?: string } }).event?.ts === question.ts)
    expect(told.map(({ type }) => type).toSorted()).toEqual(['app_mention', 'message'])
    expect(told.map(({ outcome }) => outcome)).toEqual(['acknowledged', 'acknowledged'])
    expect(workspace.replies(question)).toHaveLength(1)
    expect(await questionOf(question)).toHaveLength(1)
  })

  it('without a question gets help, whose example buttons ask', async () => {
    const mention = await workspace.ask('@querent')
    const help = await workspace.reply(mention, reply => buttons(reply).length > 1)
    const [, example = ''] = buttons(help)
    await simulator().click({ by: 'jonas', on: help, label: example })
    const reply = await answered(mention)
    expect(reply.ts).not.toBe(help.ts)
    expect(
      await workspace.watcher.rows('select * from querent.questions where text = $1', [example]),
    ).toEqual([expect.objectContaining({ asked_by: idOf('jonas') })])
  })

  it('of something that the database has not is refused, with what to do next', async () => {
    const question = await workspace.ask('@querent what is the boiling point of mercury?')
    const reply = await workspace.reply(question, ({ text }) => text.includes("can't find"))
    expect(buttons(reply)).toEqual([
      'How many bicycles are there?',
      'How many bicycles are there by model?',
      'How many hires are there by pickup country?',
    ])
    await workspace.watcher.until(
      "select from querent.questions where place ->> 'message' = $1 and status = 'refused'",
      [question.ts],
    )
  })

  it('is followed up in its thread without another mention, and talk elsewhere is left alone', async () => {
    const question = await workspace.ask(clear)
    const first = await answered(question)
    const followUp = await simulator().post({
      by: 'mira',
      in: '#sales',
      thread: question.ts,
      text: 'how many hires are there by pickup country?',
    })
    const second = await workspace.reply(question, reply => isTable(reply) && reply.ts !== first.ts)
    expect(cells(second).slice(1).toSorted()).toEqual([
      ['Denmark', '167'],
      ['Norway', '166'],
      ['Portugal', '167'],
    ])
    expect(await questionOf(followUp)).toHaveLength(1)
    const talk = await simulator().post({ by: 'mira', in: '#sales', text: 'how many bicycles are there?' })
    await simulator().settled()
    expect(await questionOf(talk)).toEqual([])
    expect(workspace.replies(talk)).toEqual([])
  })

  it('in direct messages needs no name', async () => {
    const question = await simulator().post({ by: 'mira', text: 'how many bicycles are there by kind?' })
    expect(
      cells(await answered(question))
        .slice(1)
        .toSorted(),
    ).toEqual(byKind)
  })
})

describe('events', () => {
  it.each([
    ['doubled', { copies: 3 }],
    ['held back', { delayMs: 400 }],
    ['out of order', { reverseWithinMs: 200 }],
  ])('%s lead to one answer', async (_, faults) => {
    simulator().setEventFaults(faults)
    const question = await workspace.ask(clear)
    await answered(question)
    await simulator().settled()
    expect(workspace.replies(question)).toHaveLength(1)
    expect(await questionOf(question)).toHaveLength(1)
  })

  it('that Slack gave up on and sent again lead to one answer', async () => {
    const lock = await workspace.watcher.lock('querent.questions')
    const question = await workspace.ask(clear)
    const ofQuestion = () =>
      simulator()
        .deliveries()
        .filter(({ body }) => (body as { event?: { ts?: string } }).event?.ts === question.ts)
    const timedOut = await simulator().until(
      () => ofQuestion().find(({ outcome }) => outcome === 'timed-out'),
      15_000,
    )
    expect(timedOut.retry).toBe(0)
    await lock.release()
    await answered(question)
    await simulator().settled()
    expect(ofQuestion().some(({ retry, outcome }) => retry > 0 && outcome === 'acknowledged')).toBe(true)
    expect(workspace.replies(question)).toHaveLength(1)
    expect(await questionOf(question)).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('takes one vote a person, the last one, stored with run and candidate', async () => {
    const question = await workspace.ask(clear)
    const reply = await answered(question)
    const vote = (by: string, label: 'Right' | 'Wrong') => simulator().click({ by, on: reply, label })
    const shows = (words: string) =>
      workspace.reply(question, message => JSON.stringify(message.blocks).includes(words))

    expect((await vote('ada', 'Wrong')).outcome).toBe('acknowledged')
    await shows('marked wrong by 1')
    await vote('ada', 'Right')
    await vote('jonas', 'Wrong')
    await shows('marked right by 1, wrong by 1')

    const votes = await workspace.watcher.rows(
      `select v.person, v.vote, v.run_id = a.run_id as of_run, v.candidate_id = a.candidate_id as of_candidate
       from querent.votes v join querent.answers a using (question_id)
       join querent.questions q on q.id = a.question_id
       where q.place ->> 'message' = $1 order by v.vote desc`,
      [question.ts],
    )
    expect(votes).toEqual([
      { person: idOf('ada'), vote: 'up', of_run: true, of_candidate: true },
      { person: idOf('jonas'), vote: 'down', of_run: true, of_candidate: true },
    ])
  })

  it('shows its SQL in a modal', async () => {
    const question = await workspace.ask(clear)
    await simulator().click({ by: 'jonas', on: await answered(question), label: 'Show SQL' })
    const modal = await simulator().until(() => simulator().modal('jonas'))
    const [stored] = await workspace.watcher.rows(
      "select sql from querent.answers a join querent.questions q on q.id = a.question_id where q.place ->> 'message' = $1",
      [question.ts],
    )
    expect(modal.view.blocks[0]?.text).toMatchObject({ type: 'mrkdwn', text: `\`\`\`${stored?.sql}\`\`\`` })
    await simulator().closeModal('jonas')
  })

  it('is exported as a CSV file in its thread', async () => {
    const question = await workspace.ask(clear)
    await simulator().click({ by: 'ada', on: await answered(question), label: 'Export CSV' })
    const shared = await workspace.reply(question, ({ files }) => files.length > 0)
    const [file] = shared.files
    expect(file?.name).toMatch(/^answer-[0-9a-f]{8}\.csv$/)
    const response = await fetch(`${simulator().url}/files/${file?.id}`)
    const lines = (await response.text()).trim().split('\n')
    expect(lines.slice(1).toSorted()).toEqual(byKind.map(row => row.join(',')))
  })

  it('is counted on the App Home of an admin', async () => {
    await answered(await workspace.ask(clear))
    const [ended] = await workspace.watcher.rows(
      "select count(*)::int as answered from querent.questions where status = 'answered'",
    )
    simulator().openHome('mira')
    const home = await simulator().until(() => simulator().home('mira'))
    const words = JSON.stringify(home.view.blocks)
    expect(words).toContain(`*Questions*: ${ended?.answered} answered`)
    expect(words).toContain('`bicycles` (48 rows)')
  })
})

describe('when Slack is unwell, one answer comes all the same', () => {
  it.each([
    ['its answer to the first message is lost', { method: 'chat.startStream', kind: 'drop-response' }],
    ['it breaks at the first message', { method: 'chat.startStream', kind: 'server-error' }],
    [
      'it limits the first message',
      { method: 'chat.startStream', kind: 'rate-limited', retryAfterSeconds: 1 },
    ],
    ['it breaks at a change', { method: 'chat.update', kind: 'server-error' }],
    ['its answer to a change is lost', { method: 'chat.update', kind: 'drop-response' }],
  ] as const)('%s', async (_, fault) => {
    const played = () =>
      simulator()
        .calls()
        .filter(call => call.method === fault.method && call.fault === fault.kind).length
    const before = played()
    simulator().setFaults([{ ...fault, times: 1 }])
    const question = await workspace.ask(clear)
    await answered(question)
    await workspace.watcher.until(
      "select from querent_jobs.job where name = 'question' and state = 'completed' and data ->> 'questionId' = $1",
      [(await questionOf(question))[0]?.id],
    )
    expect(workspace.replies(question)).toHaveLength(1)
    expect(played() - before).toBe(1)
  })
})

const idOf = (handle: string): string | undefined =>
  simulator().people.find(person => person.handle === handle)?.id
