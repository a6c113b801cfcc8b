import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Table } from '../../../src/core/catalog.ts'
import type { Connector } from '../../../src/core/connector.ts'
import type { LogFields } from '../../../src/core/log.ts'
import { silentLog } from '../../../src/core/log.ts'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import { forgeGuardedSql, harbourRows, testConnector } from '../../contracts/connector.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/mysql-database.ts'
import { requireService } from '../../helpers/require-service.ts'

const serverUrl = requireService('MYSQL_URL', 'the MySQL connector')
const isMariaDb = serverUrl !== null && (await flavourOf(serverUrl)) === 'mariadb'

async function flavourOf(url: string): Promise<string> {
  const database = await createMysqlDatabase(url)
  await database.drop()
  return database.flavour
}

const limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 }
const runOn = (connector: Connector, sql: string, options: object = {}) =>
  connector.run(forgeGuardedSql(sql, 'mysql'), { ...limits, ...options })
const failure = (connector: Connector, sql: string, options: object = {}) =>
  runOn(connector, sql, options).then(
    () => expect.fail('it ran'),
    error => error,
  )

const harbour = `
  create table ports (id integer primary key, name text not null, country text, opened date);
  create table ships (id integer primary key, name text not null, home_port_id integer,
    tonnage decimal(10, 2), active boolean, launched datetime, foreign key (home_port_id) references ports (id));
  create table voyages (ship_id integer, number integer, departed datetime,
    primary key (ship_id, number), foreign key (ship_id) references ships (id));
  create table stops (id integer primary key, ship_id integer, voyage_number integer, port_id integer, note text,
    foreign key (port_id) references ports (id),
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harbourRows}
`

/** Numbers without a table: MariaDB has a storage engine for it, and MySQL a limit that is to be lifted. */
const numbers = (count: number): string =>
  isMariaDb
    ? `select seq as n from seq_1_to_${count}`
    : `select /*+ SET_VAR(cte_max_recursion_depth=4294967295) */ n from (with recursive c(n) as (select 1 union all select n + 1 from c where n < ${count}) select n from c) x`

/** Runs for minutes. Not sleep() or benchmark(): when these are stopped, they end well. */
const runaway = `select count(*) from (${numbers(200_000)}) a, (${numbers(200_000)}) b where a.n + b.n > 0`

