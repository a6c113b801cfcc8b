import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { runOn } from '../../helpers/run-on.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { until } from '../../helpers/wait.ts'
import { withClient } from '../../helpers/with-client.ts'

describe('a Postgres connection', () => {
  let database: TestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createTestDatabase()
    connector = await makePostgresConnector({ url: database.url, place: 'test', connections: 1 })
  })
  afterAll(async () => {
    await connector.close()
    await database.drop()
  })

  const pid = async (): Promise<unknown> => (await runOn(connector, 'select pg_backend_pid()')).rows[0]?.[0]
  const failure = (sql: string, options: Parameters<typeof runOn>[2] = {}) =>
    sqlErrorOf(runOn(connector, sql, options))

  it('is used again after an error and after a timeout on the server', async () => {
    const before = await pid()
    await failure('select nope')
    expect(await failure('select pg_sleep(60)', { timeoutMs: 200 })).toMatchObject({
      errorClass: 'timeout',
      driverCode: '57014',
    })
    expect(await pid()).toBe(before)
  })

  it('is thrown away after a cancel', async () => {
    const before = await pid()
    expect(await failure('select pg_sleep(60)', { signal: AbortSignal.timeout(200) })).toMatchObject({
      errorClass: 'cancelled',
    })
    expect(await pid()).not.toBe(before)
  })

  it('is replaced when the server ends it', async () => {
    expect(await failure('select pg_terminate_backend(pg_backend_pid())')).toMatchObject({
      errorClass: 'connection',
      driverCode: '57P01',
    })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('is replaced when the server ended it between two statements', async () => {
    const idle = await pid()
    await withClient(database.url, async client => {
      await client.query('select pg_terminate_backend($1)', [idle])
      const listed = () => client.query('select from pg_stat_activity where pid = $1', [idle])
      await until(async () => (await listed()).rowCount === 0)
    })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('tells a cancel by somebody else from a timeout', async () => {
    let ended = false
    const sleeping = failure('select pg_sleep(60)').finally(() => {
      ended = true
    })
    await withClient(database.url, async client => {
      // A cancel that arrives between two messages of the protocol is passed over: one is not always enough.
      await until(async () => {
        await client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`,
        )
        return ended
      })
    })
    expect(await sleeping).toMatchObject({ errorClass: 'cancelled', driverCode: '57014' })
  })

  it('keeps no setting that a statement made', async () => {
    await runOn(connector, "select set_config('statement_timeout', '1', false)")
    await runOn(connector, "select set_config('search_path', 'nowhere', false)")
    await withClient(database.url, client => client.query('create table kept (x integer)'))
    expect((await runOn(connector, 'select x from kept')).rows).toEqual([])
    expect((await runOn(connector, 'show statement_timeout')).rows).toEqual([['20s']])
  })

  it('reads backslashes in strings as the standard says, whatever the database is set to', async () => {
    await withClient(database.url, client =>
      client.query(
        `do $$ begin execute format('alter database %I set standard_conforming_strings = off', current_database()); end $$`,
      ),
    ).catch(error =>
      expect(error.code, 'servers without the setting are right anyway').toMatch(/^(22023|42704|0A000)$/),
    )
    const fresh = await makePostgresConnector({ url: database.url, place: 'test' })
    expect((await runOn(fresh, String.raw`select 'a\'`)).rows).toEqual([['a\\']])
    await fresh.close()
  })

  it('cuts off a value that is far larger than any result may be', async () => {
    const tooLarge = { maxBytes: 1000 }
    expect(await failure("select repeat('x', 100000000)", tooLarge)).toMatchObject({ errorClass: 'other' })
    const result = await runOn(
      connector,
      "select case when n <= 300 then 'x' else repeat('x', 100000000) end from generate_series(1, 1000) n",
      tooLarge,
    )
    expect(result.truncated).toBe('bytes')
    expect(result.rows.length).toBeGreaterThan(0)
    expect(result.rows.every(row => row[0] === 'x')).toBe(true)
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('executes nothing that is not a query, not even what reads only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-copy-'))
    chmodSync(folder, 0o777)
    const sql = `copy (select 1) to program 'cat > ${folder}/executed'`
    expect(await failure(sql)).toMatchObject({ errorClass: 'permission' })
    expect(readdirSync(folder)).toEqual([])
    await withClient(database.url, client => client.query(sql))
    expect(readdirSync(folder)).toEqual(['executed'])
    rmSync(folder, { recursive: true })
  })

  it('shows instants and cuts days in the time zone that was given', async () => {
    const tokyo = await makePostgresConnector({ url: database.url, place: 'test', timeZone: 'Asia/Tokyo' })
    const sql = "select timestamptz '2024-01-01 20:00:00+00', (timestamptz '2024-01-01 20:00:00+00')::date"
    expect((await runOn(tokyo, sql)).rows).toEqual([['2024-01-02T05:00:00+09:00', '2024-01-02']])
    await tokyo.close()
  })
})
