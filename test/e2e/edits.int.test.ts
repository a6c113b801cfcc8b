import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import type { BotProcess } from '../helpers/start-bot.ts'
import { cells, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** The bot is killed at a moment that the test makes sure of, while it changes an answer or before it shows the change. */

const sql_0 = "select kind, count(*) as n from bicycles where kind <> 'cargo' group by kind order by kind"
const FOUND_AGAIN_MS = 75_000

let workspace: TestWorkspace
let bot: BotProcess
beforeAll(async () => {
  workspace = await openWorkspace()
  onFile('create table spares (id integer primary key, name text)')
  bot = await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())

const onFile = (sql: string): void => {
  const file = new DatabaseSync(workspace.databaseFile)
  file.exec(sql)
  file.close()
}
const idOf = (handle: string) => workspace.simulator.people.find(person => person.handle === handle)?.id ?? ''
const editing = async (by: string) => {
  const { simulator } = workspace
  const question = await workspace.ask('@querent how many bicycles are there by kind?')
  const answer = await workspace.reply(question, isTable)
  await simulator.click({ by, on: answer, label: 'Edit & rerun' })
  await simulator.until(() => simulator.modal(by))
  return { question, answer }
}
const isEditedBy = (handle: string) => (message: RecordedMessage) =>
  isTable(message) && JSON.stringify(message.blocks).includes(`SQL edited by <@${idOf(handle)}>`)
/** Submits SQL that cannot be kept, and kills the bot once the job is where the form was when it gave up. */
const killWhileRunning = async (by: string, sql: string, meanwhile: () => Promise<unknown>) => {
  const { simulator, watcher } = workspace
  const lock = await watcher.lock('querent.saved_results')
  expect(await simulator.submitModal(by, { sql_0: sql })).toMatchObject({ outcome: 'updated' })
  expect(JSON.stringify(simulator.modal(by)?.view)).toContain('The query is running.')
  await meanwhile()
  await watcher.until(
    "select from pg_locks where relation = 'querent.saved_results'::regclass and not granted having count(*) = 2",
  )
  await bot.end('SIGKILL')
  await lock.release()
}
const jobsDone = () =>
  workspace.watcher.until(
    `select 1 where not exists (select from querent_jobs.job
     where name = 'revise' and state in ('created', 'retry', 'active'))`,
    [],
    FOUND_AGAIN_MS,
  )
/** What an edit of a question has left in the store. */
const keptOf = (question: RecordedMessage) =>
  workspace.watcher.rows(
    `select r.person, (select count(*)::int from querent.feedback f
       where f.question_id = q.id and f.kind = 'edit' and f.person = r.person) as feedback
     from querent.answer_revisions r join querent.questions q on q.id = r.question_id
     where q.place ->> 'message' = $1`,
    [question.ts],
  )

it('an edit that Slack did not wait for is done after a kill, once, and its form says so', async () => {
  const { simulator } = workspace
  const { question, answer } = await editing('jonas')
  await killWhileRunning('jonas', sql_0, async () => {})
  expect(await keptOf(question)).toEqual([])
  bot = await workspace.bot.start()
  const edited = await workspace.reply(question, isEditedBy('jonas'), FOUND_AGAIN_MS)
  expect(edited.ts).toBe(answer.ts)
  expect(cells(edited)).toHaveLength(3)
  await simulator.until(() => JSON.stringify(simulator.modal('jonas')?.view).includes('Done'))
  await simulator.closeModal('jonas')
  await jobsDone()
  expect(await keptOf(question)).toEqual([{ person: idOf('jonas'), feedback: 1 }])
  expect(workspace.replies(question)).toHaveLength(1)
  expect(simulator.problems()).toEqual([])
}, 180_000)

it('tells an editor who closed the form in private what went wrong after a kill', async () => {
  const { simulator } = workspace
  const { question, answer } = await editing('mira')
  await killWhileRunning('mira', 'select count(*) from spares', () => simulator.closeModal('mira'))
  onFile('drop table spares')
  bot = await workspace.bot.start()
  const told = await simulator.until(
    () => simulator.messages().find(({ onlyFor }) => onlyFor === idOf('mira')),
    FOUND_AGAIN_MS,
  )
  expect(told.text).toContain('spares')
  expect(told.threadTs).toBe(question.ts)
  await jobsDone()
  expect(await keptOf(question)).toEqual([])
  expect(workspace.replies(question).map(({ ts, blocks }) => ({ ts, blocks }))).toEqual([
    { ts: answer.ts, blocks: answer.blocks },
  ])
  expect(simulator.messages().filter(({ onlyFor }) => onlyFor === idOf('mira'))).toHaveLength(1)
}, 180_000)

it('an edit whose process is killed before the thread shows it is shown by the next', async () => {
  const { simulator } = workspace
  const { question, answer } = await editing('ada')
  simulator.setFaults([{ method: 'chat.update', kind: 'hang', ms: 60_000, times: 10 }])
  const isHanging = () => simulator.calls().some(({ fault }) => fault === 'hang')
  expect(isHanging()).toBe(false)
  expect(await simulator.submitModal('ada', { sql_0 })).toMatchObject({
    outcome: expect.stringMatching(/closed|updated/),
  })
  await simulator.until(isHanging, 20_000)
  await bot.end('SIGKILL')
  expect(await keptOf(question)).toEqual([{ person: idOf('ada'), feedback: 0 }])
  expect(workspace.replies(question).map(isEditedBy('ada'))).toEqual([false])
  simulator.setFaults([])
  bot = await workspace.bot.start()
  const edited = await workspace.reply(question, isEditedBy('ada'), FOUND_AGAIN_MS)
  expect(edited.ts).toBe(answer.ts)
  await jobsDone()
  expect(await keptOf(question)).toEqual([{ person: idOf('ada'), feedback: 1 }])
}, 180_000)
