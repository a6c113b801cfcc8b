import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeLimitRows } from '../../../src/databases/guard/limit-rows.ts'
import type { GuardedSql, ParseDialect } from '../../../src/domain/sql.ts'
import { cannotBeLimited, limitedSchema, limitedStatements } from './limited-statements.ts'

const guard = makeGuard()

const limitRows = makeLimitRows(guard)

const guarded = (sql: string, dialect: ParseDialect): GuardedSql => {
  const verdict = guard(sql, dialect)
  if (verdict.verdict === 'refuse') throw new Error(`${sql}: ${verdict.reason}`)
  return verdict.guarded
}

const limited = (sql: string, dialect: ParseDialect, rows = 10): string =>
  limitRows(guarded(sql, dialect), rows).sql

describe('limitRows', () => {
  test.each<[ParseDialect, string, string]>([
    ['postgres', 'SELECT a FROM t', 'SELECT a FROM t\nLIMIT 10'],
    ['postgres', 'SELECT a FROM t; -- all', 'SELECT a FROM t\nLIMIT 10; -- all'],
    ['postgres', 'SELECT a FROM t LIMIT 50', 'SELECT a FROM t LIMIT 10'],
    ['postgres', 'SELECT a FROM t LIMIT 5', 'SELECT a FROM t LIMIT 5'],
    ['postgres', 'TABLE t', 'TABLE t\nLIMIT 10'],
    [
      'postgres',
      'SELECT a FROM t ORDER BY a FETCH FIRST 2 ROWS WITH TIES',
      'SELECT * FROM (\nSELECT a FROM t ORDER BY a FETCH FIRST 2 ROWS WITH TIES\n) AS limited LIMIT 10',
    ],
    [
      'sqlite',
      'SELECT a FROM t WHERE b IN (SELECT b FROM u LIMIT 50) LIMIT 50 OFFSET 50',
      'SELECT a FROM t WHERE b IN (SELECT b FROM u LIMIT 50) LIMIT 10 OFFSET 50',
    ],
    ['sqlite', 'SELECT a FROM t LIMIT 50, 50', 'SELECT a FROM t LIMIT 50, 10'],
    ['mysql', 'SELECT a FROM t LIMIT 0, 50', 'SELECT a FROM t LIMIT 0, 10'],
    ['duckdb', 'FROM t', 'FROM t\nLIMIT 10'],
    ['tsql', 'SELECT DISTINCT a FROM t ORDER BY a', 'SELECT DISTINCT TOP (10) a FROM t ORDER BY a'],
    ['tsql', 'SELECT TOP 50 a FROM t', 'SELECT TOP 10 a FROM t'],
    ['tsql', 'SELECT TOP (50) PERCENT a FROM t', 'SELECT TOP (50) PERCENT a FROM t'],
    ['tsql', 'SELECT a FROM t UNION SELECT b FROM u', 'SELECT a FROM t UNION SELECT b FROM u'],
    [
      'tsql',
      'SELECT a FROM t ORDER BY a OFFSET 2 ROWS FETCH NEXT 50 ROWS ONLY',
      'SELECT a FROM t ORDER BY a OFFSET 2 ROWS FETCH NEXT 10 ROWS ONLY',
    ],
    ['trino', 'SELECT a FROM t OFFSET 3', 'SELECT a FROM t OFFSET 3\nLIMIT 10'],
    ['bigquery', 'SELECT a FROM t', 'SELECT a FROM t\nLIMIT 10'],
    ['snowflake', 'SELECT TOP 50 a FROM t', 'SELECT TOP 10 a FROM t'],
    ['clickhouse', 'SELECT a FROM t LIMIT 2 BY b', 'SELECT a FROM t LIMIT 2 BY b'],
  ])('writes on %s %j', (dialect, sql, expected) => {
    expect(limited(sql, dialect)).toBe(expected)
  })

  test('runs nothing that the guard has not seen: what it made is refused where the guard refuses it', () => {
    const seen: string[] = []
    const strict = makeLimitRows((sql, dialect) => {
      seen.push(sql)
      return sql.includes('LIMIT') ? { verdict: 'refuse', reason: 'it is limited' } : guard(sql, dialect)
    })
    const original = guarded('SELECT a FROM t', 'sqlite')
    expect(strict(original, 10)).toBe(original)
    expect(seen).toEqual(['SELECT a FROM t\nLIMIT 10'])
  })

  test('leaves a statement alone that would become too long', () => {
    const sql = `SELECT '${'x'.repeat(19_990)}'`
    expect(limited(sql, 'sqlite')).toBe(sql)
  })

  test.each(limitedStatements('sqlite'))('gives the first rows on SQLite of %s', sql => {
    const database = new DatabaseSync(':memory:')
    for (const statement of limitedSchema) database.exec(statement)
    const all = database.prepare(sql).all()
    for (const rows of [1, 7, 26, 1000]) {
      const first = database.prepare(limited(sql, 'sqlite', rows)).all()
      expect(first).toEqual(cannotBeLimited.has(sql) ? all : all.slice(0, rows))
    }
  })
})
