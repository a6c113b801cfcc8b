import { join } from 'node:path'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import { harborRows } from '../../contracts/connector/harbor.ts'
import { testConnector } from '../../contracts/connector.ts'
import { openSqliteFolder, sqliteNumbers, sqliteProcesses } from './sqlite-folder.ts'

const { folder, makeFile } = openSqliteFolder()

const harbor = makeFile(`
  create table ports (id integer primary key, name text not null, country text, opened date);
  create table ships (id integer primary key, name text not null, home_port_id integer references ports (id),
    tonnage numeric(10, 2), active boolean, launched datetime);
  create table voyages (ship_id integer not null references ships (id), number integer not null,
    departed datetime, primary key (ship_id, number));
  create table stops (id integer primary key, ship_id integer, voyage_number integer,
    port_id integer references ports (id), note text,
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harborRows}
`)

testConnector({
  name: 'SQLite',
  open: () => makeSqliteConnector({ file: harbor }),
  cleanUp: async () => {},
  runningStatements: () => sqliteProcesses.workingOn(harbor),
  heldResources: async () => sqliteProcesses.processesOn(harbor).length,
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
  runaway: `select count(*) from (${sqliteNumbers(2_000_000_000_000)})`,
  numbers: sqliteNumbers,
  texts: (length, count) => `select printf('%.*c', ${length}, 'x') from (${sqliteNumbers(count)})`,
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
