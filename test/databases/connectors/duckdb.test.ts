import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { Connector } from '../../../src/core/connector.ts'
import type { QuerentError } from '../../../src/core/errors.ts'
import { makeDuckdbConnector } from '../../../src/databases/connectors/duckdb/connector.ts'
import { forgeGuardedSql, harbourRows, testConnector } from '../../contracts/connector.ts'
import { holdDuckdbFile, makeDuckdbFile } from '../../helpers/duckdb-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-duckdb-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Process {
  readonly pid: number
  /** Processor time used so far, in ticks. */
  readonly ticks: number
}

/** The living processes that were told of a path, as the system sees them. A zombie only waits to be counted. */
const processesOn = (path: string): Process[] =>
  readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .flatMap(entry => {
      try {
        const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0')
        if (!words.some(word => word.endsWith('duckdb/child.ts'))) return []
        if (!words.some(word => word.includes(JSON.stringify(path)))) return []
        const [state, ...fields] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1]!.split(' ')
        if (state === 'Z' || state === 'X') return []
        return [{ pid: Number(entry), ticks: Number(fields[10]) + Number(fields[11]) }]
      } catch {
        return []
      }
    })

/** Those of them that are at work: their processor time grows. */
const workingOn = async (path: string): Promise<number> => {
  const before = new Map(processesOn(path).map(({ pid, ticks }) => [pid, ticks]))
  await new Promise(resolve => setTimeout(resolve, 150))
  return processesOn(path).filter(({ pid, ticks }) => ticks > (before.get(pid) ?? 0) + 3).length
}

const limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 }
const runOn = (connector: Connector, sql: string) => connector.run(forgeGuardedSql(sql, 'duckdb'), limits)

const harbour = join(folder, 'harbour.duckdb')
await makeDuckdbFile(
  harbour,
  `create table ports (id integer primary key, name text not null, country text, opened date);
  create table ships (id integer primary key, name text not null, home_port_id integer references ports (id),
    tonnage numeric(10, 2), active boolean, launched timestamp);
  create table voyages (ship_id integer not null references ships (id), number integer not null,
    departed timestamp, primary key (ship_id, number));
  create table stops (id integer primary key, ship_id integer, voyage_number integer,
    port_id integer references ports (id), note text,
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harbourRows}`,
)

