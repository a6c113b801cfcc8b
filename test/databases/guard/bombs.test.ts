import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { makeDuckdbConnector } from '../../../src/databases/connectors/duckdb/connector.ts'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { makeDuckdbFile } from '../../helpers/duckdb-file.ts'
import { runOn } from '../../helpers/run-on.ts'
import { watchProcesses } from '../connectors/watch-processes.ts'
import { bombs, growing } from './bombs.ts'

// Bombs that come past the guard, to the processes that read files. Each is stopped by a limit of memory or time.

const folder = mkdtempSync(join(tmpdir(), 'querent-bombs-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const gigabyte = 1024 ** 3

const pets = "(1, 'aab'), (2, 'b'), (3, 'caaa')"

const everyNth = (list: readonly string[], n: number): readonly string[] =>
  list.filter((_, at) => at % n === 0)

/** The most memory that processes on a path have ever had, as the system counts it. */
const watchMemory = (pidsOf: () => readonly number[]) => {
  let peak = 0
  const look = (): void => {
    for (const pid of pidsOf()) {
      try {
        const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        peak = Math.max(peak, Number(kilobytes ?? 0) * 1024)
      } catch {}
    }
  }
  const timer = setInterval(look, 25)
  return () => {
    clearInterval(timer)
    look()
    return peak
  }
}

const detonate = async (
  connector: Connector,
  list: readonly string[],
  pidsOf: () => readonly number[],
): Promise<number> => {
  const peakOf = watchMemory(pidsOf)
  for (const sql of list) {
    await runOn(connector, sql, { timeoutMs: 1_000 }).catch(() => {})
    expect((await runOn(connector, 'SELECT count(*) FROM pets')).rows).toMatchObject([[3]])
  }
  return peakOf()
}

describe.runIf(process.platform === 'linux')('a bomb that comes past the guard', () => {
  test('takes no more than a gigabyte of a SQLite process, and the next statement runs', async () => {
    const path = join(folder, 'pets.sqlite')
    const database = new DatabaseSync(path)
    database.exec(`create table pets (id integer, name text); insert into pets values ${pets}`)
    database.close()
    const connector = await makeSqliteConnector({ file: path, processes: 1 })
    const { processesOn } = watchProcesses('sqlite/child.ts', word => word === path)
    const peak = await detonate(connector, everyNth(bombs.sqlite, 3), () =>
      processesOn(path).map(({ pid }) => pid),
    )
    await connector.close()
    expect(peak).toBeGreaterThan(0)
    expect(peak).toBeLessThan(gigabyte)
  }, 120_000)

  test('takes no more than two gigabytes of a DuckDB process, and the next statement runs', async () => {
    const path = join(folder, 'pets.duckdb')
    await makeDuckdbFile(path, `create table pets (id integer, name text); insert into pets values ${pets}`)
    const connector = await makeDuckdbConnector({ path, processes: 1 })
    const { processesOn } = watchProcesses('duckdb/child.ts', word => word.includes(JSON.stringify(path)))
    const peak = await detonate(connector, everyNth(bombs.duckdb, 6), () =>
      processesOn(path).map(({ pid }) => pid),
    )
    await connector.close()
    expect(peak).toBeGreaterThan(0)
    expect(peak).toBeLessThan(2 * gigabyte)
  }, 120_000)
})

test('aggregates that grow with their rows run over a few of them, so that a million would be real', async () => {
  const setup = `create table pets (id integer, name text); insert into pets values ${pets}`
  const [sqliteFile, duckdbFile] = [join(folder, 'few.sqlite'), join(folder, 'few.duckdb')]
  const database = new DatabaseSync(sqliteFile)
  database.exec(setup)
  database.close()
  await makeDuckdbFile(duckdbFile, setup)
  for (const connector of [
    await makeSqliteConnector({ file: sqliteFile, processes: 1 }),
    await makeDuckdbConnector({ path: duckdbFile, processes: 1 }),
  ]) {
    for (const sql of growing(connector.dialect, 9))
      expect([sql, await runOn(connector, sql).then(() => 'ran', String)]).toEqual([sql, 'ran'])
    await connector.close()
  }
}, 60_000)
