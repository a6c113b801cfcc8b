import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import { runOn } from '../../helpers/run-on.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/services/mysql-database.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'
import { isMariaDb, mysqlServerUrl } from './mysql-service.ts'

const tooMuch =
  'The statement needs more memory than it is allowed. Group or filter earlier, or ask for less at once.'

describe('a Postgres session', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const settings =
    "select current_setting('work_mem'), current_setting('hash_mem_multiplier'), current_setting('temp_file_limit')"

  test('has limits of memory and temporary files below those of its role', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await withClient(database.url, client =>
      client.query(
        `alter database "${name}" set work_mem = '2GB'; alter database "${name}" set hash_mem_multiplier = 8`,
      ),
    )
    const connector = await makePostgresConnector({ url: database.url, place: 'test', connections: 1 })
    expect((await runOn(connector, settings)).rows).toEqual([['64MB', '2', '8GB']])
    await connector.close()
    await withClient(database.url, client =>
      client.query(
        `alter database "${name}" set work_mem = '1MB'; alter database "${name}" set temp_file_limit = '5MB'`,
      ),
    )
    const small = await makePostgresConnector({ url: database.url, place: 'test', connections: 1 })
    expect((await runOn(small, settings)).rows).toEqual([['1MB', '2', '5MB']])
    expect(
      await sqlErrorOf(runOn(small, 'select a from generate_series(1, 1000000) a order by -a')),
    ).toMatchObject({
      errorClass: 'other',
      driverCode: '53400',
      message: tooMuch,
    })
    await small.close()
  })

  test('works for a role that may not limit temporary files', async () => {
    const role = `reader_${new URL(database.url).pathname.slice(-8)}`
    await withClient(database.url, client => client.query(`create role ${role} login password 'secret'`))
    const url = new URL(database.url)
    url.username = role
    url.password = 'secret'
    const connector = await makePostgresConnector({ url: url.href, place: 'test', connections: 1 })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
    await connector.close()
    await withClient(database.url, client => client.query(`drop role ${role}`))
  })
})

describe.skipIf(mysqlServerUrl === null || !isMariaDb)('a MariaDB session', () => {
  let database: MysqlTestDatabase
  beforeAll(async () => {
    database = await createMysqlDatabase(mysqlServerUrl!)
  })
  afterAll(() => database.drop())

  test('has a limit of memory, which ends a statement and not the session', async () => {
    const connector = await makeMysqlConnector({ url: database.url, place: 'test', connections: 1 })
    const [row] = (await runOn(connector, 'select @@max_session_mem_used, @@tmp_disk_table_size')).rows
    expect(row).toEqual([268435456, 8589934592])
    const wide = Array.from({ length: 20 }, (_, at) => `repeat(char(${at + 65} + n), 15000000) as c${at}`)
    const sql = `select length(c0) from (select ${wide.join(', ')} from (select 1 as n union select 2) s order by c0 limit 1) t`
    expect(await sqlErrorOf(runOn(connector, sql))).toMatchObject({
      errorClass: 'other',
      driverCode: '1290',
      message: tooMuch,
    })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
    await connector.close()
  })
})