testConnector({
  name: 'DuckDB',
  open: () => makeDuckdbConnector({ path: harbour, timeZone: 'Europe/Berlin' }),
  cleanUp: async () => {},
  runningStatements: () => workingOn(harbour),
  heldResources: async () => processesOn(harbour).length,
  typed: {
    sql: `select 1::tinyint as tiny, 9007199254740993 as large, 12345678901234567890::ubigint as unsigned,
      170141183460469231731687303715884105727::hugeint as huge, 1.50::decimal(5, 2) as part,
      123456789012345678901234.56789::decimal(38, 5) as exact, 0.1::float as single, 2.5e0 as double,
      'infinity'::double as endless, 'nan'::double as nothing, true as flag, 'x' as words, 'a'::enum ('a', 'b') as choice,
      '\\x00\\xFF'::blob as bytes, null as absent, date '2024-01-02' as day, date 'infinity' as never,
      timestamp '2024-01-02 03:04:05.5' as moment, timestamp_s '2024-01-02 03:04:05' as seconds,
      timestamp_ms '2024-01-02 03:04:05.123' as milliseconds, timestamp_ns '2024-01-02 03:04:05.123456789' as nanoseconds,
      timestamptz '2024-07-02 03:04:05+00' as instant, timestamptz '2024-01-02 03:04:05+00' as winter,
      time '03:04:05' as clock, timetz '03:04:05+02' as zoned, interval '1 day 2 hours' as span,
      '7d3c8a52-5d5e-4b8a-9c3b-0d9f5b0f6a11'::uuid as key, '101'::bit as bits, [1, null] as list,
      {'a': 9007199254740993, 'b': ['x"']} as struct, map {'k': 1.10} as map, union_value(n := 7) as either,
      '{"a": 1}'::json as document`,
    columns: [
      { name: 'tiny', kind: 'integer' },
      { name: 'large', kind: 'integer' },
      { name: 'unsigned', kind: 'integer' },
      { name: 'huge', kind: 'integer' },
      { name: 'part', kind: 'number' },
      { name: 'exact', kind: 'number' },
      { name: 'single', kind: 'number' },
      { name: 'double', kind: 'number' },
      { name: 'endless', kind: 'number' },
      { name: 'nothing', kind: 'number' },
      { name: 'flag', kind: 'boolean' },
      { name: 'words', kind: 'text' },
      { name: 'choice', kind: 'text' },
      { name: 'bytes', kind: 'blob' },
      { name: 'absent', kind: 'integer' },
      { name: 'day', kind: 'date' },
      { name: 'never', kind: 'date' },
      { name: 'moment', kind: 'timestamp' },
      { name: 'seconds', kind: 'timestamp' },
      { name: 'milliseconds', kind: 'timestamp' },
      { name: 'nanoseconds', kind: 'timestamp' },
      { name: 'instant', kind: 'timestamp' },
      { name: 'winter', kind: 'timestamp' },
      { name: 'clock', kind: 'time' },
      { name: 'zoned', kind: 'time' },
      { name: 'span', kind: 'text' },
      { name: 'key', kind: 'text' },
      { name: 'bits', kind: 'text' },
      { name: 'list', kind: 'json' },
      { name: 'struct', kind: 'json' },
      { name: 'map', kind: 'json' },
      { name: 'either', kind: 'unknown' },
      { name: 'document', kind: 'json' },
    ],
    row: [
      1,
      9007199254740993n,
      12345678901234567890n,
      170141183460469231731687303715884105727n,
      1.5,
      '123456789012345678901234.56789',
      0.1,
      2.5,
      'Infinity',
      'NaN',
      true,
      'x',
      'a',
      new Uint8Array([0, 255]),
      null,
      '2024-01-02',
      'infinity',
      '2024-01-02T03:04:05.5',
      '2024-01-02T03:04:05',
      '2024-01-02T03:04:05.123',
      '2024-01-02T03:04:05.123456789',
      '2024-07-02T05:04:05+02:00',
      '2024-01-02T04:04:05+01:00',
      '03:04:05',
      '03:04:05+02:00',
      '1 day 02:00:00',
      '7d3c8a52-5d5e-4b8a-9c3b-0d9f5b0f6a11',
      '101',
      '[1,null]',
      '{"a":9007199254740993,"b":["x\\""]}',
      '{"k":1.10}',
      7,
      '{"a": 1}',
    ],
  },
  roleCanWrite: null,
  runaway: 'select count(*) from range(1000000000000) a, range(1000000) b where a.range + b.range < 0',
  numbers: count => `select range as n from range(1, ${count + 1})`,
  texts: (length, count) => `select repeat('x', ${length}) from range(${count})`,
  writes: [
    "insert into ports (id, name) values (9, 'x')",
    "update ports set name = 'x'",
    'delete from ports',
    'merge into ports using stops on true when matched then delete',
    "insert into ports (id, name) values (9, 'x') returning id",
    'create table loot (x integer)',
    'create temp table loot (x integer)',
    'create table loot as select 1 as x',
    'create macro loot(x) as x + 1',
    'drop table stops',
    'alter table ports add column x integer',
    'truncate stops',
    `copy ports to '${join(folder, 'loot.csv')}'`,
    `explain analyze copy ports to '${join(folder, 'loot.csv')}'`,
    'explain analyze create temp table loot (x integer)',
    'explain\nanalyze create temp table loot (x integer)',
    `copy ports from '${join(folder, 'loot.csv')}'`,
    `export database '${join(folder, 'loot')}'`,
    `attach '${join(folder, 'loot.duckdb')}' as loot`,
    'detach harbour',
    'set threads = 64',
    'set enable_external_access = true',
    'reset enable_external_access',
    "pragma memory_limit = '64GB'",
    'install httpfs',
    'load httpfs',
    "create secret loot (type s3, key_id 'x')",
    'begin transaction',
    'checkpoint',
    'vacuum analyze',
    'prepare loot as select 1',
    'call duckdb_tables()',
    `select * from read_csv('/etc/passwd')`,
    `select * from read_text('/etc/passwd')`,
    `select * from glob('/etc/*')`,
    `select * from read_csv('https://example.com/x.csv')`,
  ],
  errors: [
    ['syntax', 'selec 1'],
    ['syntax', 'select * from'],
    ['syntax', "select 'open"],
    ['syntax', 'select 1 union select 1, 2'],
    ['syntax', 'select name from ports order by 4'],
    ['syntax', 'select $1'],
    ['unknown-table', 'select * from docks'],
    ['unknown-table', 'select * from main.docks'],
    ['unknown-table', 'select * from nowhere.docks'],
    ['unknown-table', 'select x.* from ports'],
    ['unknown-column', 'select nope from ports'],
    ['unknown-column', 'select p.nope from ports p'],
    ['unknown-column', 'select 1 from ports join ships using (nope)'],
    ['ambiguous-column', 'select id from ports, ships'],
    ['type-mismatch', "select name from ports where opened = 'soon'"],
    ['type-mismatch', "select name from ports limit 'x'"],
    ['type-mismatch', "select cast('x' as integer)"],
    ['type-mismatch', "select json('{')"],
    ['function', 'select nope(1)'],
    ['function', 'select lower()'],
    ['function', 'select sum(name) from ports'],
    ['aggregation', 'select name from ports where count(*) > 1'],
    ['aggregation', 'select sum(sum(id)) from ports'],
    ['aggregation', 'select name, count(*) from ports'],
    ['aggregation', 'select name from ports having id > 1'],
    ['permission', 'create table x (a integer)'],
    ['other', 'select 9223372036854775807 + 1'],
    ['other', 'select (select id from ports union all select 2)'],
  ],
})

