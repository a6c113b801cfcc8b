import { describe, expect, test } from 'vitest'
import { ordersRows } from '../../src/sql/orders-rows.ts'

describe.each(['postgres', 'sqlite', 'mysql', 'duckdb'] as const)('ordersRows in %s', dialect => {
  test.each([
    'SELECT a FROM t ORDER BY a',
    'select a from t order by 1 desc limit 3',
    'SELECT a FROM t UNION SELECT a FROM u ORDER BY a',
    'WITH x AS (SELECT a FROM t) SELECT a FROM x ORDER BY a',
    '(SELECT a FROM t ORDER BY a)',
    'SELECT a FROM t /* order */ ORDER -- by\n BY a;',
  ])('sees the order of %s', sql => {
    expect(ordersRows(sql, dialect)).toBe(true)
  })

  test.each([
    'SELECT a FROM t',
    'SELECT a FROM (SELECT a FROM t ORDER BY a) AS x',
    'WITH x AS (SELECT a FROM t ORDER BY a LIMIT 3) SELECT a FROM x',
    'SELECT rank() OVER (ORDER BY a) FROM t',
    "SELECT a FROM t WHERE b = 'ORDER BY a'",
    'SELECT a FROM t -- ORDER BY a',
    'SELECT a FROM t WHERE b IN (SELECT b FROM u ORDER BY b)',
    'ORDER BY a',
    '',
  ])('sees none in %s', sql => {
    expect(ordersRows(sql, dialect)).toBe(false)
  })
})
