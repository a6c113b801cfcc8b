import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { dialectNames } from '../../../src/sql/dialects.ts'

const guard = makeGuard()

const reasonOf = (verdict: ReturnType<typeof guard>): string =>
  verdict.verdict === 'refuse' ? verdict.reason : `allowed ${verdict.guarded.sql}`

describe('makeGuard', () => {
  test('brands the very text that it was given, and nobody can change it afterwards', () => {
    const sql = '  SELECT 1 -- as written\n'
    const verdict = guard(sql, 'postgres')
    expect(verdict).toEqual({ verdict: 'allow', guarded: { sql, dialect: 'postgres' } })
    expect(Object.isFrozen('guarded' in verdict ? verdict.guarded : {})).toBe(true)
  })

  test.each(dialectNames)('reads a plain query of %s, and refuses a write', dialect => {
    expect(guard('SELECT a, count(*) FROM t GROUP BY a', dialect).verdict).toBe('allow')
    expect(guard('DELETE FROM t', dialect).verdict).toBe('refuse')
    expect(reasonOf(guard('SELECT a FROM t; SELECT b FROM t', dialect))).toMatch(/statements/)
    expect(reasonOf(guard('SELECT no_such_function(a) FROM t', dialect))).toMatch(/no_such_function/)
  })

  test('refuses what is longer than 20,000 characters, and takes what is not', () => {
    const long = (length: number): string => `SELECT '${'x'.repeat(length - 9)}'`
    expect(guard(long(20_000), 'postgres').verdict).toBe('allow')
    expect(reasonOf(guard(long(20_001), 'postgres'))).toBe('it is longer than 20,000 characters (20001)')
  })

  test('names the offending part in words', () => {
    expect(reasonOf(guard('SELECT pg_sleep(1)', 'postgres'))).toBe(
      'it calls pg_sleep, which is not on the list of allowed functions',
    )
    expect(reasonOf(guard('DROP TABLE t', 'sqlite'))).toBe('it is no query but a DROP TABLE')
    expect(reasonOf(guard('SELECT * FROM pg_shadow', 'postgres'))).toBe('it reads pg_shadow, a system table')
    expect(reasonOf(guard('SELECT a FROM t WHERE', 'postgres'))).toBe(
      'it could not be read as postgres SQL: syntax error at end of input',
    )
  })

  test('allows the functions that the owner of the database names, as they are called', () => {
    const own = makeGuard({ allowFunctions: ['net_revenue', 'finance.margin'] })
    expect(own('SELECT net_revenue(a) FROM t', 'postgres').verdict).toBe('allow')
    expect(own('SELECT finance.margin(a) FROM t', 'postgres').verdict).toBe('allow')
    expect(reasonOf(own('SELECT margin(a) FROM t', 'postgres'))).toMatch(/calls margin/)
    expect(reasonOf(own('SELECT other.net_revenue(a) FROM t', 'postgres'))).toMatch(/calls other.net_revenue/)
    expect(reasonOf(own('SELECT pg_sleep(1)', 'postgres'))).toMatch(/pg_sleep/)
  })
})
