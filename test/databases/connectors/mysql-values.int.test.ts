import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { runOn } from '../../helpers/run-on.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/services/mysql-database.ts'
import { mysqlServerUrl } from './mysql-service.ts'

describe.skipIf(mysqlServerUrl === null)('values of MySQL columns', () => {
  let database: MysqlTestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createMysqlDatabase(mysqlServerUrl!)
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
