import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planDigests } from '../../simulator/soak/digests/digest-plan.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeStore, type Store } from '../../src/store/store.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-digest-'))

const [digest, other] = planDigests(2, new Date('2026-03-01T00:00:00Z'))

let database: Awaited<ReturnType<typeof createTestDatabase>>

let store: Store

beforeAll(async () => {
  database = await createTestDatabase({ on: 'embedded', migrated: true })
  store = makeStore({ url: database.url, resultKey })
})

afterAll(async () => {
  await store?.close()
  rmSync(folder, { recursive: true })
  await database?.drop()
})

const run = (...args: readonly string[]) =>
  runCli(['digest', ...args], { folder, home: folder, env: { DATABASE_URL: database.url } })

it('lists digests, pauses and resumes them, and queues a run', async () => {
  if (!digest || !other) throw new Error('there are no digests to keep')
  expect((await run('list')).out).toContain('There are no digests.')
  for (const one of [digest, other]) await store.repositories.digests.insert(one, one.id)
  const short = digest.id.slice(0, 8)

  expect((await run('list')).out).toContain(short)
  const listed: readonly { readonly id: string }[] = JSON.parse((await run('list', '--json')).out)
  expect(listed.find(({ id }) => id === digest.id)).toMatchObject({
    ...{ schedule: 'every weekday at 02:00', timeZone: 'Europe/Berlin', paused: null, failures: 0 },
    nextDue: '2026-03-02T01:00:00.000Z',
  })

  expect(await run('pause', short)).toMatchObject({ status: 0, out: `${short} is paused: Hires 0\n` })
  expect(await store.repositories.digests.find(digest.id)).toMatchObject({
    ...{ pause: { why: 'by-person' }, nextDue: null },
  })
  expect(JSON.parse((await run('resume', short, '--json')).out)).toMatchObject({
    id: digest.id,
    paused: null,
  })

  expect(await run('run', short)).toMatchObject({
    status: 0,
    out: `${short} will run as soon as the bot is free: Hires 0\n`,
  })
  expect(await store.repositories.digestRuns.listOf(digest.id, 5)).toMatchObject([
    { kind: 'by-hand', ended: null },
  ])
})

it('says which id it wants', async () => {
  for (const [id, said] of [
    ['00000000', 'There is no digest 00000000.'],
    ['hires', 'is not an id'],
  ] as const) {
    const { status, err } = await run('pause', id)
    expect([status, err]).toEqual([2, expect.stringContaining(said)])
  }
})

it('changes when, under which condition and where, and reads back what it says', async () => {
  if (!digest) throw new Error('there are no digests to keep')
  const short = digest.id.slice(0, 8)
  const { find } = store.repositories.digests
  const edit = (...words: readonly string[]) => run('edit', short, ...words)
  const first = await edit('every', 'monday', '9:00', 'if above 1,000', 'in C0123456789')
  expect(first).toMatchObject({
    status: 0,
    out: `${short} is now due every Monday at 09:00 (Europe/Berlin), only above 1,000, in C0123456789: Hires 0\n`,
  })
  const changed = await find(digest.id)
  expect(changed).toMatchObject({
    ...{ title: 'Hires 0', condition: { kind: 'above', value: 1000 } },
    ...{ schedule: { cron: '0 9 * * 1' }, target: { kind: 'channel', channel: 'C0123456789' } },
  })
  const said = /is now due (.*): Hires 0/.exec(first.out)?.[1] ?? ''
  expect((await edit(said)).out).toBe(first.out)
  expect(await find(digest.id)).toEqual(changed)
  await edit('daily 18:00 (Asia/Tokyo) to its owner')
  expect(await find(digest.id)).toMatchObject({
    schedule: { cron: '0 18 * * *', timeZone: 'Asia/Tokyo' },
    ...{ condition: { kind: 'always' }, target: { kind: 'person', person: digest.owner } },
  })
  for (const [words, why] of [
    ['daily if it rains', 'Understood: every day at 09:00.'],
    ['daily in #sales', 'Give its id'],
    ['daily to U0000000000', 'to its owner alone'],
  ] as const)
    expect(await edit(words)).toMatchObject({ status: 1, err: expect.stringContaining(why) })
})
