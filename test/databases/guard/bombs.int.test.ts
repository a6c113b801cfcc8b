import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { runOn } from '../../helpers/run-on.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/services/mysql-database.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'
import { mysqlServerUrl } from '../connectors/mysql-service.ts'
import { bombs, growing } from './bombs.ts'

// On servers nothing counts the memory of a single value. So the largest that the guard lets through must be harmless,
// and what it refuses must not get there.

const guard = makeGuard()

const runGuarded = async (connector: Connector, sql: string): Promise<'refused' | 'ran'> => {
  const verdict = guard(sql, connector.dialect)
  if (verdict.verdict === 'refuse') return 'refused'
  await connector.run(verdict.guarded, { timeoutMs: 60_000, maxRows: 10, maxBytes: 1_000_000 })
  return 'ran'
}

/** The most memory that a process has had since it was last asked, in megabytes; 0 if it is not on this machine. */
const peakMegabytes = (pid: number): number => {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

const largestOfPostgres = [
  "SELECT length(string_agg(rpad('x', 1000), '')) FROM generate_series(1, 60000)",
  "SELECT cardinality(array_agg(rpad('x', 1000))) FROM generate_series(1, 60000)",
  "SELECT length(json_agg(rpad('x', 1000))::text) FROM generate_series(1, 30000)",
  "SELECT cardinality(ARRAY(SELECT rpad('x', 1000) FROM generate_series(1, 60000)))",
  `SELECT length(replace(replace(replace('${'a'.repeat(99)}', 'a', '${'b'.repeat(99)}'), 'b', '${'c'.repeat(99)}'), 'c', 'ddd'))`,
  "SELECT length(regexp_replace(rpad('a', 1000), '', rpad('b', 999), 'g'))",
  `SELECT length(jsonb_pretty('${'['.repeat(450)}${']'.repeat(450)}'))`,
  "SELECT length(array_to_string(string_to_array(rpad('x', 1000), NULL), rpad('y', 1000)))",
  'SELECT a FROM generate_series(1, 900000) a ORDER BY rpad(a::text, 1000)',
  "WITH RECURSIVE t(x, n) AS (SELECT 'a', 1 UNION ALL SELECT x || rpad('b', 100), n + 1 FROM t WHERE n < 1000) SELECT max(length(x)) FROM t",
]

const largestOfMysql = [
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT length(group_concat(rpad('x', 1000, 'y'))) FROM n",
  `SELECT length(replace(replace('${'a'.repeat(99)}', 'a', '${'b'.repeat(99)}'), 'b', '${'c'.repeat(45)}'))`,
  "SELECT length(regexp_replace(rpad('a', 1000, 'a'), 'a', rpad('b', 200, 'b')))",
  "SELECT length(concat(space(10000), rpad('x', 10000, 'y'), hex(space(10000))))",
  "WITH RECURSIVE t(x, n) AS (SELECT CAST('a' AS char(1000000)), 1 UNION ALL SELECT concat(x, rpad('b', 500, 'c')), n + 1 FROM t WHERE n < 900) SELECT max(length(x)) FROM t",
]

describe('Postgres', () => {
  let database: TestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createTestDatabase()
    await withClient(database.url, client =>
      client.query("create table pets (id integer, name text); insert into pets values (1, 'aab'), (2, 'b')"),
    )
    connector = await makePostgresConnector({ url: database.url, place: 'test', connections: 1 })
  })
  afterAll(async () => {
    await connector.close()
    await database.drop()
  })

  test('never sees a bomb', async () => {
    for (const sql of bombs.postgres)
      expect([sql, await runGuarded(connector, sql)]).toEqual([sql, 'refused'])
  })

  test('runs each aggregate over a few rows, so that a million of them would be real', async () => {
    for (const sql of growing('postgres', 9))
      expect([sql, await runGuarded(connector, sql)]).toEqual([sql, 'ran'])
  })

  test('takes less than half a gigabyte for the largest that is allowed, and goes on', async () => {
    const pid = Number((await runOn(connector, 'select pg_backend_pid()')).rows[0]?.[0])
    for (const sql of largestOfPostgres) {
      expect([sql, await runGuarded(connector, sql)]).toEqual([sql, 'ran'])
      expect((await runOn(connector, 'select pg_backend_pid()')).rows).toEqual([[pid]])
    }
    expect(peakMegabytes(pid)).toBeLessThan(512)
  }, 120_000)
})

describe.skipIf(mysqlServerUrl === null)('MySQL or MariaDB', () => {
  let database: MysqlTestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createMysqlDatabase(mysqlServerUrl!)
    await database.admin(
      "create table pets (id integer, name text); insert into pets values (1, 'aab'), (2, 'b')",
    )
    connector = await makeMysqlConnector({ url: database.url, place: 'test', connections: 1 })
  })
  afterAll(async () => {
    await connector.close()
    await database.drop()
  })

  test('never sees a bomb', async () => {
    for (const sql of bombs.mysql) expect([sql, await runGuarded(connector, sql)]).toEqual([sql, 'refused'])
  })

  test('runs each aggregate over a few rows, so that a million of them would be real', async () => {
    for (const sql of growing('mysql', 9))
      expect([sql, await runOn(connector, sql).then(() => 'ran', String)]).toEqual([sql, 'ran'])
  })

  test('runs the largest that is allowed, and goes on', async () => {
    for (const sql of largestOfMysql) {
      expect([sql, await runGuarded(connector, sql)]).toEqual([sql, 'ran'])
      expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
    }
  }, 120_000)
})