if (serverUrl !== null) {
  let database: MysqlTestDatabase
  const countSessions = async (condition: string): Promise<number> => {
    const [row] = await database.admin(
      `select count(*) as n from information_schema.processlist
       where db = '${database.name}' and id <> connection_id() and ${condition}`,
    )
    return Number(row?.n)
  }

  testConnector({
    name: isMariaDb ? 'MariaDB' : 'MySQL',
    open: async () => {
      database = await createMysqlDatabase(serverUrl)
      await database.admin(harbour)
      return makeMysqlConnector({ url: database.url, place: 'harbour', timeZone: 'UTC' })
    },
    cleanUp: () => database.drop(),
    runningStatements: () => countSessions("command in ('Query', 'Execute')"),
    heldResources: () => countSessions('true'),
    typed: {
      sql: `select cast(1 as unsigned) as small, 2147483647 as whole, 9007199254740991 as large,
        9007199254740993 as larger, 18446744073709551615 as largest, 2.50 as part, cast(3 as decimal(10, 2)) as round,
        12345678901234567.5 as exact, cast(0.1 as double) as single, 1.5e300 as \`double\`, 'x' as words,
        cast('y' as char(3)) as few, date '2024-01-02' as day, timestamp '2024-01-02 03:04:05.678' as moment,
        time '03:04:05' as clock, time '-838:59:59' as span, x'00ff' as bytes, null as absent`,
      columns: [
        { name: 'small', kind: 'integer' },
        { name: 'whole', kind: 'integer' },
        { name: 'large', kind: 'integer' },
        { name: 'larger', kind: 'integer' },
        { name: 'largest', kind: 'integer' },
        { name: 'part', kind: 'number' },
        { name: 'round', kind: 'number' },
        { name: 'exact', kind: 'number' },
        { name: 'single', kind: 'number' },
        { name: 'double', kind: 'number' },
        { name: 'words', kind: 'text' },
        { name: 'few', kind: 'text' },
        { name: 'day', kind: 'date' },
        { name: 'moment', kind: 'timestamp' },
        { name: 'clock', kind: 'time' },
        { name: 'span', kind: 'time' },
        { name: 'bytes', kind: 'blob' },
        { name: 'absent', kind: 'text' },
      ],
      row: [
        1,
        2147483647,
        9007199254740991,
        9007199254740993n,
        18446744073709551615n,
        2.5,
        3,
        '12345678901234567.5',
        0.1,
        1.5e300,
        'x',
        'y',
        '2024-01-02',
        '2024-01-02T03:04:05.678',
        '03:04:05',
        '-838:59:59',
        new Uint8Array([0, 255]),
        null,
      ],
    },
    roleCanWrite: true,
    runaway,
    numbers,
    texts: (length, count) => `select repeat('x', ${length}) from (${numbers(count)}) t`,
    writes: [
      "insert into ports (id, name) values (9, 'x')",
      "replace into ports (id, name) values (1, 'x')",
      "update ports set name = 'x'",
      'delete from ports',
      'truncate stops',
      'create table loot (x integer)',
      'create table loot as select 1',
      'create temporary table loot (x integer)',
      'drop table stops',
      'alter table ports add column x integer',
      'rename table ports to harbours',
      'select * from ports for update',
      "select * from ports into outfile '/tmp/querent-loot'",
      'select count(*) from ports into @loot',
      "load data infile '/etc/passwd' into table ports",
      "load data local infile '/etc/passwd' into table ports",
      'commit',
      'set transaction read write',
      'set session max_statement_time = 0',
      'set statement max_statement_time = 0 for select 1',
      'lock tables ports write',
      'flush tables',
      'analyze table ports',
      'optimize table ports',
      'check table ports',
      '/*! optimize */ table ports',
      'call nothing()',
      'grant select on *.* to nobody',
      'kill 1',
      'use mysql',
    ],
    errors: [
      ['syntax', 'selec 1'],
      ['syntax', 'select * from'],
      ['syntax', "select 'open"],
      ['syntax', 'select 1 union select 1, 2'],
      ['syntax', 'select ?'],
      ['syntax', 'select (select id, name from ports)'],
      ['unknown-table', 'select * from docks'],
      ['unknown-table', 'select * from nowhere.docks'],
      ['unknown-column', 'select nope from ports'],
      ['unknown-column', 'select p.nope from ports p'],
      ['unknown-column', 'select name from ports order by 4'],
      ['ambiguous-column', 'select id from ports, ships'],
      ['type-mismatch', "select date 'yesterday evening'"],
      ['function', 'select nope(1)'],
      ['function', 'select lower(1, 2, 3)'],
      ['aggregation', 'select sum(sum(id)) from ports'],
      ['aggregation', 'select name from ports where count(*) > 1'],
      ['permission', 'select * from ports for update'],
      ['other', 'select 9223372036854775807 + 1'],
    ],
  })
}

