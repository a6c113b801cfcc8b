import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { makeJobs } from '../../src/jobs/jobs.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeCheckpoints } from '../../src/store/checkpoints.ts'
import { makeStore } from '../../src/store/store.ts'
import { requireService } from '../helpers/services/require-service.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { insertPerson, questionOf } from './setup/insert-person.ts'

const storeUrl = requireService('DATABASE_URL', 'a store that is dumped and restored')

const run = promisify(execFile)

const version = async (program: string): Promise<number> =>
  run(program, ['--version']).then(
    ({ stdout }) => Number(/\d+/.exec(stdout)?.[0]),
    () => 0,
  )

const serverVersion = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show server_version_num')
  await client.end()
  return Math.trunc(Number(rows[0].server_version_num) / 10_000)
}

const open = async (url: string) => {
  const store = makeStore({ url, resultKey })
  await store.migrate()
  const jobs = await makeJobs({ url, executeIn: store.executeIn })
  const checkpoints = makeCheckpoints({ url })
  const close = async () => {
    await jobs.stop({ timeoutMs: 1000 })
    await checkpoints.close()
    await store.close()
  }
  return { store, jobs, checkpoints, close }
}

// As docs/operating.md tells it. The tools must be as new as the server; the embedded one has none.
it.skipIf(storeUrl === null)('a store that is dumped and restored goes on', async ({ skip }) => {
  await using old = await createTestDatabase({ on: 'external', migrated: true })
  if ((await version('pg_dump')) < (await serverVersion(old.url))) skip('pg_dump is missing or too old')
  const folder = mkdtempSync(join(tmpdir(), 'querent-backup-'))
  try {
    const file = join(folder, 'querent.dump')
    const client = new Client({ connectionString: old.url })
    await client.connect()
    await insertPerson(client)
    await client.end()
    const before = await open(old.url)
    await before.jobs.send('question', { questionId: questionOf.person })
    const config = { configurable: { thread_id: questionOf.person, checkpoint_ns: '' } }
    await before.checkpoints.checkpointer.put(
      config,
      {
        v: 4,
        id: '1',
        ts: '2026-03-02T10:00:00Z',
        channel_values: {},
        channel_versions: {},
        versions_seen: {},
      },
      { source: 'input', step: 0, parents: {} },
      {},
    )
    await before.close()

    await run('pg_dump', ['--format=custom', `--file=${file}`, old.url])
    await old.drop()
    await using restored = await createTestDatabase({ on: 'external' })
    await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${restored.url}`, file])

    const after = await open(restored.url)
    try {
      expect(await after.store.pendingMigrations()).toEqual([])
      expect(await after.store.questionLog.load(questionOf.person)).toMatchObject({ database: 'shop' })
      expect(await after.store.repositories.modelUsage.list('2026-03-02')).toHaveLength(3)
      expect((await after.checkpoints.checkpointer.getTuple(config))?.checkpoint.id).toBe('1')
      const taken = Promise.withResolvers<string>()
      await after.jobs.work('question', async ({ questionId }) => taken.resolve(questionId), {
        concurrency: 1,
      })
      expect(await taken.promise).toBe(questionOf.person)
    } finally {
      await after.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
