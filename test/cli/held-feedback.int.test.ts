import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MOST_IN_BURST } from '../../src/ranking/learning/quarantine.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'
import { storeAnswered } from '../store/setup/store-answered.ts'

let folder: string

let opened: Awaited<ReturnType<typeof openTestStore>>

const run = (...args: string[]) =>
  runCli(args, { folder, home: join(folder, 'home'), env: { DATABASE_URL: opened.url } })

const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out)

const givenAt = Date.parse('2026-06-03T12:00:00Z')

/** People pick the other result of so many questions of their own, one every so often. */
const pick = async (person: string, times: number, everyMs: number) => {
  const { store } = opened
  for (let i = 0; i < times; i++) {
    const questionId = await storeAnswered(
      store,
      {
        version: 'shipped',
        groups: ['a', 'b'].map(key => ({ key, candidateIds: [key], representativeId: key, measures: {} })),
      },
      'how many bikes?',
    )
    await store.repositories.feedback.upsert({
      ...{ questionId, person, kind: 'alternative', answerKey: 'a', groupKey: 'b' },
      ...{ reason: null, note: null, sql: null, givenAt: new Date(givenAt + i * everyMs) },
    })
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  opened = await openTestStore()
})

afterAll(async () => {
  await opened?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('held feedback', { timeout: 120_000 }, () => {
  it('is empty, and knows no voters, before anyone votes', async () => {
    expect((await run('feedback', 'held')).out).toContain('No votes wait')
    expect((await run('feedback', 'voters')).out).toContain('Nobody')
    expect((await run('feedback', 'accept', 'U7')).status).toBe(2)
  })

  it('lists a burst, which is not exported until an admin accepts it', async () => {
    await pick('U7', MOST_IN_BURST + 2, 1_000)
    await pick('U8', 2, 3_600_000)
    const held = await runJson('feedback', 'held')
    expect(held).toHaveLength(MOST_IN_BURST + 2)
    expect(held[0]).toMatchObject({ person: 'U7', says: 'named', reason: 'burst' })
    expect((await run('feedback', 'held')).out).toMatch(
      /U7.*another result is right.*one of many within minutes/,
    )
    expect(await runJson('feedback', 'export')).toHaveLength(2)

    expect((await run('feedback', 'accept', 'U7')).out).toContain(
      `${MOST_IN_BURST + 2} votes of U7 will train`,
    )
    expect(await runJson('feedback', 'held')).toEqual([])
    expect(await runJson('feedback', 'export')).toHaveLength(MOST_IN_BURST + 4)
  })

  it('takes an acceptance back, and leaves the person with little weight', async () => {
    const before = await runJson('feedback', 'voters')
    expect(await runJson('feedback', 'drop', 'U7')).toMatchObject({ person: 'U7', decision: 'dropped' })
    expect(await runJson('feedback', 'export')).toHaveLength(2)
    const weightOf = (voters: { person: string; weight: number }[]) =>
      voters.find(({ person }) => person === 'U7')!.weight
    expect(weightOf(before)).toBeGreaterThan(0.5)
    expect(weightOf(await runJson('feedback', 'voters'))).toBeLessThan(0.05)
  })
})