describe.skipIf(serverUrl === null)('a MySQL connection', () => {
  let database: MysqlTestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createMysqlDatabase(serverUrl!)
    connector = await makeMysqlConnector({ url: database.url, place: 'test', connections: 1 })
  })
  afterAll(async () => {
    await connector.close()
    await database.drop()
  })

  const threadId = async (): Promise<unknown> =>
    (await runOn(connector, 'select connection_id()')).rows[0]?.[0]

  it('is used again after an error', async () => {
    const before = await threadId()
    await failure(connector, 'select nope')
    await failure(connector, 'optimize table x')
    expect(await threadId()).toBe(before)
  })

  it('is used again after a timeout on the server, which says so itself', async () => {
    const before = await threadId()
    const error = await failure(
      connector,
      `select count(*) from (${numbers(900_000)}) a, (${numbers(900_000)}) b`,
      {
        timeoutMs: 200,
      },
    )
    expect(error).toMatchObject({ errorClass: 'timeout', driverCode: isMariaDb ? '1969' : '3024' })
    expect(await threadId()).toBe(before)
  })

  it('is thrown away after a cancel, and after a result that was cut', async () => {
    const before = await threadId()
    const signal = AbortSignal.timeout(200)
    expect(await failure(connector, 'select sleep(60)', { signal })).toMatchObject({
      errorClass: 'cancelled',
    })
    const between = await threadId()
    expect(between).not.toBe(before)
    await runOn(connector, numbers(100_000), { maxRows: 3 })
    expect(await threadId()).not.toBe(between)
  })

  it('is replaced when the server ended it between two statements', async () => {
    await database.admin(`kill ${await threadId()}`)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('is replaced when the server ends it in the middle of a statement', async () => {
    const running = failure(connector, runaway)
    const thread = async (): Promise<unknown> =>
      (
        await database.admin(
          `select id from information_schema.processlist where db = '${database.name}' and command = 'Execute'`,
        )
      )[0]?.id
    let id = await thread()
    for (; id === undefined; id = await thread()) await new Promise(resolve => setTimeout(resolve, 20))
    await database.admin(`kill ${id}`)
    expect(await running).toMatchObject({ errorClass: 'connection' })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('tells a kill by somebody else from a timeout', async () => {
    const running = failure(connector, runaway)
    const victim = `select id from information_schema.processlist where db = '${database.name}' and command = 'Execute'`
    let [row] = await database.admin(victim)
    for (; row === undefined; [row] = await database.admin(victim))
      await new Promise(resolve => setTimeout(resolve, 20))
    await database.admin(`kill query ${row.id}`)
    expect(await running).toMatchObject({ errorClass: 'cancelled', driverCode: '1317' })
  })

  it('reads quotes, backslashes and bars as the guard does, by a mode of its own', async () => {
    const sql = `select "it's", 'a\\'b', 1 || 0, length('\\\\'), @@sql_mode`
    const [row] = (await runOn(connector, sql)).rows
    expect(row?.slice(0, 4)).toEqual(["it's", "a'b", 1, 1])
    // The server's own mode is another: whatever it is, it is replaced as a whole.
    const [server] = await database.admin('select @@global.sql_mode as mode')
    expect(String(server?.mode)).toContain('STRICT_TRANS_TABLES')
    expect(row?.[4]).toBe(/ONLY_FULL_GROUP_BY/.test(String(server?.mode)) ? 'ONLY_FULL_GROUP_BY' : '')
  })

  it('keeps no setting that a statement made', async () => {
    await runOn(connector, 'select 1', { timeoutMs: 5000 })
    const [row] = (await runOn(connector, 'select @@sql_select_limit, @@group_concat_max_len, @@autocommit'))
      .rows
    expect(row).toEqual([18446744073709551615n, 1048576, 1])
  })

  it('cuts off a single value that is far larger than the cap', async () => {
    const cut = await failure(
      connector,
      "select repeat('x', 15000000) from (select 1 union select 2 union select 3) t",
      {
        maxBytes: 1000,
      },
    ).catch(error => error)
    // Either the value is counted when it is there, or the connection is cut while it comes.
    if (cut instanceof Error && 'errorClass' in cut)
      expect(cut.message).toContain('larger than the 1000 bytes')
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('shows and compares TIMESTAMP columns in the time zone that was given', async () => {
    await database.admin(
      "create table logged (at timestamp null); set time_zone = '+00:00'; insert into logged values ('2024-01-01 20:00:00')",
    )
    const warnings: LogFields[] = []
    const tokyo = await makeMysqlConnector({
      url: database.url,
      place: 'test',
      timeZone: 'Asia/Tokyo',
      log: { ...silentLog, warn: fields => void warnings.push(fields) },
    })
    expect((await runOn(tokyo, "select at, date(at) from logged where at >= '2024-01-02'")).rows).toEqual([
      ['2024-01-02T05:00:00', '2024-01-02'],
    ])
    expect(warnings).toEqual([])
    await tokyo.close()
  })

  it('says so when the server has no zones by name and clocks change', async () => {
    const warnings: LogFields[] = []
    const berlin = await makeMysqlConnector({
      url: database.url,
      place: 'test',
      timeZone: 'Europe/Berlin',
      now: () => new Date('2024-07-01T12:00:00Z'),
      log: { ...silentLog, warn: fields => void warnings.push(fields) },
    })
    const [known] = await database.admin("select convert_tz('2024-01-01', 'UTC', 'Europe/Berlin') as at")
    expect(warnings).toEqual(
      known?.at === null ? [expect.objectContaining({ timeZone: 'Europe/Berlin', offset: '+02:00' })] : [],
    )
    await berlin.close()
  })
})

describe.skipIf(serverUrl === null)('values of MySQL columns', () => {
  let database: MysqlTestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createMysqlDatabase(serverUrl!)
    await database.admin(`
      set sql_mode = '';
      create table everything (id bigint unsigned primary key auto_increment, flag tinyint(1), tiny tinyint,
        bit1 bit(1), bits bit(12), small smallint unsigned, middle mediumint, large bigint unsigned, single float,
        twice double, exact decimal(30, 10), money decimal(10, 2), grown year, day date, moment datetime(3),
        instant timestamp null, clock time, mood enum('calm', 'rough'), tags set('a', 'b'), doc json, raw varbinary(4),
        place point, total int generated always as (small * 2) stored, note varchar(20) character set latin1);
      insert into everything (flag, tiny, bit1, bits, small, middle, large, single, twice, exact, money, grown, day,
        moment, instant, clock, mood, tags, doc, raw, place, note)
      values (1, -7, b'1', b'100000000001', 65535, -5, 18446744073709551615, 0.1, 0.1,
          12345678901234567890.0123456789, 2.50, 2024, '2024-02-29', '2024-01-02 03:04:05.678',
          '2024-01-02 03:04:05', '838:59:59', 'rough', 'a,b', '{"a": 1}', x'00ff', point(1, 2), 'Ålesund'),
        (7, null, b'0', null, null, null, null, null, null, null, null, null, '0000-00-00',
          '0000-00-00 00:00:00', null, '-01:02:03', null, null, null, null, null, '');
    `)
    connector = await makeMysqlConnector({ url: database.url, place: 'test', timeZone: 'UTC' })
  })
  afterAll(async () => {
    await connector.close()
    await database.drop()
  })

  it('are given as they are stored', async () => {
    const { rows, columns } = await runOn(connector, 'select * from everything order by id')
    const byName = (row: number): object =>
      Object.fromEntries(columns.map(({ name }, index) => [name, rows[row]?.[index]]))
    expect(byName(0)).toEqual({
      id: 1,
      flag: true,
      tiny: -7,
      bit1: true,
      bits: 2049,
      small: 65535,
      middle: -5,
      large: 18446744073709551615n,
      single: 0.1,
      twice: 0.1,
      exact: '12345678901234567890.0123456789',
      money: 2.5,
      grown: 2024,
      day: '2024-02-29',
      moment: '2024-01-02T03:04:05.678',
      instant: '2024-01-02T03:04:05',
      clock: '838:59:59',
      mood: 'rough',
      tags: 'a,b',
      doc: '{"a": 1}',
      raw: new Uint8Array([0, 255]),
      place: expect.any(Uint8Array),
      total: 131070,
      note: 'Ålesund',
    })
    expect(byName(1)).toMatchObject({
      flag: 7,
      bit1: false,
      day: '0000-00-00',
      moment: '0000-00-00T00:00:00',
      clock: '-01:02:03',
      note: '',
      large: null,
    })
  })

  it('have the kind in a result that the catalog gives their column', async () => {
    const { columns } = await runOn(connector, 'select * from everything')
    const table = (await connector.introspect()).tables.find(({ name }) => name === 'everything')
    expect(columns).toEqual(table?.columns.map(({ name, kind }) => ({ name, kind })))
    expect(Object.fromEntries(columns.map(({ name, kind }) => [name, kind]))).toMatchObject({
      flag: 'boolean',
      tiny: 'integer',
      bit1: 'boolean',
      bits: 'integer',
      exact: 'number',
      grown: 'integer',
      instant: 'timestamp',
      mood: 'text',
      tags: 'text',
      doc: 'json',
      raw: 'blob',
      place: 'blob',
    })
  })
})

describe.skipIf(serverUrl === null)('a MySQL catalog', () => {
  let database: MysqlTestDatabase
  let connector: Connector
  let catalog: Catalog
  const role = `querent_${randomBytes(4).toString('hex')}`
  const find = (name: string): Table | undefined => catalog.tables.find(table => table.name === name)

  beforeAll(async () => {
    database = await createMysqlDatabase(serverUrl!)
    const { name } = database
    await database.admin(`
      create table ships (id int primary key, name varchar(40) not null comment 'As painted', secret text,
        captain_id int) comment = 'Everything that floats';
      create table captains (id int primary key, name varchar(40));
      alter table ships add foreign key (captain_id) references captains (id);
      create table crews (id int primary key, ship_id int, captain_id int,
        foreign key (captain_id) references captains (id));
      create table hidden (id int primary key);
      create table \`odd name\` (\`a b\` int, \`order\` int, primary key (\`a b\`, \`order\`));
      create view fleet as select name from ships where name <> 'it''s gone';
      create view veiled as select id from captains;
      insert into ships (id, name) values (1, 'Gull'), (2, 'Heron');
      analyze table ships;
      create user '${role}'@'%' identified by 'let me read';
      create user '${role}'@'localhost' identified by 'let me read';
    `)
    // Servers keep the foreign keys of a table from a role that may read only some of its columns.
    for (const host of ['%', 'localhost'])
      await database.admin(`
        grant select (id, name, captain_id) on ${name}.ships to '${role}'@'${host}';
        grant select on ${name}.crews to '${role}'@'${host}';
        grant select on ${name}.captains to '${role}'@'${host}';
        grant select on ${name}.\`odd name\` to '${role}'@'${host}';
        grant select, show view on ${name}.fleet to '${role}'@'${host}';
        grant select on ${name}.veiled to '${role}'@'${host}';
        grant insert on ${name}.hidden to '${role}'@'${host}';
      `)
    const url = new URL(database.url)
    url.username = role
    url.password = 'let me read'
    connector = await makeMysqlConnector({ url: url.href, place: 'test' })
    catalog = await connector.introspect()
  })
  afterAll(async () => {
    await connector.close()
    await database.admin(`drop user '${role}'@'%', '${role}'@'localhost'`)
    await database.drop()
  })

  it('lists what the role may read', () => {
    expect(catalog.tables.map(table => [table.schema, table.name, table.type])).toEqual([
      [null, 'captains', 'table'],
      [null, 'crews', 'table'],
      [null, 'fleet', 'view'],
      [null, 'odd name', 'table'],
      [null, 'ships', 'table'],
      [null, 'veiled', 'view'],
    ])
    expect(find('ships')?.columns.map(column => column.name)).toEqual(['id', 'name', 'captain_id'])
  })

  it('gives comments, keys and the engine’s estimate of rows', () => {
    expect(find('ships')).toMatchObject({ comment: 'Everything that floats', rowCount: 2 })
    expect(find('ships')?.columns.map(column => column.comment)).toEqual([null, 'As painted', null])
    expect(find('fleet')).toMatchObject({ comment: null, rowCount: null })
    expect(find('odd name')?.primaryKey).toEqual(['a b', 'order'])
    expect(catalog.foreignKeys).toEqual([
      {
        from: { table: 'crews', columns: ['captain_id'] },
        to: { table: 'captains', columns: ['id'] },
        source: 'declared',
        inclusion: null,
      },
    ])
  })

  it('gives the queries of views with plain names, where the role may see them', () => {
    expect(
      find('fleet')
        ?.definition?.replaceAll('`', '')
        .replace(/_utf8mb4/, ''),
    ).toMatch(/^select ships.name AS name from ships where \(?ships.name <> 'it\\?''?s gone'\)?$/)
    expect(find('veiled')).not.toHaveProperty('definition')
    expect(find('ships')).not.toHaveProperty('definition')
  })

  it('refuses what the role may not read', async () => {
    expect(await failure(connector, 'select secret from ships')).toMatchObject({
      errorClass: 'permission',
      driverCode: '1143',
    })
    expect(await failure(connector, 'select * from hidden')).toMatchObject({
      errorClass: 'permission',
      driverCode: '1142',
    })
  })

  it('changes its fingerprint with a column, and not with rows', async () => {
    await database.admin("insert into captains values (1, 'Ada')")
    expect((await connector.introspect()).fingerprint).toBe(catalog.fingerprint)
    await database.admin('alter table captains add column born date')
    expect((await connector.introspect()).fingerprint).not.toBe(catalog.fingerprint)
  })
})
