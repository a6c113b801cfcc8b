import { expect, it, vi } from 'vitest'
import { cells, isTable } from '../message-parts.ts'
import { openWorkspace } from '../open-workspace.ts'

/** Rejects where nobody waits, as a checkpoint does that is written behind a run while the store is away. */
const preload = `data:text/javascript,process.on('SIGUSR2', () => {
  Promise.reject(new Error('the checkpoint could not be written'))
})`

it('a promise that rejects where nobody waits is logged, and the bot goes on answering', async () => {
  await using workspace = await openWorkspace({ preload })
  const { pid } = await workspace.bot.start()
  process.kill(pid, 'SIGUSR2')
  await vi.waitFor(
    () => expect(workspace.bot.complaints().join('\n')).toContain('an error went unhandled'),
    10_000,
  )
  expect(workspace.bot.complaints().join('\n')).toContain('the checkpoint could not be written')
  const question = await workspace.ask('@querent how many bicycles are there by kind?')
  expect(cells(await workspace.reply(question, isTable))).toHaveLength(4)
}, 120_000)
