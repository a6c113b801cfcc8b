import { expect, it } from 'vitest'
import { isTable } from '../message-parts.ts'
import { openWorkspace } from '../open-workspace.ts'

const clear = 'how many bicycles are there by kind?'

/** Slack hangs while the bot does what it has acknowledged, and the bot is killed: the next process does it. */
it('what was acknowledged is done, although the process that acknowledged it was killed', async () => {
  await using workspace = await openWorkspace()
  const { simulator, watcher, bot } = workspace
  const first = await bot.start()
  const question = await workspace.ask(`@querent ${clear}`)
  const answer = await workspace.reply(question, isTable)
  const hang = { kind: 'hang', ms: 60_000, times: 10 } as const
  simulator.setFaults([
    { method: 'files.getUploadURLExternal', ...hang },
    { method: 'chat.postMessage', ...hang },
  ])
  await simulator.click({ by: 'ada', on: answer, label: 'Export CSV' })
  await simulator.click({ by: 'ada', on: answer, label: 'Export CSV' })
  await simulator.command('ada', '#sales', `/querent ask ${clear}`)
  await simulator.until(
    () =>
      ['files.getUploadURLExternal', 'chat.postMessage'].every(method =>
        simulator.calls().some(call => call.method === method && call.fault === 'hang'),
      ),
    20_000,
  )
  await first.end('SIGKILL')
  expect(await watcher.rows('select from querent.questions')).toHaveLength(1)
  simulator.setFaults([])
  await bot.start()
  await watcher.until('select 1 from querent.questions having count(*) = 2', [], 60_000)
  await watcher.until(
    `select 1 where not exists (select from querent_jobs.job
     where name in ('question', 'export', 'ask-for-person') and state in ('created', 'retry', 'active'))`,
    [],
    90_000,
  )
  const said = simulator
    .messages()
    .filter(({ byBot, deleted, onlyFor }) => byBot && !deleted && onlyFor === null)
  expect(said.filter(({ files }) => files.some(({ name }) => name.endsWith('.csv')))).toHaveLength(1)
  const asked = said.filter(({ text, threadTs }) => threadTs === null && text.includes(clear))
  expect(asked).toHaveLength(1)
  expect(asked.flatMap(message => workspace.replies(message)).filter(isTable)).toHaveLength(1)
  expect(simulator.problems()).toEqual([])
}, 300_000)
