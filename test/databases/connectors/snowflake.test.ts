import { expect } from 'vitest'
import { makeSnowflakeConnector } from '../../../src/databases/connectors/snowflake/connector.ts'
import { testConnector } from '../../contracts/connector.ts'
import { openSnowflakeDouble, type SnowflakeDouble } from '../../helpers/doubles/snowflake/server.ts'

const harbor = [
  'CREATE TABLE "PORTS" ("ID" INTEGER PRIMARY KEY, "NAME" VARCHAR NOT NULL, "COUNTRY" VARCHAR, "OPENED" DATE)',
  `CREATE TABLE "SHIPS" ("ID" INTEGER PRIMARY KEY, "NAME" VARCHAR, "HOME_PORT_ID" INTEGER REFERENCES "PORTS" ("ID"),
    "TONNAGE" DECIMAL(10, 2), "ACTIVE" BOOLEAN, "LAUNCHED" TIMESTAMP)`,
  `CREATE TABLE "VOYAGES" ("SHIP_ID" INTEGER REFERENCES "SHIPS" ("ID"), "NUMBER" INTEGER, "DEPARTED" TIMESTAMP,
    PRIMARY KEY ("SHIP_ID", "NUMBER"))`,
  `CREATE TABLE "STOPS" ("ID" INTEGER PRIMARY KEY, "SHIP_ID" INTEGER, "VOYAGE_NUMBER" INTEGER,
    "PORT_ID" INTEGER REFERENCES "PORTS" ("ID"), "NOTE" VARCHAR,
    FOREIGN KEY ("SHIP_ID", "VOYAGE_NUMBER") REFERENCES "VOYAGES" ("SHIP_ID", "NUMBER"))`,
  `CREATE VIEW "BUSY_PORTS" AS SELECT P."NAME" AS "PORT", COUNT(*) AS "STOPS"
    FROM "PORTS" P JOIN "STOPS" S ON S."PORT_ID" = P."ID" GROUP BY 1`,
  `INSERT INTO "PORTS" VALUES (1, 'Ålesund', 'Norway', '1848-01-01'), (2, 'Bilbao', NULL, NULL),
    (3, '長崎', 'Japan', '1571-06-01')`,
  `INSERT INTO "SHIPS" VALUES (1, 'Gull', 1, 1200.50, true, '2001-05-06 10:00:00'), (2, 'Heron', 2, NULL, NULL, NULL)`,
  `INSERT INTO "VOYAGES" VALUES (1, 1, '2024-01-01 06:00:00'), (1, 2, '2024-02-01 06:00:00'), (2, 1, NULL)`,
  `INSERT INTO "STOPS" VALUES (1, 1, 1, 3, 'it''s 100 %'), (2, 1, 2, 3, ''), (3, 2, 1, 1, NULL)`,
]

const token = 'pat-of-the-harbor'

const numbers = (count: number): string =>
  `select seq8() + 1 as n from table(generator(rowcount => ${count}))${count <= 1_000_000 ? ' order by n' : ''}`

let double: SnowflakeDouble

const openHarbor = async (): Promise<string> => {
  double = await openSnowflakeDouble({ account: 'MYORG-HARBOR', accessTokens: [token] })
  for (const sql of harbor) await double.engine.admin(sql)
  return `snowflake://ann:${token}@127.0.0.1:${double.port}/HARBOR/PUBLIC?warehouse=small&role=reader&account=MYORG-HARBOR`
}

