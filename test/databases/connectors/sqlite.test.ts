import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { Connector } from '../../../src/core/connector.ts'
import type { QuerentError } from '../../../src/core/errors.ts'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import { forgeGuardedSql, harbourRows, testConnector } from '../../contracts/connector.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const makeFile = (sql: string): string => {
  files += 1
  const file = join(folder, `${files}.sqlite`)
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  return file
}

interface Process {
  readonly pid: number
  /** Processor time used so far, in ticks. */
  readonly ticks: number
}

/** The living processes that have a file open, as the system sees them. A zombie only waits to be counted. */
const processesOn = (file: string): Process[] =>
  readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .flatMap(entry => {
      try {
        const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0')
        if (!words.some(word => word.endsWith('sqlite/child.ts')) || !words.includes(file)) return []
        const [state, ...fields] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1]!.split(' ')
        if (state === 'Z' || state === 'X') return []
        return [{ pid: Number(entry), ticks: Number(fields[10]) + Number(fields[11]) }]
      } catch {
        return []
      }
    })

/** Those of them that are at work: their processor time grows. */
const workingOn = async (file: string): Promise<number> => {
  const before = new Map(processesOn(file).map(({ pid, ticks }) => [pid, ticks]))
  await new Promise(resolve => setTimeout(resolve, 150))
  return processesOn(file).filter(({ pid, ticks }) => ticks > (before.get(pid) ?? 0) + 3).length
}

const limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 }
const runOn = (connector: Connector, sql: string) => connector.run(forgeGuardedSql(sql, 'sqlite'), limits)

const harbour = makeFile(`
  create table ports (id integer primary key, name text not null, country text, opened date);
  create table ships (id integer primary key, name text not null, home_port_id integer references ports (id),
    tonnage numeric(10, 2), active boolean, launched datetime);
  create table voyages (ship_id integer not null references ships (id), number integer not null,
    departed datetime, primary key (ship_id, number));
  create table stops (id integer primary key, ship_id integer, voyage_number integer,
    port_id integer references ports (id), note text,
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harbourRows}
`)

const numbers = (count: number): string =>
  `with recursive r(n) as (select 1 union all select n + 1 from r where n < ${count}) select n from r`

testConnector({
  name: 'SQLite',
  open: () => makeSqliteConnector({ file: harbour }),
  cleanUp: async () => {},
  runningStatements: () => workingOn(harbour),
  heldResources: async () => processesOn(harbour).length,
  typed: {
    sql: `select 1 as whole, 9007199254740993 as large, 1.5 as part, 'x' as words, x'00ff' as bytes, null as absent,
      date('2024-01-02') as day, datetime('2024-01-02 03:04:05') as moment, time('03:04:05') as clock,
      9e999 as endless, launched, opened, active, tonnage
      from ships, ports where ships.id = 1 and ports.id = 1`,
    columns: [
      { name: 'whole', kind: 'integer' },
      { name: 'large', kind: 'integer' },
      { name: 'part', kind: 'number' },
      { name: 'words', kind: 'text' },
      { name: 'bytes', kind: 'blob' },
      { name: 'absent', kind: 'unknown' },
      { name: 'day', kind: 'date' },
      { name: 'moment', kind: 'timestamp' },
      { name: 'clock', kind: 'time' },
      { name: 'endless', kind: 'number' },
      { name: 'launched', kind: 'timestamp' },
      { name: 'opened', kind: 'date' },
      { name: 'active', kind: 'boolean' },
      { name: 'tonnage', kind: 'number' },
    ],
    row: [
      1,
      9007199254740993n,
      1.5,
      'x',
      new Uint8Array([0, 255]),
      null,
      '2024-01-02',
      '2024-01-02 03:04:05',
      '03:04:05',
      'Infinity',
      '2001-05-06 10:00:00',
      '1848-01-01',
      1,
      1200.5,
    ],
  },
  roleCanWrite: null,
  runaway: `select count(*) from (${numbers(2_000_000_000_000)})`,
  numbers,
  texts: (length, count) => `select printf('%.*c', ${length}, 'x') from (${numbers(count)})`,
  writes: [
    "insert into ports (id, name) values (9, 'x')",
    "update ports set name = 'x'",
    'delete from ports',
    "replace into ports (id, name) values (1, 'x')",
    'create table loot (x)',
    'create temp table loot (x)',
    'drop table stops',
    'alter table ports add column x',
    'with gone as (select 1) delete from ports',
    "insert into ports (id, name) values (9, 'x') returning id",
    `attach database '${join(folder, 'attached.sqlite')}' as other`,
    `vacuum into '${join(folder, 'copy.sqlite')}'`,
    'pragma user_version = 5',
    'pragma table_info(ports)',
    'begin immediate',
    'reindex',
    'analyze',
    `select load_extension('x')`,
    'select * from sqlite_master',
    'select * from SQLITE_SCHEMA',
    `select * from pragma_table_info('ports')`,
    'select randomblob(1000000000)',
  ],
  errors: [
    ['syntax', 'selec 1'],
    ['syntax', 'select * from'],
    ['syntax', "select 'open"],
    ['syntax', 'select 1 union select 1, 2'],
    ['syntax', 'select name from ports order by 4'],
    ['unknown-table', 'select * from docks'],
    ['unknown-table', 'select * from main.docks'],
    ['unknown-column', 'select nope from ports'],
    ['unknown-column', 'select p.nope from ports p'],
    ['ambiguous-column', 'select id from ports, ships'],
    ['type-mismatch', "select name from ports limit 'x'"],
    ['type-mismatch', "select json('{')"],
    ['function', 'select nope(1)'],
    ['function', 'select lower()'],
    ['aggregation', 'select name from ports where count(*) > 1'],
    ['aggregation', 'select sum(sum(id)) from ports'],
    ['aggregation', 'select name from ports having id > 1'],
    ['permission', 'select * from sqlite_master'],
    ['other', 'select abs(-9223372036854775807 - 1)'],
  ],
})

