import { describe, expect, test } from 'vitest'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { functionCalls } from '../../../src/sql/analyze/function-calls.ts'
import { parseSql } from '../../../src/sql/parse/parse-sql.ts'

const callsIn = (sql: string, dialect: ParseDialect) => {
  const parsed = parseSql(sql, dialect)
  return parsed.ok ? functionCalls(parsed.tree) : expect.unreachable('it cannot be parsed')
}

const calls = (sql: string, dialect: ParseDialect) =>
  callsIn(sql, dialect).map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`))

describe('functionCalls', () => {
  test.each([
    [
      'postgres',
      'SELECT pg_catalog.lower(a), "Odd"(1), coalesce(a, b), current_date FROM f(1)',
      ['pg_catalog.lower', 'Odd', 'coalesce', 'current_date', 'f'],
    ],
    [
      'postgres',
      "SELECT extract(year FROM d), a LIKE 'x', CASE WHEN g(1) THEN 2 END FROM t",
      ['pg_catalog.extract', 'g'],
    ],
    ['sqlite', 'SELECT "f"(1), [g](2), `h`(3), i /* x */ (4) FROM t', ['f', 'g', 'h', 'i']],
    [
      'sqlite',
      'SELECT a FROM t WHERE a IN (1) AND NOT (b OR EXISTS (SELECT 1)) AND CAST(a AS varchar(9)) = 1',
      ['cast'],
    ],
    ['sqlite', 'WITH f (a) AS (SELECT 1) SELECT f(a), current_date FROM f', ['f', 'current_date']],
    [
      'mysql',
      'SELECT s.f(1), {fn g(2)}, GROUP_CONCAT(a SEPARATOR "("), current_user FROM t',
      ['s.f', 'g', 'group_concat', 'current_user'],
    ],
    [
      'duckdb',
      "SELECT DISTINCT ON (a) f(b), 'x'.g(), [h(x) FOR x IN l] FROM (VALUES (1)) AS t(a), range(3) r(b)",
      ['f', 'x.g', 'h', 'range'],
    ],
    ['duckdb', 'SELECT \'f(1)\', "g" FROM t WHERE a = 1 -- h(2)', []],
  ] as const)('finds those of %s in %s', (dialect, sql, expected) => {
    expect(calls(sql, dialect)).toEqual(expected)
  })

  test.each(['postgres', 'sqlite', 'mysql', 'duckdb'] as const)(
    'reads the literal arguments of a call in %s',
    dialect => {
      expect(callsIn("SELECT f(a, 2, 'x', g(1, 2), 1 + 1)", dialect)).toEqual([
        { schema: null, name: 'f', args: [null, 2, 'x', null, null] },
        { schema: null, name: 'g', args: [1, 2] },
      ])
    },
  )
})