testConnector({
  name: 'Snowflake (on a double of its SQL API)',
  open: async () =>
    makeSnowflakeConnector({ url: await openHarbor(), place: 'harbor', timeZone: 'Europe/Oslo' }),
  cleanUp: async () => {
    expect(double.complaints).toEqual([])
    await double.close()
  },
  runningStatements: async () => double.running(),
  heldResources: async () => double.connections(),
  declares: { keys: true, nullability: true, textType: 'text', upperCaseNames: true },
  typed: {
    sql: `select 1 as small, 9007199254740991 as large, 9007199254740993 as larger,
      cast(18446744073709551615 as decimal(38, 0)) as largest, 2.50 as part, cast(3 as decimal(10, 2)) as round,
      cast(12345678901234567.5 as decimal(38, 1)) as exact, cast(0.1 as double) as "double",
      cast('NaN' as double) as "none", 'x' as words, 'a\\\\b' as slashed, $$it's$$ as dollars, date '2024-01-02' as day,
      date '1848-01-01' as early, cast('2024-01-02 03:04:05.678901' as timestamp) as moment,
      cast('1848-01-01 00:00:00.25' as timestamp) as old,
      cast('2024-07-02 01:04:05+00' as timestamptz) as instant, time '03:04:05' as clock, to_binary('00ff') as bytes,
      true as yes, parse_json('{"a": [1, "x y"]}') as json, cast(null as varchar) as absent`,
    columns: [
      { name: 'SMALL', kind: 'integer' },
      { name: 'LARGE', kind: 'integer' },
      { name: 'LARGER', kind: 'integer' },
      { name: 'LARGEST', kind: 'integer' },
      { name: 'PART', kind: 'number' },
      { name: 'ROUND', kind: 'number' },
      { name: 'EXACT', kind: 'number' },
      { name: 'double', kind: 'number' },
      { name: 'none', kind: 'number' },
      { name: 'WORDS', kind: 'text' },
      { name: 'SLASHED', kind: 'text' },
      { name: 'DOLLARS', kind: 'text' },
      { name: 'DAY', kind: 'date' },
      { name: 'EARLY', kind: 'date' },
      { name: 'MOMENT', kind: 'timestamp' },
      { name: 'OLD', kind: 'timestamp' },
      { name: 'INSTANT', kind: 'timestamp' },
      { name: 'CLOCK', kind: 'time' },
      { name: 'BYTES', kind: 'blob' },
      { name: 'YES', kind: 'boolean' },
      { name: 'JSON', kind: 'json' },
      { name: 'ABSENT', kind: 'text' },
    ],
    row: [
      1,
      9007199254740991,
      9007199254740993n,
      18446744073709551615n,
      2.5,
      3,
      '12345678901234567.5',
      0.1,
      'NaN',
      'x',
      'a\\b',
      "it's",
      '2024-01-02',
      '1848-01-01',
      '2024-01-02T03:04:05.678901',
      '1848-01-01T00:00:00.25',
      '2024-07-02T03:04:05+02:00',
      '03:04:05',
      new Uint8Array([0, 255]),
      true,
      '{"a":[1,"x y"]}',
      null,
    ],
  },
  roleCanWrite: null,
  runaway: `select count(*) from (${numbers(100_000_000)}) a cross join (${numbers(100_000_000)}) b
    where hash(a.n + b.n) = 1`,
  numbers,
  texts: (length, count) => `select rpad('', ${length}, 'x') as t from (${numbers(count)}) n`,
  writes: [
    "insert into ports values (9, 'x', null, null)",
    'delete from ports',
    "update ports set name = 'x'",
    'merge into ports using ships on ports.id = ships.id when matched then delete',
    'truncate table stops',
    'create table loot (x integer)',
    'create table loot as select 1 as x',
    'create or replace view loot as select 1 as x',
    'create schema loot',
    'drop table stops',
    'alter table ports add column x integer',
    "comment on table ports is 'x'",
    'call system$wait(10)',
    'execute immediate $$delete from ports$$',
    'copy into @~/loot from (select * from ports)',
    'put file:///tmp/x @~',
    'alter session set timezone = UTC',
    'use role accountadmin',
    'set x = 1',
    'begin',
    'grant select on table ports to role public',
    'show tables',
  ],
  errors: [
    ['syntax', 'select * from'],
    ['syntax', "select 'open"],
    ['unknown-table', 'select * from docks'],
    ['unknown-table', 'select * from nowhere.docks'],
    ['unknown-column', 'select nope from ports'],
    ['unknown-column', 'select p.nope from ports p'],
    ['ambiguous-column', 'select id from ports, ships'],
    ['type-mismatch', "select date 'yesterday evening'"],
    ['type-mismatch', 'select 1 as a union select 1, 2'],
    ['type-mismatch', "select cast('x' as integer) as a"],
    ['function', 'select nope(1) as a'],
    ['function', 'select lower(1, 2, 3) as a'],
    ['aggregation', 'select name, count(*) as n from ports'],
    ['aggregation', 'select sum(sum(id)) as n from ports'],
  ],
})
