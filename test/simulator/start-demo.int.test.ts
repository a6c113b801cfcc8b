import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimStore } from '../../simulator/claim-store.ts'
import { startDemo } from '../../simulator/start-demo.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeReleasers } from '../../src/lib/releasers.ts'
import {
  type EmbeddedServer,
  ensureDatabase,
  startEmbeddedServer,
} from '../../src/store/embedded/embedded-server.ts'

const store = 'querent_demo'

let home: string

let server: EmbeddedServer

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'querent-test-'))
  server = await startEmbeddedServer({ home, durable: false })
})

afterAll(async () => {
  await server?.stop()
  rmSync(server.folder, { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
})

it('a second demo in the same folder says what to do, and leaves the store of the first alone', async () => {
  await ensureDatabase(server.adminUrl, store)
  const lines: string[] = []
  const start = async () => {
    const releasers = makeReleasers()
    const configured = loadConfig({ cwd: home, env: { QUERENT_HOME: home } })
    const now = () => new Date()
    const say = (line: string) => void lines.push(line)
    try {
      await startDemo({ configured, store, log: silentLog, releasers, now, say })
    } finally {
      await releasers.release()
    }
  }
  const first = claimStore(server, store, home)
  const client = new Client({ connectionString: server.urlFor(store) })
  await client.connect()
  try {
    await expect(start()).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringMatching(
        /^another demo runs with the folder .*QUERENT_HOME=<folder> npm run demo$/,
      ),
    })
    expect(lines).toEqual(['Starting the store and the simulator ...'])
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await client.end()
    first.release()
  }
  claimStore(server, store, home).release()
})
