import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { readSparkAddress } from '../../../src/databases/connectors/spark/address.ts'
import { makeSparkConnector } from '../../../src/databases/connectors/spark/connector.ts'
import { openSparkSession, type SparkSession } from '../../../src/databases/connectors/spark/session.ts'
import { testConnector } from '../../contracts/connector.ts'
import { openConnectionsTo } from '../../helpers/open-connections.ts'
import { wideLimits } from '../../helpers/run-on.ts'
import { requireService } from '../../helpers/services/require-service.ts'

const serverUrl = requireService('SPARK_URL', 'the Spark connector')

const schema = `querent_${randomBytes(6).toString('hex')}`

const urlOf = (database: string): string => {
  const url = new URL(serverUrl ?? 'spark://none')
  url.pathname = `/${database}`
  return url.href
}

const harbor = [
  `create schema ${schema}`,
  `use ${schema}`,
  // Days before the calendar of 1582 could be meant in two ways.
  'set spark.sql.parquet.datetimeRebaseModeInWrite = CORRECTED',
  'create table ports (id int, name string, country string, opened date) using parquet',
  `create table ships (id int, name string, home_port_id int, tonnage decimal(10, 2), active boolean,
    launched timestamp) using parquet`,
  'create table voyages (ship_id int, number int, departed timestamp) using parquet',
  'create table stops (id int, ship_id int, voyage_number int, port_id int, note string) using parquet',
  `create view busy_ports as
    select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1`,
  `insert into ports values (1, 'Ålesund', 'Norway', date '1848-01-01'), (2, 'Bilbao', null, null),
    (3, '長崎', 'Japan', date '1571-06-01')`,
  `insert into ships values (1, 'Gull', 1, 1200.50, true, timestamp '2001-05-06 10:00:00'),
    (2, 'Heron', 2, null, null, null)`,
  `insert into voyages values (1, 1, timestamp '2024-01-01 06:00:00'), (1, 2, timestamp '2024-02-01 06:00:00'),
    (2, 1, null)`,
  "insert into stops values (1, 1, 1, 3, 'it\\'s 100 %'), (2, 1, 2, 3, ''), (3, 2, 1, 1, null)",
  'analyze table ports compute statistics',
]

describe.skipIf(serverUrl === null)('the connector of a server', () => {
  let admin: SparkSession
  beforeAll(async () => {
    admin = await openSparkSession({ address: readSparkAddress(urlOf('')), size: 1, timeZone: null })
  })
  afterAll(() => admin?.close())
  const port = Number(new URL(urlOf('')).port)
  /** Spark's own pages tell what it works on; they are on the next port. */
  const runningJobs = async (): Promise<number> => {
    const at = `http://127.0.0.1:${port + 1}/api/v1/applications`
    const headers = { connection: 'close' }
    const [application] = (await (await fetch(at, { headers })).json()) as { id: string }[]
    const jobs = await (await fetch(`${at}/${application?.id}/jobs?status=running`, { headers })).json()
    return (jobs as unknown[]).length
  }
  let before = 0

  testConnector({
    name: 'Spark',
    open: async () => {
      for (const sql of harbor) await admin.ask(sql, { ...wideLimits, timeoutMs: 60_000 })
      before = openConnectionsTo(port)
      return makeSparkConnector({ url: urlOf(schema), place: 'harbor', timeZone: 'UTC' })
    },
    cleanUp: async () => {
      await admin.ask(`drop schema ${schema} cascade`, { ...wideLimits, timeoutMs: 60_000 })
    },
    runningStatements: runningJobs,
    heldResources: async () => Math.max(0, openConnectionsTo(port) - before),
    declares: { keys: false, nullability: false, textType: 'string' },
    typed: {
      sql: `select cast(1 as tinyint) as small, 2147483647 as whole, 9007199254740991 as large,
        9007199254740993 as larger, cast(18446744073709551615 as decimal(20, 0)) as largest, 2.50 as part,
        cast(3 as decimal(10, 2)) as round, cast('12345678901234567.5' as decimal(20, 1)) as exact,
        cast(0.1 as float) as single, 1.5e300D as \`double\`, double('NaN') as \`none\`, 'x' as words,
        date '2024-01-02' as day, timestamp '2024-01-02 03:04:05.678' as moment,
        timestamp_ntz '2024-01-02 03:04:05.678901' as plain, x'00ff' as bytes, true as yes,
        array(1, 9007199254740993) as list, map('a', array(2.50)) as map, named_struct('n', 1, 't', 'x') as \`row\`,
        interval 2 days as span, null as absent`,
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
        { name: 'none', kind: 'number' },
        { name: 'words', kind: 'text' },
        { name: 'day', kind: 'date' },
        { name: 'moment', kind: 'timestamp' },
        { name: 'plain', kind: 'timestamp' },
        { name: 'bytes', kind: 'blob' },
        { name: 'yes', kind: 'boolean' },
        { name: 'list', kind: 'json' },
        { name: 'map', kind: 'json' },
        { name: 'row', kind: 'json' },
        { name: 'span', kind: 'text' },
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
        'NaN',
        'x',
        '2024-01-02',
        '2024-01-02T03:04:05.678',
        '2024-01-02T03:04:05.678901',
        new Uint8Array([0, 255]),
        true,
        '[1,9007199254740993]',
        '{"a":[2.50]}',
        '{"n":1,"t":"x"}',
        '2 00:00:00.000000000',
        null,
      ],
    },
    roleCanWrite: null,
    runaway: 'select count(*) from range(10000000000000) where xxhash64(id) = 1 and xxhash64(id + 1) = 2',
    numbers: count =>
      count > 100_000_000
        ? // A part of a result is sent at a time, so the parts are small.
          `select id as n from range(0, ${count}, 1, 20000)`
        : `select id + 1 as n from range(${count}) order by id`,
    texts: (length, count) => `select repeat('x', ${length}) from range(${count})`,
    writes: [
      "insert into ports values (9, 'x', null, null)",
      'insert overwrite stops select * from stops',
      'from stops insert into stops select *',
      'with x as (select 1) insert into stops select 1, 1, 1, 1, null',
      'delete from ports',
      "update ports set name = 'x'",
      'truncate table stops',
      'create table loot (x int)',
      'create table loot as select 1 as x',
      'create temporary view loot as select 1',
      'create schema loot',
      'drop table stops',
      'drop view busy_ports',
      'alter table ports add column x int',
      'alter table ports rename to harbors',
      'analyze table ports compute statistics',
      'cache table ports',
      'refresh table ports',
      'set spark.sql.ansi.enabled = true',
      'reset',
      'use default',
      'add jar "/tmp/loot.jar"',
      "insert overwrite directory '/tmp/querent-loot' using csv select 1",
      'show tables',
      'describe ports',
    ],
    errors: [
      ['syntax', 'select * from'],
      ['syntax', "select 'open"],
      ['syntax', 'select id from ports order by 4'],
      ['unknown-table', 'select * from docks'],
      ['unknown-table', 'select * from nowhere.docks'],
      ['unknown-column', 'select nope from ports'],
      ['unknown-column', 'select p.nope from ports p'],
      ['ambiguous-column', 'select id from ports, ships'],
      ['type-mismatch', "select date 'yesterday evening'"],
      ['syntax', 'select 1 union select 1, 2'],
      ['function', 'select nope(1)'],
      ['function', 'select lower(1, 2, 3)'],
      ['aggregation', 'select name, count(*) from ports'],
      ['aggregation', 'select sum(sum(id)) from ports'],
    ],
  })
})
