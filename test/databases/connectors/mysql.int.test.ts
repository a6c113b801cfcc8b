import { describe } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import { harborRows } from '../../contracts/connector/harbor.ts'
import { testConnector } from '../../contracts/connector.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/services/mysql-database.ts'
import { isMariaDb, mysqlNumbers, mysqlRunaway, mysqlServerUrl } from './mysql-service.ts'

const harbor = `
  create table ports (id integer primary key, name text not null, country text, opened date);
  create table ships (id integer primary key, name text not null, home_port_id integer,
    tonnage decimal(10, 2), active boolean, launched datetime, foreign key (home_port_id) references ports (id));
  create table voyages (ship_id integer, number integer, departed datetime,
    primary key (ship_id, number), foreign key (ship_id) references ships (id));
  create table stops (id integer primary key, ship_id integer, voyage_number integer, port_id integer, note text,
    foreign key (port_id) references ports (id),
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harborRows}
`

describe.skipIf(mysqlServerUrl === null)('the connector of a server', () => {
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
      database = await createMysqlDatabase(mysqlServerUrl ?? '')
      await database.admin(harbor)
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
    runaway: mysqlRunaway,
    numbers: mysqlNumbers,
    texts: (length, count) => `select repeat('x', ${length}) from (${mysqlNumbers(count)}) t`,
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
})
