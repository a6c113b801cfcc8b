import { describe, expect, test } from 'vitest'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { sqlLiterals } from '../../../src/sql/analyze/sql-scopes.ts'

/** Literals as text: `'x' ~ table.column` where the column stands beside it. */
const literals = (sql: string, dialect: ParseDialect) =>
  sqlLiterals(sql, dialect)?.map(({ value, kind, column, mayBeColumn }) =>
    [
      kind === 'text' ? `'${value}'` : value,
      column === null ? '' : ` ~ ${column.table ?? '?'}.${column.column}`,
      mayBeColumn ? ' or column' : '',
    ].join(''),
  ) ?? null

describe.each(['postgres', 'sqlite', 'mysql', 'duckdb'] as const)('sqlLiterals in %s', dialect => {
  test.each([
    ["SELECT a FROM t WHERE b = 'x' AND 3 < c", ["'x' ~ t.b", '3 ~ t.c']],
    ["SELECT a FROM t WHERE b IN ('x', 'y') AND c NOT IN (1)", ["'x' ~ t.b", "'y' ~ t.b", '1 ~ t.c']],
    ["SELECT a FROM t WHERE b LIKE '%x%' AND c BETWEEN 1 AND 2", ["'%x%' ~ t.b", '1 ~ t.c', '2 ~ t.c']],
    ["SELECT a FROM t AS s WHERE lower(s.b) = 'x' AND NOT c <> -1.5", ["'x' ~ t.b", '-1.5 ~ t.c']],
    ["SELECT a, 'x', 2 FROM t HAVING count(*) > 3", ["'x'", '2', '3']],
    ["SELECT a FROM t, u WHERE b = 'it''s' AND u.c = 0", ["'it's' ~ ?.b", '0 ~ u.c']],
    ["SELECT a FROM t WHERE b = (SELECT max(c) FROM u WHERE d = 'y')", ["'y' ~ u.d"]],
    ["SELECT a FROM (SELECT b AS a FROM t) AS s WHERE s.a = 'x'", ["'x'"]],
    ["SELECT CASE WHEN b = '' THEN 'e' ELSE c END FROM t LIMIT 5", ["'' ~ t.b", "'e'", '5']],
    ["SELECT a FROM t WHERE b = CAST('2024-01-01' AS date)", ["'2024-01-01' ~ t.b"]],
  ])('finds those of %s', (sql, expected) => {
    expect([...(literals(sql, dialect) ?? [])].sort()).toEqual([...expected].sort())
  })
})

describe('sqlLiterals', () => {
  test('takes "x" for text that may be a column in SQLite, and for text in MySQL', () => {
    expect(literals('SELECT a FROM t WHERE b = "x"', 'sqlite')).toEqual(["'x' ~ t.b or column"])
    expect(literals('SELECT a FROM t WHERE b = "x"', 'mysql')).toEqual(["'x' ~ t.b"])
    expect(literals('SELECT a FROM t WHERE b = "x"', 'postgres')).toEqual([])
  })

  test('is null for what cannot be parsed', () => {
    expect(sqlLiterals('SELECT FROM', 'sqlite')).toBeNull()
  })
})