describe('SQLite files', () => {
  const opened: Connector[] = []
  const open = async (sql: string): Promise<Connector> => {
    const connector = await makeSqliteConnector({ file: makeFile(sql) })
    opened.push(connector)
    return connector
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(connector => connector.close()))
  })
  const refusal = async (file: string): Promise<Pick<QuerentError, 'code' | 'message'>> =>
    makeSqliteConnector({ file }).then(
      () => expect.fail('it opened'),
      error => error,
    )

  it('are said to be missing, folders, empty or something else when they are', async () => {
    expect(await refusal(join(folder, 'nowhere.sqlite'))).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('There is no file'),
    })
    expect(await refusal(folder)).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('is a folder'),
    })
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'this is a text that is not a database')
    expect(await refusal(text)).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('not a SQLite database'),
    })
    const empty = join(folder, 'empty.sqlite')
    writeFileSync(empty, '')
    expect(await refusal(empty)).toMatchObject({ message: expect.stringContaining('is empty') })
  })

  it('are said to be broken when only their beginning is right', async () => {
    const file = join(folder, 'broken.sqlite')
    writeFileSync(file, `SQLite format 3\u0000${'garbage '.repeat(500)}`)
    const connector = await makeSqliteConnector({ file })
    opened.push(connector)
    await expect(runOn(connector, 'select 1')).rejects.toMatchObject({
      code: 'database-unreachable',
      message: expect.stringContaining(file),
    })
  })

  it.skipIf(process.getuid?.() === 0)('are said to be closed to this user', async () => {
    const file = makeFile('create table t (x)')
    chmodSync(file, 0o000)
    expect(await refusal(file)).toMatchObject({ code: 'database-unreachable' })
  })

  it('may hold text that is not valid UTF-8, and text with a zero in it', async () => {
    const connector = await open(`
      create table t (x text);
      insert into t values (cast(x'4dfc6e6368656e' as text)), ('a' || char(0) || 'b')`)
    expect((await runOn(connector, 'select x from t')).rows).toEqual([['M\ufffdnchen'], ['a\u0000b']])
  })

  it('may hold values of other types than were declared', async () => {
    const connector = await open(`
      create table t (number integer, flag boolean, day date, words text, mixed);
      insert into t values ('n/a', 2, '5 May', 7, 1), (1, 1, '2024-01-01', 'x', 'one'), (null, null, null, null, x'00')`)
    const result = await runOn(connector, 'select * from t')
    expect(result.columns.map(column => column.kind)).toEqual([
      'unknown',
      'integer',
      'text',
      'text',
      'unknown',
    ])
    expect(result.rows[0]).toEqual(['n/a', 2, '5 May', '7', 1])
    const [table] = (await connector.introspect()).tables
    expect(table!.columns.map(column => column.kind)).toEqual([
      'integer',
      'boolean',
      'date',
      'text',
      'unknown',
    ])
  })

  it('may declare keys without columns, in other case, twice, and to tables that are not there', async () => {
    const connector = await open(`
      create table Person (Id integer primary key, Name text);
      create table pair (a integer, b integer, primary key (b, a));
      create table keyless (x integer);
      create table child (
        person integer references PERSON,
        twice integer references person (ID) references person (ID),
        nowhere integer references gone (id),
        keyless integer references keyless,
        wrong integer references person (missing),
        x integer, y integer,
        foreign key (x, y) references pair)`)
    const { foreignKeys } = await connector.introspect()
    expect(foreignKeys.map(({ from, to }) => [from.columns, to.table, to.columns])).toEqual([
      [['person'], 'Person', ['Id']],
      [['twice'], 'Person', ['Id']],
      [['x', 'y'], 'pair', ['b', 'a']],
    ])
  })

  it('may have views over tables that are gone, generated columns and full-text tables', async () => {
    const connector = await open(`
      create table t (a integer, b integer generated always as (a * 2) virtual);
      insert into t (a) values (21);
      create table short_lived (x); create view dangling as select x from short_lived; drop table short_lived;
      create virtual table notes using fts5(body);
      insert into notes values ('a grey heron'), ('a white gull')`)
    const catalog = await connector.introspect()
    expect(catalog.tables.map(table => [table.name, table.columns.map(column => column.name)])).toEqual([
      ['notes', ['body']],
      ['t', ['a', 'b']],
    ])
    expect((await runOn(connector, 'select b from t')).rows).toEqual([[42]])
    expect((await runOn(connector, "select body from notes where notes match 'heron'")).rows).toEqual([
      ['a grey heron'],
    ])
  })

  it('take double-quoted text as text where no column bears the name', async () => {
    const connector = await open(`create table t (name text); insert into t values ('Gull'), ('name')`)
    expect((await runOn(connector, 'select count(*) from t where name = "Gull"')).rows).toEqual([[1]])
    expect((await runOn(connector, 'select count(*) from t where "name" = name')).rows).toEqual([[2]])
  })

  it('are counted, and their fingerprint changes with the schema and not with the rows', async () => {
    const [empty, filled, altered] = await Promise.all(
      [
        'create table t (x integer)',
        'create table t (x integer); insert into t values (1), (2)',
        'create table t (x text)',
      ].map(async sql => (await open(sql)).introspect()),
    )
    expect(empty!.tables[0]!.rowCount).toBe(0)
    expect(filled!.tables[0]!.rowCount).toBe(2)
    expect(filled!.fingerprint).toBe(empty!.fingerprint)
    expect(altered!.fingerprint).not.toBe(empty!.fingerprint)
  })

  it('use the time zone that was given', async () => {
    const file = makeFile('create table t (x)')
    const connector = await makeSqliteConnector({ file, timeZone: 'Asia/Tokyo' })
    opened.push(connector)
    expect((await runOn(connector, "select datetime('2024-01-01 00:00:00', 'localtime')")).rows).toEqual([
      ['2024-01-01 09:00:00'],
    ])
  })
})

