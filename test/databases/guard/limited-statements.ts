import type { Dialect } from '../../../src/domain/sql.ts'

/** A table of 40 rows: `n` from 1 to 40 in no order, `k` from 0 to 4. */
export const limitedSchema: readonly string[] = [
  'CREATE TABLE t (n integer, k integer)',
  `INSERT INTO t VALUES ${Array.from({ length: 40 }, (_, index) => `(${((index * 17) % 40) + 1}, ${index % 5})`).join(', ')}`,
]

const everywhere = [
  'SELECT n, k FROM t ORDER BY n',
  'SELECT n, k FROM t ORDER BY n DESC;',
  'SELECT n FROM t ORDER BY n -- the first ones\n',
  'SELECT n FROM t ORDER BY n LIMIT 30',
  'SELECT n FROM t ORDER BY n LIMIT 3 /* three */ ;',
  'SELECT n FROM t ORDER BY n LIMIT 30 OFFSET 5',
  'SELECT n FROM t WHERE n IN (SELECT n FROM t ORDER BY n LIMIT 20) ORDER BY n DESC',
  'SELECT n FROM t WHERE n IN (SELECT q.n FROM (SELECT n FROM t ORDER BY n LIMIT 30) AS q) ORDER BY n LIMIT 30',
  'SELECT n FROM t WHERE k = 1 UNION SELECT n FROM t WHERE k = 2 ORDER BY n',
  'SELECT n FROM t UNION ALL SELECT k FROM t ORDER BY n LIMIT 70',
  'WITH q AS (SELECT n FROM t ORDER BY n LIMIT 30) SELECT q.n FROM q ORDER BY q.n DESC',
  'SELECT k, count(*) AS c FROM t GROUP BY k ORDER BY c DESC, k',
  'SELECT \'LIMIT 99\' AS "limit", n FROM t ORDER BY n',
  'SELECT n AS limits, k AS "LIMIT 50" FROM t ORDER BY limits',
  'SELECT a.n, b.n FROM t a JOIN t b ON a.k = b.k ORDER BY a.n, b.n',
  "SELECT '日本語 😀' AS text, n FROM t ORDER BY n LIMIT 30",
  'SELECT n FROM (SELECT n FROM t ORDER BY n LIMIT 30) AS q ORDER BY n',
  'SELECT row_number() OVER (ORDER BY n) AS r FROM t ORDER BY r',
] as const

const own: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    'SELECT n FROM t ORDER BY n LIMIT 5, 30',
    'SELECT n FROM t ORDER BY n LIMIT 20 + 10',
    'VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)',
  ],
  postgres: [
    'SELECT n FROM t ORDER BY n OFFSET 5',
    'SELECT n FROM t ORDER BY n OFFSET 5 LIMIT 30',
    'SELECT n FROM t ORDER BY n FETCH FIRST 30 ROWS ONLY',
    'SELECT n FROM t ORDER BY n FETCH FIRST ROW ONLY',
    'SELECT k, n FROM t ORDER BY k, n FETCH FIRST 30 ROWS WITH TIES',
    'SELECT k FROM t ORDER BY k FETCH FIRST 9 ROWS WITH TIES',
    'SELECT n FROM t ORDER BY n LIMIT ALL',
    'SELECT n FROM t ORDER BY n LIMIT NULL OFFSET 2',
    'SELECT n FROM t ORDER BY n LIMIT 20 + 10 -- thirty',
    'SELECT n, n FROM t ORDER BY 1 LIMIT (SELECT 30)',
    '(SELECT n FROM t ORDER BY n LIMIT 30)',
    '(SELECT n FROM t ORDER BY n)',
    '(SELECT n FROM t) ORDER BY n',
    '(SELECT n FROM t ORDER BY n LIMIT 25) UNION ALL (SELECT n FROM t ORDER BY n LIMIT 30) ORDER BY 1',
    'VALUES (3), (1), (2), (5), (4), (9), (8), (7), (6), (10), (11), (12) ORDER BY 1',
  ],
  duckdb: [
    'FROM t ORDER BY n',
    'SELECT n FROM t ORDER BY n OFFSET 5',
    'SELECT n FROM t ORDER BY n LIMIT 50%',
    'SELECT n FROM t ORDER BY n LIMIT 20 + 10',
    '(SELECT n FROM t ORDER BY n)',
    '(SELECT n FROM t ORDER BY n LIMIT 30)',
    'VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)',
  ],
  mysql: [
    'SELECT n FROM t ORDER BY n LIMIT 5, 30',
    '(SELECT n FROM t ORDER BY n LIMIT 30)',
    '(SELECT n FROM t WHERE k = 1) UNION (SELECT n FROM t WHERE k = 2) ORDER BY n',
  ],
}

/** Statements that order their rows, so that the first ones are the same every time. */
export const limitedStatements = (dialect: Dialect): readonly string[] => {
  // Double quotes hold text in MySQL.
  // MariaDB has no LIMIT in the subquery of an IN.
  const common =
    dialect === 'mysql'
      ? everywhere.filter(sql => !/IN \(SELECT n .* LIMIT/.test(sql)).map(sql => sql.replaceAll('"', '`'))
      : everywhere
  return [...common, ...(own[dialect] ?? [])]
}

/** Where a limit cannot be put in by one number at one place; the connector's cap holds there. */
export const cannotBeLimited: ReadonlySet<string> = new Set([
  'SELECT n FROM t ORDER BY n LIMIT 20 + 10',
  'VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)',
])
