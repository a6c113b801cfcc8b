import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { type StoppablePostgres, startStoppablePostgres } from '../helpers/services/stoppable-postgres.ts'
import { buttons, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Running an answer of a while ago again, while the database that is asked is away. */

let asked: StoppablePostgres
let workspace: TestWorkspace
const simulator = () => workspace.simulator
const words = (message: RecordedMessage): string => JSON.stringify(message.blocks) + message.text
const isCached = (message: RecordedMessage): boolean =>
  isTable(message) && words(message).includes('saved answer') && buttons(message).includes('Run again')
const isFresh = (message: RecordedMessage): boolean =>
  isTable(message) && !words(message).includes('saved answer')
const now = ({ channel, ts }: RecordedMessage): RecordedMessage | undefined =>
  simulator()
    .messages()
    .find(message => message.channel === channel && message.ts === ts)
const toldTo = (handle: string): readonly RecordedMessage[] => {
  const id = simulator().people.find(person => person.handle === handle)?.id
  return simulator()
    .messages()
    .filter(({ onlyFor }) => onlyFor === id)
}

beforeAll(async () => {
  asked = await startStoppablePostgres()
  const client = new Client({ connectionString: asked.url })
  await client.connect()
  await client.query(
    `create table bicycles (bicycle_id integer primary key, kind text not null);
     insert into bicycles select i, (array['cargo', 'folding', 'tandem'])[1 + i % 3] from generate_series(1, 48) i`,
  )
  await client.end()
  workspace = await openWorkspace({ databaseUrl: asked.url, cacheMinutes: 15 })
  await workspace.bot.start()
})
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]()
  await asked?.[Symbol.asyncDispose]()
})

it('the answer stays, with its age, and who pressed is told alone why; later it is run again', async () => {
  const text = '@querent how many bicycles are there by kind?'
  await workspace.reply(await workspace.ask(text), isFresh)
  const question = await workspace.ask(text)
  const answer = await workspace.reply(question, isCached)

  await asked.stop()
  for (const times of [1, 2]) {
    await simulator().click({ by: 'jonas', on: now(answer) ?? answer, label: 'Run again' })
    const told = await simulator().until(() => toldTo('jonas')[times - 1], 60_000)
    expect(words(told)).toContain(
      "I couldn't run this again, so the answer is unchanged. I can't reach the database right now.",
    )
    expect(told.threadTs).toBe(question.ts)
    const stays = await workspace.reply(question, isCached)
    expect(stays.ts).toBe(answer.ts)
    expect(workspace.replies(question)).toHaveLength(1)
    const runs = await workspace.watcher.rows(
      `select status, withdrawn_at is null as stands from querent.questions
        where place ->> 'message' = $1 order by created_at`,
      [question.ts],
    )
    expect(runs).toEqual([
      { status: 'answered', stands: true },
      ...Array.from({ length: times }, () => ({ status: 'refused', stands: false })),
    ])
  }
  expect(toldTo('ada')).toEqual([])

  await asked.start()
  await simulator().click({ by: 'jonas', on: now(answer) ?? answer, label: 'Run again' })
  const again = await workspace.reply(question, isFresh, 60_000)
  expect(again.ts).toBe(answer.ts)
  expect(simulator().problems()).toEqual([])
}, 300_000)
