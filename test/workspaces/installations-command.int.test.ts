import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSealer } from '../../src/store/sealer.ts'
import { openCredentials, sealCredentials } from '../../src/workspaces/bot-account.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-installations-'))

const [newKey, oldKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

let opened: Awaited<ReturnType<typeof openTestStore>>

beforeAll(async () => {
  opened = await openTestStore()
})

afterAll(async () => {
  await opened?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const run = (...args: readonly string[]) =>
  runCli(['installations', ...args], {
    ...{ folder, home: folder },
    env: {
      DATABASE_URL: opened.url,
      QUERENT_ENCRYPTION_KEYS: `new:${newKey.toString('base64')},old:${oldKey.toString('base64')}`,
    },
  })

it('lists workspaces without tokens, re-encrypts them, and removes one', async () => {
  const { installations } = opened.store.repositories
  expect((await run('list')).out).toContain('No workspace has installed the app.')
  const credentials = { token: 'xoxb-secret', refreshToken: 'xoxe-1-secret' }
  await installations.upsert({
    ...{ team: 'T0ACME', teamName: 'Acme', botUserId: 'U1', botId: 'B1', scopes: ['chat:write'] },
    sealed: sealCredentials(makeSealer([{ id: 'old', key: oldKey }]), 'T0ACME', credentials),
    ...{ expiresAt: new Date('2026-11-22T12:00:00Z'), installedAt: new Date('2026-11-21T12:00:00Z') },
  })
  await installations.recordFailure('T0ACME', { reason: 'Slack was away', at: new Date(0) })
  const listed = await run('list')
  for (const word of ['T0ACME', 'Acme', 'until 2026-11-22 12:00', 'Slack was away', 'old'])
    expect(listed.out).toContain(word)
  expect(JSON.parse((await run('list', '--json')).out)).toEqual([
    {
      ...{ team: 'T0ACME', name: 'Acme', installedAt: '2026-11-21T12:00:00.000Z', key: 'old' },
      ...{ expiresAt: '2026-11-22T12:00:00.000Z' },
      failure: { reason: 'Slack was away', at: '1970-01-01T00:00:00.000Z' },
    },
  ])
  expect(listed.out).not.toContain('secret')

  expect(await run('rotate-keys')).toMatchObject({
    status: 0,
    out: expect.stringContaining('1 of 1 workspace again'),
  })
  const sealed = (await installations.find('T0ACME'))?.sealed ?? ''
  expect(openCredentials(makeSealer([{ id: 'new', key: newKey }]), 'T0ACME', sealed)).toEqual(credentials)

  expect(await run('remove', 'T0BETA')).toMatchObject({
    status: 2,
    err: expect.stringContaining('not installed'),
  })
  expect(await run('remove', 'T0ACME')).toMatchObject({ status: 0 })
  expect(await installations.list()).toEqual([])
})
