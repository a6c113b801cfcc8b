import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { duckdbProcesses } from '../duckdb-folder.ts'
import { sqliteNumbers, sqliteProcesses } from '../sqlite-folder.ts'
import { watchProcesses } from '../watch-processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-orphans-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const source = (path: string): string =>
  join(import.meta.dirname, '../../../../src/databases/connectors', path)

const csv = join(folder, 'numbers.csv')

writeFileSync(csv, 'n\n1\n2\n')

const file = join(folder, 'numbers.sqlite')

const database = new DatabaseSync(file)

database.exec('create table numbers (n integer)')

database.close()

/** A child that never gets to its event loop while it opens its database. */
const blocked = join(folder, 'blocked-child.mjs')

writeFileSync(
  blocked,
  `import { serve } from ${JSON.stringify(source('child/serve.ts'))}
   await serve({
     open: () => { for (;;); },
     toChildError: error => ({ resultCode: null, message: String(error) }),
     parentPid: Number(process.argv[3]),
     maxResidentBytes: 1e9,
   })`,
)

const blockedProcesses = watchProcesses('blocked-child.mjs', (word, path) => word === path)

const running = (connector: 'duckdb' | 'sqlite', options: object, sql: string): string => {
  const name = connector === 'duckdb' ? 'makeDuckdbConnector' : 'makeSqliteConnector'
  return `
    import { ${name} } from ${JSON.stringify(source(`${connector}/connector.ts`))}
    const connector = await ${name}(${JSON.stringify(options)})
    const sql = { sql: ${JSON.stringify(sql)}, dialect: ${JSON.stringify(connector)} }
    await connector.run(sql, { timeoutMs: 600000, maxRows: 1e9, maxBytes: 1e12 })`
}

const countOnDuckdb =
  'select count(*) from range(1000000000) a, range(1000000) b where a.range * b.range % 7 = 3'

const onDuckdb = (sql: string): string => running('duckdb', { path: csv }, sql)

const onSqlite = (sql: string): string => running('sqlite', { file }, sql)

const opening = `
  import { forkChild } from ${JSON.stringify(source('child/fork.ts'))}
  const told = ${JSON.stringify(blocked)}
  await forkChild({ path: told, told, env: {}, cannotOpen: Error, toSqlError: Error })`

/** A child has started its watchdog and its work after so much processor time. */
const startTicks = 100

describe('a child whose parent is killed', () => {
  const parents: ChildProcess[] = []
  afterEach(() => {
    for (const parent of parents.splice(0)) parent.kill('SIGKILL')
  })

  const startParent = (program: string): ChildProcess => {
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
    parents.push(parent)
    return parent
  }

  /** What its parent runs, and how long it may take to end. A child that only starts to open has its watchdog to start. */
  const cases: readonly (readonly [string, string, typeof duckdbProcesses, string, number])[] = [
    ['DuckDB counts on all its threads', onDuckdb(countOnDuckdb), duckdbProcesses, csv, 2_000],
    [
      'DuckDB computes one long value',
      onDuckdb(
        'select list_sum(list_transform(range(0, 1000000), x -> list_sum(list_transform(range(0, 100000), y -> y + x))))',
      ),
      duckdbProcesses,
      csv,
      2_000,
    ],
    [
      'DuckDB sorts until its memory is full',
      onDuckdb(
        'select max(s) from (select row_number() over (order by hash(a.range * b.range)) s from range(3000000) a, range(3000000) b)',
      ),
      duckdbProcesses,
      csv,
      2_000,
    ],
    [
      'SQLite counts',
      onSqlite(`select count(*) from (${sqliteNumbers(2_000_000_000_000)})`),
      sqliteProcesses,
      file,
      2_000,
    ],
    ['it opens its database', opening, blockedProcesses, blocked, 10_000],
  ]

  it.each(cases)(
    'ends soon: %s',
    async (_, program, { processesOn, workingOn }, path, timeout) => {
      const parent = startParent(program)
      await vi.waitFor(async () => expect(await workingOn(path)).toBe(1), { timeout: 20_000 })
      await vi.waitFor(() => expect(processesOn(path)[0]!.ticks).toBeGreaterThan(startTicks), {
        timeout: 20_000,
      })
      const [child] = processesOn(path)
      try {
        parent.kill('SIGKILL')
        await vi.waitFor(() => expect(processesOn(path)).toEqual([]), { timeout })
      } finally {
        if (processesOn(path).some(({ pid }) => pid === child?.pid)) process.kill(child!.pid, 'SIGKILL')
      }
    },
    60_000,
  )

  // The watchdog and the closed channel both notice a dead parent, and either can be first. Here it is the channel.
  it('ends soon: DuckDB works, and only the channel to its parent closes', async () => {
    const task = { path: csv, threads: 2, memoryBytes: 256 * 1024 ** 2, timeZone: 'UTC' }
    const child = fork(source('duckdb/child.ts'), [JSON.stringify(task), String(process.pid)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    try {
      await once(child, 'message')
      child.send({ type: 'run', sql: countOnDuckdb, maxRows: 10, maxBytes: 1000 })
      await vi.waitFor(async () => expect(await duckdbProcesses.workingOn(csv)).toBe(1), { timeout: 20_000 })
      child.disconnect()
      await vi.waitFor(() => expect(duckdbProcesses.processesOn(csv)).toEqual([]), { timeout: 2_000 })
    } finally {
      child.kill('SIGKILL')
    }
  }, 60_000)
})
