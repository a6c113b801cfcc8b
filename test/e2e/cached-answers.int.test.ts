import { DatabaseSync } from 'node:sqlite'
import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { requireService } from '../helpers/services/require-service.ts'
import { startRedis, type TestRedis } from '../helpers/services/start-redis.ts'
import type { BotProcess } from '../helpers/start-bot.ts'
import { buttons, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Answers that are shown again, and limits on asking, over a Redis of its own that goes away in the end. */

const hasRedis = requireService('REDIS_URL', 'answers that are shown again') !== null

let redis: TestRedis
let workspace: TestWorkspace
let bot: BotProcess
const simulator = () => workspace.simulator
const words = (message: RecordedMessage): string => JSON.stringify(message.blocks) + message.text
const isCached = (message: RecordedMessage): boolean =>
  isTable(message) && words(message).includes('saved answer') && buttons(message).includes('Run again')
const isFresh = (message: RecordedMessage): boolean =>
  isTable(message) && !words(message).includes('saved answer') && !buttons(message).includes('Run again')

const ask = (by: string, text: string, channel = '#sales') =>
  simulator().post({ by, in: channel, text: `@querent ${text}` })
const answered = async (by: string, text: string, looks: typeof isFresh, channel?: string) => {
  const question = await ask(by, text, channel)
  return { question, answer: await workspace.reply(question, looks) }
}
const now = (message: RecordedMessage): RecordedMessage =>
  simulator()
    .messages()
    .find(({ channel, ts }) => channel === message.channel && ts === message.ts) ?? message
const click = (by: string, on: RecordedMessage, label: string) =>
  simulator().click({ by, on: now(on), label })
const runsOf = (question: RecordedMessage) =>
  workspace.watcher.rows(
    `select q.withdrawn_at is null as stands, a.cached_from is not null as cached, a.sql
       from querent.questions q left join querent.answers a on a.question_id = q.id
      where q.place ->> 'message' = $1 order by q.created_at`,
    [question.ts],
  )
const toldTo = (handle: string): readonly RecordedMessage[] => {
  const id = simulator().people.find(person => person.handle === handle)?.id
  return simulator()
    .messages()
    .filter(({ onlyFor }) => onlyFor === id)
}

beforeAll(async () => {
  if (!hasRedis) return
  redis = await startRedis()
  workspace = await openWorkspace({
    cacheMinutes: 15,
    redisUrl: redis.url,
    admin: 'mira',
    knowledge: {
      'weight/words.md':
        "## Terms\n\n### heavies\nBicycles that carry loads.\n- sql: `bicycles.kind = 'cargo'`\n",
    },
    more: () => ({
      channels: { sales: {}, random: { guests: true }, general: { glossary: 'weight' } },
      rateLimits: { personPerMinute: 10 },
    }),
  })
  bot = await workspace.bot.start()
})
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]()
  await redis?.[Symbol.asyncDispose]()
})
afterEach(async () => {
  if (!hasRedis) return
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe.skipIf(!hasRedis)('a question that was asked before', () => {
  const byKind = 'how many bicycles are there by kind?'

  it('is answered from the cache for somebody with equal rights, with its age', async () => {
    const first = await answered('ada', byKind, isFresh)
    const second = await answered('jonas', 'How many  bicycles are there by kind', isCached, '#random')
    expect(words(second.answer)).toContain('saved answer, less than a minute old')
    const [[one], [two]] = [await runsOf(first.question), await runsOf(second.question)]
    expect(two).toEqual({ ...one, cached: true })
    // Its rows are its own: they stay when those of the first are gone.
    const rows = await workspace.watcher.rows(
      `select count(*)::int as n from querent.saved_results r join querent.questions q on q.id = r.question_id
        where q.place ->> 'message' = $1`,
      [second.question.ts],
    )
    expect(rows[0]?.n).toBeGreaterThan(0)
  })

  it('can be worked on like any other: SQL, a follow-up, an export', async () => {
    const { question, answer } = await answered('jonas', byKind, isCached)
    await click('jonas', answer, 'Show SQL')
    const modal = await simulator().until(() => simulator().modal('jonas'))
    expect(JSON.stringify(modal)).toMatch(/group by/i)
    await click('jonas', answer, 'Export CSV')
    await simulator().until(() =>
      workspace.replies(question).find(reply => words(reply).includes('the whole result')),
    )
    await simulator().post({ by: 'jonas', in: '#sales', thread: question.ts, text: 'only cargo' })
    await simulator().until(() =>
      workspace.replies(question).find(reply => reply.ts !== answer.ts && words(reply).includes('cargo')),
    )
  })

  it('is answered again if the words mean something else in that channel', async () => {
    await answered('jonas', byKind, isFresh, '#general')
  })

  it('is run again in the same message, once for two clicks', async () => {
    const { question, answer } = await answered('jonas', byKind, isCached)
    await Promise.all([click('jonas', answer, 'Run again'), click('jonas', answer, 'Run again')])
    await workspace.reply(question, isFresh)
    await simulator().settled()
    expect(workspace.replies(question)).toHaveLength(1)
    expect(await runsOf(question)).toMatchObject([
      { stands: false, cached: true },
      { stands: true, cached: false },
    ])
    // From now on the new rows are shown.
    await answered('ada', byKind, isCached)
  })

  it('is run again for the quota of the person who clicks, with the permissions of the person who asked', async () => {
    const { question, answer } = await answered('jonas', byKind, isCached)
    await click('mira', answer, 'Run again')
    await workspace.reply(question, isFresh)
    const idOf = (handle: string) => simulator().people.find(person => person.handle === handle)?.id
    const readBy = await workspace.watcher.until(
      `select distinct q.asked_by, a.person from querent.audit_log a
       join querent.questions q on q.id::text = a.question_id
       where q.place ->> 'message' = $1 and a.verdict = 'ran'`,
      [question.ts],
    )
    expect(readBy).toEqual([{ asked_by: idOf('jonas'), person: idOf('mira') }])
  })

  it('is answered again if somebody wrote the id of another answer into Redis', async () => {
    const models = 'how many bicycles are there by model and kind?'
    await answered('ada', models, isFresh)
    const { question } = await answered('ada', byKind, isCached)
    const [other] = await workspace.watcher.rows(
      `select a.cached_from as id from querent.answers a join querent.questions q on q.id = a.question_id
        where q.place ->> 'message' = $1`,
      [question.ts],
    )
    const writer = createClient({ url: redis.url })
    await writer.connect()
    for (const name of await writer.keys('querent:answer:*'))
      await writer.set(name, JSON.stringify({ questionId: other?.id }))
    await writer.close()
    await answered('jonas', models, isFresh)
    await answered('jonas', models, isCached)
  })

  it('is answered again once somebody marks the answer as wrong, also where it was reused', async () => {
    const models = 'how many bicycles are there by model?'
    await answered('ada', models, isFresh)
    const { answer } = await answered('ada', models, isCached)
    await click('jonas', answer, 'Wrong')
    await workspace.watcher.until("select from querent.votes where vote = 'down'")
    await answered('mira', models, isFresh)
    await answered('mira', models, isCached)
  })

  it('is answered again once the schema has changed, also by a process that started later', async () => {
    const riders = 'how many bicycles are there by kind and model?'
    await answered('mira', riders, isFresh)
    await answered('mira', riders, isCached)
    await bot.end('SIGTERM')
    const file = new DatabaseSync(workspace.databaseFile)
    file.exec('alter table bicycles add column colour text')
    file.close()
    bot = await workspace.bot.start()
    await answered('mira', riders, isFresh)
    await answered('mira', riders, isCached)
  })
})

describe.skipIf(!hasRedis)('somebody who asks too much', () => {
  it('is told alone when to ask again, and nothing is stored', async () => {
    const asked: RecordedMessage[] = []
    for (let i = 0; i < 11; i += 1) asked.push(await ask('noor', 'help', '#random'))
    const told = await simulator().until(() => toldTo('noor')[0], 20_000)
    expect(words(told)).toMatch(/10 questions a minute.*Try again in \d+ seconds?/s)
    await simulator().settled()
    const [row] = await workspace.watcher.rows(
      "select count(*)::int as n from querent.questions where place ->> 'message' = any($1)",
      [asked.map(({ ts }) => ts)],
    )
    expect(row?.n).toBe(10)
  })
})

describe.skipIf(!hasRedis)('without Redis', () => {
  it('questions are still answered, without the cache', async () => {
    await redis.stop()
    await answered('mira', 'how many bicycles are there by kind?', isFresh)
    await answered('mira', 'how many bicycles are there by kind?', isFresh)
    expect(bot.lines.filter(line => line.includes('Redis is unreachable'))).toHaveLength(1)
  })
})
