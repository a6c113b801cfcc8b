import { describe, expect, test } from 'vitest'
import { maxStatementDepth, statementDepth } from '../../../src/sql/parse/parse-sql.ts'
import { sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'

const depth = (sql: string): number => {
  const cut = sqlTokens(sql, 'postgres')
  return cut.ok ? statementDepth(cut.tokens) : -1
}

describe('statementDepth', () => {
  test.each([
    ['brackets', (n: number) => `SELECT ${'('.repeat(n)}1${')'.repeat(n)}`],
    ['operators', (n: number) => `SELECT ${'1+'.repeat(n)}1`],
    ['negations', (n: number) => `SELECT ${'NOT '.repeat(n)}a`],
    ['cases', (n: number) => `SELECT ${'CASE WHEN a THEN '.repeat(n)}1${' END'.repeat(n)}`],
    ['calls', (n: number) => `SELECT ${'f('.repeat(n)}1${')'.repeat(n)}`],
    ['subscripts', (n: number) => `SELECT a${'[1]'.repeat(n)}`],
    ['casts', (n: number) => `SELECT a${'::int'.repeat(n)}`],
    ['unions', (n: number) => `SELECT 1${' UNION SELECT 1'.repeat(n)}`],
    ['joins', (n: number) => `SELECT 1 FROM a${' JOIN b ON true'.repeat(n)}`],
    ['subqueries', (n: number) => `SELECT * FROM ${'(SELECT * FROM '.repeat(n)}t${') x'.repeat(n)}`],
  ])('grows with nested %s', (_, nest) => {
    expect(depth(nest(10))).toBeLessThan(maxStatementDepth)
    expect(depth(nest(400))).toBeGreaterThan(maxStatementDepth)
  })

  test('does not grow with what stands side by side', () => {
    expect(depth(`SELECT a FROM t WHERE b IN (${'1, '.repeat(2000)}1)`)).toBeLessThan(10)
    expect(depth(`SELECT ${'(a + 1) * 2, '.repeat(500)}1`)).toBeLessThan(10)
    expect(depth(`SELECT '${'(('.repeat(2000)}'`)).toBe(0)
  })
})
