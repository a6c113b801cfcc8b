import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../simulator/free-port.ts'
import type { BotProcess } from '../helpers/start-bot.ts'
import { isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

let workspace: TestWorkspace
let bot: BotProcess
let base: string

beforeAll(async () => {
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  workspace = await openWorkspace({ more: () => ({ operations: { port } }) })
  bot = await workspace.bot.start()
}, 120_000)
afterAll(() => workspace?.[Symbol.asyncDispose]())

describe('a running bot', () => {
  it('is alive and ready', async () => {
    expect((await fetch(`${base}/healthz`)).status).toBe(200)
    const ready = await fetch(`${base}/readyz`)
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 200,
      body: {
        status: 'ready',
        parts: {
          ...{ store: { ok: true }, migrations: { ok: true }, queue: { ok: true } },
          ...{ slack: { ok: true }, database: { ok: true } },
        },
      },
    })
  })

  it('counts what a question did, without a word of it', async () => {
    const message = await workspace.ask('@querent how many bicycles are there by kind?')
    await workspace.reply(message, isTable)
    // The job ends after its answer is shown, and is counted then.
    await expect
      .poll(async () => (await fetch(`${base}/metrics`)).text(), { timeout: 20_000 })
      .toMatch(/querent_jobs_total\{queue="question",outcome="done"\} 1/)
    const page = await (await fetch(`${base}/metrics`)).text()
    expect(page).toMatch(/querent_statements_total\{origin="question",verdict="ran"\} [1-9]/)
    expect(page).toMatch(/querent_stage_duration_seconds_count\{stage="understand-question"\} 1/)
    expect(page).toMatch(/querent_stage_duration_seconds_count\{stage="run-statement"\} [1-9]/)
    expect(page).toMatch(/querent_stage_duration_seconds_count\{stage="post-to-slack"\} [1-9]/)
    expect(page).toMatch(/querent_questions_total\{outcome="\w[\w-]*",source="slack",cached="false"\} 1/)
    expect(page).toContain('querent_queue_jobs{queue="question",state="waiting"} 0')
    expect(page).toMatch(/querent_selector_info\{version="[\w.-]+"\} 1/)
    expect(page).toContain('querent_readings_up 1')
    expect(page).not.toMatch(/bicycle|tandem|how many/i)
  })

  it('says that it stops, and then is gone', async () => {
    const ended = bot.end('SIGTERM')
    await expect
      .poll(
        () =>
          fetch(`${base}/readyz`).then(
            answer => answer.status,
            () => 'gone',
          ),
        { interval: 5, timeout: 20_000 },
      )
      .not.toBe(200)
    expect(await ended).toMatchObject({ code: 0 })
    await expect(fetch(`${base}/healthz`)).rejects.toThrow()
  })
})
