import { describe, expect, test } from 'vitest'
import { normaliseSql } from '../../src/sql/normalise-sql.ts'

describe.each(['postgres', 'sqlite', 'mysql', 'duckdb'] as const)('normaliseSql in %s', dialect => {
  test.each([
    ['SELECT a FROM t', 'select  a\nfrom t ;'],
    ['SELECT a FROM t', 'SELECT /* which */ a FROM t -- here'],
    ['SELECT a FROM t', 'SELECT x.a FROM t AS x'],
    ['SELECT a FROM t', 'SELECT t.a AS label FROM t'],
    ['SELECT a FROM t WHERE b <> 1', 'SELECT a FROM t WHERE (b) != 1'.replace('(b)', 'b')],
    ['SELECT count(*) FROM t', 'SELECT COUNT( * ) AS n FROM t'],
    [
      "SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.id = T2.id WHERE T2.b = 'X'",
      "SELECT p.a FROM t p INNER JOIN u q ON p.id = q.id WHERE q.b = 'X'",
    ],
    ['SELECT t.a FROM t JOIN u ON t.id = u.id', 'SELECT x.a FROM t AS x JOIN u AS y ON x.id = y.id'],
    ['WITH x AS (SELECT a FROM t) SELECT a FROM x', 'with y as (select z.a from t as z) select q.a from y q'],
    [
      'SELECT T1.a FROM t AS T1 JOIN v AS T2 ON T1.i = T2.i EXCEPT SELECT T1.a FROM u AS T1 JOIN v AS T2 ON T1.i = T2.i',
      'SELECT b.a FROM t AS b JOIN v AS c ON b.i = c.i EXCEPT SELECT e.a FROM u AS e JOIN v AS d ON e.i = d.i',
    ],
    [
      'SELECT a FROM t AS x WHERE b IN (SELECT u.b FROM u WHERE u.c = x.c)',
      'SELECT a FROM t WHERE b IN (SELECT y.b FROM u y WHERE y.c = t.c)',
    ],
    [
      'SELECT a, count(*) AS n FROM t GROUP BY a ORDER BY n',
      'SELECT t.a, count(*) AS n FROM t GROUP BY t.a ORDER BY n',
    ],
  ])('gives one form to %s and %s', (one, other) => {
    expect(normaliseSql(one, dialect)).not.toBeNull()
    expect(normaliseSql(other, dialect)).toBe(normaliseSql(one, dialect))
  })

  test.each([
    ["SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'X'"],
    ["SELECT a FROM t WHERE b = 'x  y'", "SELECT a FROM t WHERE b = 'x y'"],
    ['SELECT a, b FROM t', 'SELECT b, a FROM t'],
    ['SELECT a FROM t LIMIT 1', 'SELECT a FROM t LIMIT 2'],
    ['SELECT DISTINCT a FROM t', 'SELECT a FROM t'],
    [
      'SELECT T1.a FROM t AS T1 JOIN t AS T2 ON T1.i = T2.j',
      'SELECT T2.a FROM t AS T1 JOIN t AS T2 ON T1.i = T2.j',
    ],
    ['SELECT x FROM t AS x', 'SELECT x FROM t AS y'],
    ['SELECT a FROM s.t', 'SELECT a FROM t'],
    ['SELECT a AS b FROM t ORDER BY b', 'SELECT a FROM t ORDER BY b'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(normaliseSql(one, dialect)).not.toBeNull()
    expect(normaliseSql(other, dialect)).not.toBe(normaliseSql(one, dialect))
  })

  test('changes nothing when done twice', () => {
    const sql =
      "select X.a, Count(*) from T as X left join U on X.i = U.i where U.n like 'A%' group by 1 having Count(*) > 2"
    const once = normaliseSql(sql, dialect)
    expect(once).not.toBeNull()
    expect(normaliseSql(once ?? '', dialect)).toBe(once)
  })

  test.each(['SELECT FROM', 'SELECT 1; SELECT 2', '', 'selec a'])('has no form for %j', sql => {
    expect(normaliseSql(sql, dialect)).toBeNull()
  })
})

describe('normaliseSql', () => {
  test('folds case as far as the dialect does', () => {
    expect(normaliseSql('SELECT A FROM T', 'postgres')).toBe(normaliseSql('SELECT a FROM t', 'postgres'))
    expect(normaliseSql('SELECT "A" FROM t', 'postgres')).not.toBe(
      normaliseSql('SELECT a FROM t', 'postgres'),
    )
    expect(normaliseSql('SELECT A FROM T', 'sqlite')).toBe(normaliseSql('SELECT a FROM t', 'sqlite'))
    // Tables are files in MySQL.
    expect(normaliseSql('SELECT A FROM t', 'mysql')).toBe(normaliseSql('SELECT a FROM t', 'mysql'))
    expect(normaliseSql('SELECT a FROM T', 'mysql')).not.toBe(normaliseSql('SELECT a FROM t', 'mysql'))
  })
})
