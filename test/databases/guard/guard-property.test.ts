import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { dialectNames } from '../../../src/sql/dialects.ts'
import { sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'

const seed = 20261120

const guard = makeGuard()

const harmless = readFileSync(new URL('../../../fixtures/guard/harmless.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as { dialect: ParseDialect; sql: string })

const writes = [
  'DELETE FROM t',
  'UPDATE t SET a = 1',
  'INSERT INTO t VALUES (1)',
  'DROP TABLE t',
  'TRUNCATE TABLE t',
  'CREATE TABLE x AS SELECT 1',
  "ATTACH 'x.db' AS x",
  'SET a = 1',
]

/** Puts a write into a query, where the query is code and not text or comment. */
const plant = fc
  .record({
    query: fc.constantFrom(...harmless),
    write: fc.constantFrom(...writes),
    way: fc.constantFrom('before', 'after', 'between', 'cte', 'subquery', 'union'),
    where: fc.nat(1000),
  })
  .map(({ query: { sql, dialect }, write, way, where }) => {
    switch (way) {
      case 'before':
        return { dialect, sql: `${write}; ${sql}` }
      case 'after':
        return { dialect, sql: `${sql}\n; ${write}` }
      case 'cte':
        return { dialect, sql: `WITH planted AS (${write} RETURNING *) ${sql}` }
      case 'subquery':
        return { dialect, sql: `SELECT * FROM (${write}) AS planted, (${sql}\n) AS y` }
      case 'union':
        return { dialect, sql: `${sql}\n UNION ALL ${write}` }
      default: {
        const cut = sqlTokens(sql, dialect)
        const starts = cut.ok ? cut.tokens.map(token => token.start) : [0]
        const at = starts[where % starts.length] ?? 0
        return { dialect, sql: `${sql.slice(0, at)}; ${write}; ${sql.slice(at)}` }
      }
    }
  })

const pieces = fc.constantFrom(
  ...[
    "'",
    '"',
    '`',
    '[',
    ']',
    '(',
    ')',
    '--',
    '/*',
    '*/',
    ';',
    ',',
    '.',
    '$$',
    '\\',
    '\n',
    '\r',
    '\0',
    '::',
    '@',
  ],
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'WITH',
    'AS',
    'UNION',
    'NOT',
    'LIKE',
    'IN',
    'CASE',
    'END',
    'VALUES',
    'ORDER BY',
  ],
  ...['t', 'a', 'count', '*', '1', "'x'", '"y"', 'é', '😀', ' '],
)

describe('the guard on texts nobody wrote', () => {
  test('gives a verdict on any text, in every dialect, and never throws', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(pieces, { maxLength: 30 }).map(parts => parts.join(' ')),
      fc.array(pieces, { maxLength: 30 }).map(parts => `SELECT ${parts.join('')}`),
    )
    fc.assert(
      fc.property(anyText, fc.constantFrom(...dialectNames), (sql, dialect) => {
        const verdict = guard(sql, dialect)
        if (verdict.verdict === 'allow') expect(verdict.guarded).toEqual({ sql, dialect })
        else expect(verdict.reason).toMatch(/^it /)
      }),
      { seed, numRuns: 2000 },
    )
  }, 60_000)

  test('never allows a planted write', () => {
    fc.assert(
      fc.property(plant, ({ sql, dialect }) => guard(sql, dialect).verdict === 'refuse'),
      { seed, numRuns: 2000 },
    )
  }, 60_000)
})
