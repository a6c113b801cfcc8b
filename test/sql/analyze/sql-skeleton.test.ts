import { describe, expect, test } from 'vitest'
import { sqlSkeleton } from '../../../src/sql/analyze/sql-skeleton.ts'

describe.each(['postgres', 'sqlite', 'mysql', 'duckdb'] as const)('sqlSkeleton in %s', dialect => {
  test.each([
    ["SELECT name FROM pets WHERE kind = 'dog'", "SELECT p.title FROM films AS p WHERE p.studio = 'A'"],
    ['SELECT a FROM t WHERE b IN (1, 2, 3)', 'SELECT c FROM s.u WHERE d IN (9)'],
    [
      'SELECT T1.a, count(*) FROM t AS T1 JOIN u AS T2 ON T1.i = T2.i GROUP BY T1.a ORDER BY count(*) DESC LIMIT 1',
      'SELECT x, count(*) FROM v JOIN w ON v.k = w.k GROUP BY x ORDER BY count(*) DESC LIMIT 7',
    ],
    ['WITH x AS (SELECT a FROM t) SELECT a AS label FROM x', 'WITH y AS (SELECT c FROM u) SELECT c FROM y'],
  ])('is the same for %s and %s', (one, other) => {
    expect(sqlSkeleton(one, dialect)).not.toBeNull()
    expect(sqlSkeleton(other, dialect)).toBe(sqlSkeleton(one, dialect))
  })

  test.each([
    ['SELECT max(a) FROM t', 'SELECT min(a) FROM t'],
    ['SELECT a FROM t', 'SELECT DISTINCT a FROM t'],
    ['SELECT a FROM t', 'SELECT a, b FROM t'],
    ['SELECT a FROM t', 'SELECT * FROM t'],
    ['SELECT a FROM t WHERE b = 1', 'SELECT a FROM t WHERE b > 1'],
    ['SELECT a FROM t WHERE b IS NULL', 'SELECT a FROM t WHERE b = 1'],
  ])('tells %s from %s', (one, other) => {
    expect(sqlSkeleton(other, dialect)).not.toBe(sqlSkeleton(one, dialect))
  })

  test('holds no name and no value', () => {
    const sql =
      "SELECT secret_a FROM secret_t AS secret_x WHERE secret_b = 'secret' AND secret_c IN (SELECT secret_d FROM secret_u)"
    expect(sqlSkeleton(sql, dialect)).not.toMatch(/secret/)
  })

  test('reads well', () => {
    expect(sqlSkeleton("SELECT name FROM pets WHERE kind = 'dog' LIMIT 3", dialect)).toBe(
      'SELECT _ FROM _ WHERE _ = ? LIMIT ?',
    )
  })

  test('is null for what cannot be parsed', () => {
    expect(sqlSkeleton('SELECT FROM', dialect)).toBeNull()
  })
})
