import { describe, expect, it } from 'vitest'
import { isTable } from '../message-parts.ts'
import { openWorkspace } from '../open-workspace.ts'

/** What a process manager may count on: gone within 25 s of SIGTERM, and a little for a busy machine. */
const GONE_MS = 28_000

const clear = '@querent how many bicycles are there by kind?'

describe.concurrent('a bot that is told to stop', { timeout: 180_000 }, () => {
  it('finishes the question that it works on', async () => {
    await using workspace = await openWorkspace()
    const { watcher, bot } = workspace
    const process = await bot.start()
    const lock = await watcher.lock('querent.saved_results')
    const question = await workspace.ask(clear)
    await lock.blocks()
    const ended = process.end('SIGTERM', GONE_MS)
    await workspace.simulator.settled()
    await lock.release()
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(workspace.replies(question).map(isTable)).toEqual([true])
    expect(workspace.simulator.problems()).toEqual([])
  })

  it('hands a question back that takes too long, and the next one answers it, once', async () => {
    await using workspace = await openWorkspace()
    const { watcher, bot } = workspace
    const first = await bot.start()
    const lock = await watcher.lock('querent.saved_results')
    const question = await workspace.ask(clear)
    await lock.blocks()
    expect(await first.end('SIGTERM', GONE_MS)).toEqual({ code: 0, signal: null })
    expect(workspace.replies(question).map(isTable)).toEqual([false])
    await lock.release()
    await bot.start()
    await workspace.reply(question, isTable, 75_000)
    expect(workspace.replies(question)).toHaveLength(1)
    expect(workspace.simulator.problems()).toEqual([])
  })

  it('takes no new question in, and Slack brings it back', async () => {
    await using workspace = await openWorkspace({ timing: { retryAfter: [0, 10_000, 30_000] } })
    const { simulator, bot } = workspace
    const first = await bot.start()
    expect(await first.end('SIGTERM', GONE_MS)).toEqual({ code: 0, signal: null })
    const question = await workspace.ask(clear)
    await simulator.until(() => simulator.deliveries().some(({ outcome }) => outcome === 'unreachable'))
    await bot.start()
    await workspace.reply(question, isTable, 60_000)
    await simulator.settled()
    expect(workspace.replies(question)).toHaveLength(1)
    expect(simulator.problems()).toEqual([])
  })
})
