import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { buttons, isQuestionBack } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

let workspace: TestWorkspace
let bot: Awaited<ReturnType<TestWorkspace['bot']['start']>>
beforeAll(async () => {
  workspace = await openWorkspace({ more: () => ({ limits: { heavyRows: 100 } }) })
  bot = await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())

/** Every hire is read for this: five times what is read unasked. */
const ask = async (
  text = 'how many hires are there?',
): Promise<{ question: RecordedMessage; back: RecordedMessage }> => {
  const question = await workspace.ask(`@querent ${text}`)
  const back = await workspace.reply(question, isQuestionBack)
  expect(back.text).toContain('500 rows, most of them of hires')
  expect(buttons(back)).toEqual(['Run it', 'Narrow it', 'Cancel', 'Something else…'])
  return { question, back }
}

/** What ran on the database for a question, by the audit log. */
const ran = async (question: RecordedMessage): Promise<readonly unknown[]> =>
  workspace.watcher.rows(
    `select a.person, a.rows::int as rows from querent.audit_log a
     join querent.questions q on q.id::text = a.question_id
     where q.place ->> 'message' = $1 and a.kind = 'run' and a.verdict in ('ran', 'cut')`,
    [question.ts],
  )

it('a heavy query is run on a click, also when the bot was killed meanwhile, and booked on who asked', async () => {
  const { question, back } = await ask()
  expect(await ran(question)).toEqual([])
  // That it was held back stands in the log as well.
  await expect
    .poll(() =>
      workspace.watcher.rows(
        "select distinct verdict from querent.audit_log where reason like '%500 rows%'",
        [],
      ),
    )
    .toEqual([{ verdict: 'refused' }])
  await bot.end('SIGKILL')
  bot = await workspace.bot.start()
  await workspace.simulator.click({ by: 'ada', on: back, label: 'Run it' })
  const answer = await workspace.reply(question, ({ text }) => text.includes('500') && !text.includes('rows'))
  expect(answer.ts).toBe(back.ts)
  const ada = workspace.simulator.people.find(({ handle }) => handle === 'ada')?.id
  await expect.poll(() => ran(question)).toEqual([{ person: ada, rows: 1 }])
})

it('it can be narrowed or called off, and nothing is run', async () => {
  const [first, second, third] = [await ask('which hire ids are there?'), await ask(), await ask()]
  await workspace.simulator.click({ by: 'ada', on: first.back, label: 'Narrow it' })
  await workspace.simulator.click({ by: 'ada', on: second.back, label: 'Cancel' })
  await workspace.simulator.post({ by: 'ada', in: '#sales', thread: third.question.ts, text: 'no' })
  const narrowed = await workspace.reply(first.question, ({ text }) => text.includes("I didn't run it"))
  await workspace.reply(second.question, ({ text }) => text.includes('Stopped by'))
  await workspace.reply(third.question, ({ text }) => text.includes('Stopped by'))
  for (const { question } of [first, second, third]) expect(await ran(question)).toEqual([])

  // What it is narrowed to is a question of its own. Nothing finds hires by date or kind without reading all of them.
  const [offered = ''] = buttons(narrowed)
  expect(offered).toBe('which hire ids are there, looking only at the newest 10 rows of hires?')
  await workspace.simulator.click({ by: 'ada', on: narrowed, label: offered })
  const answer = await workspace.reply(first.question, ({ blocks }) =>
    JSON.stringify(blocks).includes('Show SQL'),
  )
  expect(answer.text).toContain('10')
  expect(workspace.simulator.problems()).toEqual([])
})

it('an edit that reads much is run where the form says so, once, and booked on who edits', async () => {
  const { simulator, watcher } = workspace
  const { question, back } = await ask()
  await simulator.click({ by: 'ada', on: back, label: 'Run it' })
  const answer = await workspace.reply(question, ({ text }) => text.includes('500') && !text.includes('rows'))
  await simulator.click({ by: 'jonas', on: answer, label: 'Edit & rerun' })
  await simulator.until(() => simulator.modal('jonas'))
  const sql_0 = 'select count(*) + 1 as counted from hires'
  const modalText = (): string => JSON.stringify(simulator.modal('jonas')?.view)
  for (const _ of ['first', 'again, without a tick']) {
    expect(await simulator.submitModal('jonas', { sql_0 })).toMatchObject({ outcome: 'updated' })
    expect(modalText()).toContain('500 rows, most of them of hires')
    expect(modalText()).toContain('Run it anyway')
  }
  expect(await simulator.submitModal('jonas', { sql_0, run_anyway: ['yes'] })).toEqual({ outcome: 'closed' })
  await workspace.reply(question, ({ text, blocks }) => `${text}${JSON.stringify(blocks)}`.includes('501'))
  const jonas = simulator.people.find(({ handle }) => handle === 'jonas')?.id
  await watcher.until("select from querent.feedback where kind = 'edit' and person = $1", [jonas])
  const run = "from querent.audit_log where person = $1 and kind = 'run'"
  // The end of a statement is recorded a little after its answer.
  await watcher.until(`select ${run} and verdict = 'ran'`, [jonas])
  expect(await watcher.rows(`select origin, verdict ${run} and verdict <> 'refused'`, [jonas])).toEqual([
    { origin: 'edit', verdict: 'ran' },
  ])
  expect(simulator.problems()).toEqual([])
})
