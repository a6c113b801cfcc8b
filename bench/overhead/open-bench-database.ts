import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { startEmbeddedServer } from '../../src/store/embedded/embedded-server.ts'

/** A database of its own on `DATABASE_URL`, else on an embedded server that is stopped with it. */
export const openBenchDatabase = async (): Promise<{
  readonly url: string
  emptyCheckpoints(): Promise<void>
  drop(): Promise<void>
}> => {
  const home = mkdtempSync(join(tmpdir(), 'querent-bench-'))
  const server =
    process.env.DATABASE_URL === undefined ? await startEmbeddedServer({ home, log: silentLog }) : null
  const adminUrl = process.env.DATABASE_URL ?? server!.adminUrl
  const name = `querent_bench_${randomBytes(6).toString('hex')}`
  const run = async (url: string, sql: string): Promise<void> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(adminUrl, `create database ${name}`)
  const own = new URL(adminUrl)
  own.pathname = `/${name}`
  const url = own.toString()
  return {
    url,
    emptyCheckpoints: () =>
      run(
        url,
        'truncate querent_graph.checkpoints, querent_graph.checkpoint_blobs, querent_graph.checkpoint_writes',
      ),
    drop: async () => {
      await run(adminUrl, `drop database if exists ${name} with (force)`)
      await server?.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