describe('DuckDB files', () => {
  const opened: Connector[] = []
  const open = async (path: string): Promise<Connector> => {
    const connector = await makeDuckdbConnector({ path })
    opened.push(connector)
    return connector
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(connector => connector.close()))
  })
  const refusal = async (path: string): Promise<Pick<QuerentError, 'code' | 'message'>> =>
    open(path).then(
      () => expect.fail('it opened'),
      error => error,
    )
  const makeFolder = (files: Readonly<Record<string, string>>): string => {
    const made = mkdtempSync(join(folder, 'files-'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
    return made
  }
  const failure = (work: Promise<unknown>): Promise<Pick<QuerentError, 'code' | 'message'>> =>
    work.then(
      () => expect.fail('it did not fail'),
      error => error,
    )

  it('of every kind in a folder are tables, and nothing else in it is', async () => {
    const path = makeFolder({
      'Sales Orders.csv': 'id;amount;day\n1;2.50;2024-01-02\n2;3.00;2024-02-03\n',
      'parts.tsv': 'id\tname\n1\tbolt\n',
      'events.jsonl': '{"at": "2024-01-02T03:04:05", "tags": ["a", "b"]}\n{"at": null, "tags": []}\n',
      'regions.json': '[{"code": "N", "name": "North"}]',
      'notes.txt': 'not a table',
      '.hidden.csv': 'a,b\n1,2\n',
    })
    await makeDuckdbFile(
      ':memory:',
      `copy (select 1 as id, 'Gull' as name) to '${join(path, 'ships.parquet')}'`,
    )
    const connector = await open(path)
    const catalog = await connector.introspect()
    expect(catalog.tables.map(table => [table.name, table.type, table.rowCount])).toEqual([
      ['Sales Orders', 'table', 2],
      ['events', 'table', 2],
      ['parts', 'table', 1],
      ['regions', 'table', 1],
      ['ships', 'table', 1],
    ])
    expect(catalog.tables[0]!.columns.map(column => [column.name, column.kind])).toEqual([
      ['id', 'integer'],
      ['amount', 'number'],
      ['day', 'date'],
    ])
    expect((await runOn(connector, 'select sum(amount) from "Sales Orders"')).rows).toEqual([[5.5]])
    expect((await runOn(connector, 'select name from ships union all select name from parts')).rows).toEqual([
      ['Gull'],
      ['bolt'],
    ])
  })

  it('are found by a type that all of their rows have', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `${index},${index}`)
    const path = makeFolder({ 'codes.csv': `id,code\n${rows.join('\n')}\n30000,A1\n` })
    const connector = await open(path)
    expect((await runOn(connector, 'select max(id), max(code) from codes')).rows).toEqual([[30_000, 'A1']])
  })

  it('are all that can be reached, and cannot be written', async () => {
    const path = makeFolder({ 'a.csv': 'x\n1\n' })
    const other = makeFolder({ 'b.csv': 'x\n2\n' })
    const connector = await open(path)
    const file = join(path, 'a.csv')
    for (const sql of [
      `select * from read_csv('${join(other, 'b.csv')}')`,
      `select * from '${join(other, 'b.csv')}'`,
      `select * from read_csv('${path}/../${other.split('/').at(-1)}/b.csv')`,
      `copy (select 3 as x) to '${file}' (use_tmp_file false)`,
      `explain analyze copy (select 3 as x) to '${file}' (use_tmp_file false)`,
      'create table x (a integer)',
      'create or replace view a as select 3 as x',
    ])
      expect(await failure(runOn(connector, sql))).toMatchObject({ errorClass: 'permission' })
    expect(readFileSync(file, 'utf8')).toBe('x\n1\n')
    expect(await connector.tryWalls()).toEqual({
      refusesWrites: true,
      stopsAtTimeout: true,
      cancelFreesServer: true,
      roleCanWrite: null,
    })
    expect(readdirSync(path)).toEqual(['a.csv'])
  })

  it('are read anew when they have changed, and when some came or went', async () => {
    const path = makeFolder({ 'a.csv': 'x\n1\n' })
    const connector = await open(path)
    expect((await runOn(connector, 'select * from a')).rows).toEqual([[1]])
    writeFileSync(join(path, 'a.csv'), 'name,y\none,1\ntwo,2\n')
    writeFileSync(join(path, 'b.csv'), 'z\n3\n')
    expect((await runOn(connector, 'select count(*), max(z) from a, b')).rows).toEqual([[2, 3]])
    rmSync(join(path, 'b.csv'))
    expect(await failure(runOn(connector, 'select * from b'))).toMatchObject({ errorClass: 'unknown-table' })
  })

  it('that are written all the time do not fill the machine with processes', async () => {
    const path = makeFolder({ 'a.csv': 'x\n0\n' })
    const connector = await open(path)
    for (let round = 1; round <= 5; round++) {
      writeFileSync(join(path, 'a.csv'), `x\n${'1\n'.repeat(round)}`)
      expect((await runOn(connector, 'select sum(x) from a')).rows).toEqual([[round]])
    }
    await vi.waitFor(() => expect(processesOn(path).length).toBeLessThanOrEqual(1))
  })

  it('may be one alone, with quotes in its name and its columns', async () => {
    const path = join(makeFolder({ "Bo's Größe.csv": `it's,"say ""no"""\n1,2\n` }), "Bo's Größe.csv")
    const connector = await open(path)
    const result = await runOn(connector, `select * from "Bo's Größe"`)
    expect(result.columns.map(column => column.name)).toEqual(["it's", 'say "no"'])
    expect(result.rows).toEqual([[1, 2]])
  })

  it('are said to be missing, of no use, empty, of one name or patterns when they are', async () => {
    expect(await refusal(join(folder, 'nowhere'))).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('There is no file or folder'),
    })
    const cases: readonly (readonly [Record<string, string>, string])[] = [
      [{ 'notes.txt': 'x' }, 'There is nothing to ask in the folder'],
      [{ 'a.csv': 'x\n1\n', 'A.json': '[]' }, 'would both be the table'],
      [{ 'a.csv': '' }, 'is empty'],
      [{ 'a[1].csv': 'x\n1\n' }, 'for a pattern'],
    ]
    for (const [files, words] of cases)
      expect(await refusal(makeFolder(files))).toMatchObject({
        code: 'unknown-database',
        message: expect.stringContaining(words),
      })
    const text = join(makeFolder({ 'notes.txt': 'this is no database' }), 'notes.txt')
    expect(await refusal(text)).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('neither a DuckDB database'),
    })
  })

  it('that are broken are named, with what to do', async () => {
    const path = makeFolder({ 'a.parquet': 'PAR1 and then nothing', 'b.csv': 'x\n1\n' })
    const error = await failure((await open(path)).introspect())
    expect(error).toMatchObject({ code: 'database-unreachable' })
    expect(error.message).toContain(join(path, 'a.parquet'))
    expect(error.message).toContain('It is no Parquet file')
    const latin = makeFolder({})
    writeFileSync(join(latin, 'a.csv'), Buffer.from('name,x\nMünchen,1\n', 'latin1'))
    expect((await failure((await open(latin)).introspect())).message).toContain('Save it anew in UTF-8')
  })

  it.each([
    [
      'a row too long',
      'id,name,amount\n1,Ann,5\n2,Bob,6,extra\n3,Cy,7\n',
      'line 3 has 4, and those above it have 3',
    ],
    // Only the last line would be left.
    ['a last row too long', 'id,name\n1,Ann\n2,Bob\n3,Cy,7\n', 'line 4 has 3, and those above it have 2'],
    ['a row too short', 'id;name;amount\n1;Ann;5\n2;Bob\n', 'line 3 has 2, and those above it have 3'],
    [
      'a title of two fields',
      'June, 2024\nid,name,amount\n1,Ann,5\n2,Bob,6\n',
      'line 2 has 3, and those above it have 2',
    ],
  ])('with %s are refused, since rows would be missing', async (_, text, said) => {
    const path = makeFolder({ 'fine.csv': 'x\n1\n', 'a.csv': text })
    const error = await failure((await open(path)).introspect())
    expect(error).toMatchObject({ code: 'database-unreachable' })
    expect(error.message).toContain(join(path, 'a.csv'))
    expect(error.message).toContain(said)
    expect(error.message).toContain('Give every line as many fields')
  })

  it.each([
    ['a title and an empty line above', 'Sales of June\n\nid,name\n1,Ann\n2,"Bob, jr"\n', 2],
    ['one column, of texts with commas in them', 'name\n"Ann, of York"\nBob\n"Cy\nor Di, both"\n', 3],
    ['quotes and line ends in texts', 'id,note\n1,"say ""a, b"""\n2,"two\nlines"\n3,5" pipe\n', 3],
    ['empty lines', 'id,name\n1,Ann\n\n2,Bob\n', 2],
  ])('with %s are read whole', async (_, text, rows) => {
    const connector = await open(makeFolder({ 'a.csv': text }))
    expect((await runOn(connector, 'select count(*) from a')).rows).toEqual([[rows]])
  })

  it('say where they cannot be read, and nothing of what stands there', async () => {
    const lines = Array.from({ length: 700_000 }, (_, row) => `${row},000-00-${row},${'padding '.repeat(4)}`)
    const path = makeFolder({ 'a.csv': `id,ssn,note\n${lines.join('\n')}\n7,123-45-6789,x,one too many\n` })
    const uneven = await failure(runOn(await open(path), 'select count(note) from a'))
    expect(uneven).toMatchObject({ errorClass: 'other' })
    expect(uneven.message).toContain(
      'Line 700002 of a CSV file cannot be read: it has 4 fields, and the others have 3',
    )
    expect(uneven.message).not.toContain('123-45')
    writeFileSync(join(path, 'a.csv'), `id,ssn,note\n${lines.join('\n')}\nseven,123-45-6789,x\n`)
    const mistyped = await failure(runOn(await open(path), 'select sum(id), max(ssn) from a'))
    expect(mistyped.message).toContain('cannot be read: its field id is no BIGINT')
    expect(mistyped.message).not.toMatch(/123-45|seven/)
  })

  it('that another program has open for writing are said to be', async () => {
    const file = join(folder, 'held.duckdb')
    const release = await holdDuckdbFile(file, 'create table t (x integer)')
    try {
      const error = await failure((await open(file)).introspect())
      expect(error).toMatchObject({ code: 'database-unreachable' })
      expect(error.message).toContain('Another program has it open for writing')
    } finally {
      await release()
    }
    expect((await (await open(file)).introspect()).tables.map(table => table.name)).toEqual(['t'])
  })

  it('keep to their memory: a statement that needs more fails, and the next one runs', async () => {
    const connector = await open(harbour)
    const error = await failure(
      runOn(connector, "select length(string_agg(repeat('x', 1000), '')) from range(10000000)"),
    )
    expect(error).toMatchObject({
      code: 'database-error',
      message: expect.stringContaining('more memory than it may have'),
    })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  }, 60_000)

  it('may have tables of one name in several schemas, and keys between the right ones', async () => {
    const file = join(folder, 'schemas.duckdb')
    await makeDuckdbFile(
      file,
      `create table customers (id integer primary key);
       create schema alt; create table alt.customers (id integer primary key);
       create schema shop; create table shop.customers (id integer primary key);
       create table shop.orders (id integer primary key, customer_id integer references shop.customers (id))`,
    )
    const { tables, foreignKeys } = await (await open(file)).introspect()
    expect(tables.map(({ schema, name }) => [schema, name])).toEqual([
      [null, 'customers'],
      ['alt', 'customers'],
      ['shop', 'customers'],
      ['shop', 'orders'],
    ])
    expect(foreignKeys).toMatchObject([
      {
        from: { table: 'orders', columns: ['customer_id'] },
        to: { table: 'shop.customers', columns: ['id'] },
      },
    ])
  })

  it('may have dots in their names', async () => {
    const connector = await open(makeFolder({ 'sales.2024.csv': 'x\n1\n' }))
    expect((await connector.introspect()).tables.map(({ name }) => name)).toEqual(['sales_2024'])
    expect((await runOn(connector, 'select x from sales_2024')).rows).toEqual([[1]])
    const both = await refusal(makeFolder({ 'a.b.csv': 'x\n1\n', 'a_b.csv': 'x\n1\n' }))
    expect(both.message).toContain('would both be the table a_b')
  })

  it('tell comments, other schemas, and what a view selects', async () => {
    const file = join(folder, 'told.duckdb')
    await makeDuckdbFile(
      file,
      `create table t (id integer primary key, size decimal(8, 2)); comment on table t is 'things';
       comment on column t.size is 'in metres'; create schema archive; create table archive.old (x integer[]);
       create view large as select id from t where size > 10`,
    )
    const catalog = await (await open(file)).introspect()
    expect(catalog.tables.map(({ schema, name, comment }) => [schema, name, comment])).toEqual([
      [null, 'large', null],
      [null, 't', 'things'],
      ['archive', 'old', null],
    ])
    expect(catalog.tables[1]!.columns[1]).toMatchObject({ type: 'DECIMAL(8,2)', comment: 'in metres' })
    expect(catalog.tables[2]!.columns[0]).toMatchObject({ kind: 'json' })
    expect(catalog.tables[0]!.definition).toMatch(/^SELECT id FROM t/i)
  })
})
