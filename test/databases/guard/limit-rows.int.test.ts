import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeLimitRows } from '../../../src/databases/guard/limit-rows.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { createMysqlDatabase } from '../../helpers/services/mysql-database.ts'
import { requireService } from '../../helpers/services/require-service.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { cannotBeLimited, limitedSchema, limitedStatements } from './limited-statements.ts'

const guard = makeGuard()

const limitRows = makeLimitRows(guard)

type Ask = (sql: string) => Promise<readonly unknown[]>

/** The limited statement gives the first rows of the other one, and no more of them. */
const expectFirstRows = async (sql: string, dialect: Dialect, ask: Ask): Promise<void> => {
  const verdict = guard(sql, dialect)
  if (verdict.verdict === 'refuse') throw new Error(`${sql}: ${verdict.reason}`)
  const all = await ask(sql)
  for (const rows of [1, 7, 26, 1000]) {
    const { sql: limited } = limitRows(verdict.guarded, rows)
    const isWhole = limited === sql && cannotBeLimited.has(sql)
    expect(await ask(limited), limited).toEqual(isWhole ? all : all.slice(0, rows))
  }
}

describe('limitRows', () => {
  test('gives the first rows on Postgres', async () => {
    await using database = await createTestDatabase()
    const client = new Client({ connectionString: database.url })
    await client.connect()
    try {
      const ask: Ask = async sql => (await client.query({ text: sql, rowMode: 'array' })).rows
      for (const statement of limitedSchema) await client.query(statement)
      for (const sql of limitedStatements('postgres')) await expectFirstRows(sql, 'postgres', ask)
    } finally {
      await client.end()
    }
  })

  test('gives the first rows on DuckDB', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const ask: Ask = async sql => (await connection.runAndReadAll(sql)).getRowsJson()
    for (const statement of limitedSchema) await connection.run(statement)
    for (const sql of limitedStatements('duckdb')) await expectFirstRows(sql, 'duckdb', ask)
  })

  const mysqlUrl = requireService('MYSQL_URL', 'row limits on MariaDB and MySQL')

  test.skipIf(mysqlUrl === null)('gives the first rows on MariaDB', async () => {
    const database = await createMysqlDatabase(mysqlUrl ?? '')
    try {
      for (const statement of limitedSchema) await database.admin(statement)
      for (const sql of limitedStatements('mysql')) await expectFirstRows(sql, 'mysql', database.admin)
    } finally {
      await database.drop()
    }
  })
})
