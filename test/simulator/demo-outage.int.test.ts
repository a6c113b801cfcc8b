import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { findServerData } from '../../src/store/embedded/server-folder.ts'
import { cyclesSchema } from '../e2e/cycles-schema.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { canTellListening, listeningOn } from './listening-on.ts'

const program = join(import.meta.dirname, '../../simulator/demo.ts')

it('a demo whose Postgres is killed goes on, and answers each question once', async () => {
  await using undo = new AsyncDisposableStack()
  const cycles = undo.adopt(makeSqliteFile(cyclesSchema), file => file.remove())
  const home = undo.adopt(mkdtempSync(join(tmpdir(), 'querent-demo-')), folder =>
    rmSync(folder, { recursive: true, force: true }),
  )
  writeFileSync(
    join(home, 'querent.yml'),
    `defaultDatabase: cycles\ndatabases:\n  cycles: { path: ${cycles.file} }\n`,
  )
  const { DATABASE_URL: _, ...env } = process.env
  const demo = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { ...env, QUERENT_HOME: home, QUERENT_CONFIG: join(home, 'querent.yml') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(demo, 'exit')
  undo.defer(async () => {
    demo.kill('SIGTERM')
    await ended
    const data = await findServerData(home)
    if (data !== null) rmSync(join(data, '..'), { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', chunk => (said += String(chunk)))
  const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
  await expect.poll(address, { timeout: 60_000, message: 'the demo is ready' }).toBeDefined()
  if (canTellListening) {
    const places = listeningOn(demo.pid ?? 0)
    // The simulator, and the bot.
    expect([places.length, places.filter(place => !place.startsWith('127.0.0.1:'))]).toEqual([2, []])
  }

  const call = async (name: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address()}/_simulator/${name}`, {
      headers: { 'content-type': 'application/json', origin: address() ?? '' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return response.json()
  }
  const ask = async (text: string): Promise<string> =>
    ((await call('post', { by: 'ada', in: '#sales', text })) as RecordedMessage).ts
  const tablesIn = async (thread: string): Promise<number> =>
    ((await call('messages')) as RecordedMessage[]).filter(
      ({ byBot, threadTs, blocks }) =>
        byBot && threadTs === thread && JSON.stringify(blocks).includes('"data_table"'),
    ).length

  const first = await ask('@querent how many bicycles are there by kind?')
  // Acknowledged, it is stored; otherwise Slack would send it again after a minute.
  await expect.poll(async () => JSON.stringify(await call('deliveries'))).toContain('acknowledged')
  const data = (await findServerData(home)) ?? ''
  process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  await expect.poll(() => said, { timeout: 30_000 }).toContain('is started again')
  await expect.poll(() => tablesIn(first), { timeout: 120_000, interval: 500 }).toBe(1)
  const second = await ask('@querent how many hires are there by pickup country?')
  await expect.poll(() => tablesIn(second), { timeout: 60_000, interval: 500 }).toBe(1)
  expect([await tablesIn(first), demo.exitCode]).toEqual([1, null])
}, 300_000)
