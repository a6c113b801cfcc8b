import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { type LogFields, silentLog } from '../../../src/domain/operations/telemetry.ts'
import { runOn } from '../../helpers/run-on.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/services/mysql-database.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import { until } from '../../helpers/wait.ts'
import { isMariaDb, mysqlNumbers, mysqlRunaway, mysqlServerUrl } from './mysql-service.ts'

const failure = (...statement: Parameters<typeof runOn>) => sqlErrorOf(runOn(...statement))

describe.skipIf(mysqlServerUrl === null)('a MySQL connection', () => {
  let database: MysqlTestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createMysqlDatabase(mysqlServerUrl!)
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
      `select count(*) from (${mysqlNumbers(900_000)}) a, (${mysqlNumbers(900_000)}) b`,
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
    await runOn(connector, mysqlNumbers(100_000), { maxRows: 3 })
    expect(await threadId()).not.toBe(between)
  })

  it('is replaced when the server ended it between two statements', async () => {
    const idle = await threadId()
    await database.admin(`kill ${idle}`)
    const listed = `select id from information_schema.processlist where id = ${idle}`
    await until(async () => (await database.admin(listed)).length === 0)
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('is replaced when the server ends it in the middle of a statement', async () => {
    const running = failure(connector, mysqlRunaway)
    const thread = async (): Promise<unknown> =>
      (
        await database.admin(
          `select id from information_schema.processlist where db = '${database.name}' and command = 'Execute'`,
        )
      )[0]?.id
    await database.admin(`kill ${await until(thread)}`)
    expect(await running).toMatchObject({ errorClass: 'connection' })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('tells a kill by somebody else from a timeout', async () => {
    const running = failure(connector, mysqlRunaway)
    const victim = `select id from information_schema.processlist where db = '${database.name}' and command = 'Execute'`
    const { id } = await until(async () => (await database.admin(victim))[0])
    await database.admin(`kill query ${id}`)
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