describe('processes of the SQLite connector', () => {
  const parents: ChildProcess[] = []
  afterEach(() => {
    for (const parent of parents.splice(0)) parent.kill('SIGKILL')
  })

  /** A program of its own that opens a file and runs one statement. */
  const startParent = (file: string, sql: string): ChildProcess => {
    const module = join(import.meta.dirname, '../../../src/databases/connectors/sqlite/connector.ts')
    const program = `
      import { makeSqliteConnector } from ${JSON.stringify(module)}
      const connector = await makeSqliteConnector({ file: ${JSON.stringify(file)} })
      const sql = { sql: ${JSON.stringify(sql)}, dialect: 'sqlite' }
      const result = await connector.run(sql, { timeoutMs: 60000, maxRows: 10, maxBytes: 1000 })
      process.stdout.write(JSON.stringify(result.rows))`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    parents.push(parent)
    return parent
  }

  it('do not outlive a parent that is killed while they are at work', async () => {
    const file = makeFile('create table t (x)')
    const parent = startParent(file, `select count(*) from (${numbers(2_000_000_000_000)})`)
    await vi.waitFor(async () => expect(await workingOn(file)).toBe(1), { timeout: 10_000 })
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(processesOn(file)).toEqual([]), { timeout: 10_000 })
  }, 30_000)

  it('let a parent go that forgot to close, without a word on standard error', async () => {
    const file = makeFile('create table t (x)')
    const parent = startParent(file, 'select 1')
    let output = ''
    let complaints = ''
    parent.stdout!.on('data', chunk => {
      output += chunk
    })
    parent.stderr!.on('data', chunk => {
      complaints += chunk
    })
    const code = await new Promise(resolve => parent.once('close', resolve))
    expect({ code, output, complaints }).toEqual({ code: 0, output: '[[1]]', complaints: '' })
    await vi.waitFor(() => expect(processesOn(file)).toEqual([]), { timeout: 10_000 })
  }, 30_000)

  it('rest while nothing is asked', async () => {
    const file = makeFile('create table t (x)')
    const connector = await makeSqliteConnector({ file })
    await runOn(connector, 'select 1')
    await vi.waitFor(async () => expect(await workingOn(file)).toBe(0), { timeout: 5000 })
    const [before] = processesOn(file)
    await new Promise(resolve => setTimeout(resolve, 1000))
    const [after] = processesOn(file)
    expect(after!.pid).toBe(before!.pid)
    // A hundred ticks are a second of work; a few may go to collecting garbage.
    expect(after!.ticks - before!.ticks).toBeLessThanOrEqual(5)
    await connector.close()
  })

  it('are as many as statements run at once, and no more than allowed', async () => {
    const file = makeFile('create table t (x)')
    const connector = await makeSqliteConnector({ file, processes: 2 })
    expect(processesOn(file)).toEqual([])
    await runOn(connector, 'select 1')
    await runOn(connector, 'select 1')
    expect(processesOn(file).length).toBe(1)
    await Promise.all(Array.from({ length: 6 }, () => runOn(connector, 'select 1')))
    expect(processesOn(file).length).toBe(2)
    await connector.close()
    expect(processesOn(file)).toEqual([])
  })
})
