import { describe, expect, test } from 'vitest'
import { dialectNames } from '../../../src/sql/dialects.ts'
import { maxSqlLength, parseSql } from '../../../src/sql/parse/parse-sql.ts'

describe('parseSql', () => {
  test.each(dialectNames)('counts the statements of %s', dialect => {
    const count = (sql: string): number => {
      const parsed = parseSql(sql, dialect)
      return parsed.ok ? parsed.tree.statements.length : -1
    }
    expect(count('SELECT 1')).toBe(1)
    expect(count('SELECT 1;')).toBe(1)
    expect(count('SELECT 1; SELECT 2')).toBe(2)
    expect(count(' -- nothing')).toBe(0)
    expect(count('')).toBe(0)
    expect(count('SELECT a FROM t WHERE')).toBe(-1)
  })

  test('says where it stopped, in UTF-16 units', () => {
    const sql = "SELECT '😀' FROM t WHERE GROUP BY a"
    expect(parseSql(sql, 'postgres')).toEqual({
      ok: false,
      message: 'syntax error at or near "GROUP"',
      position: sql.indexOf('GROUP'),
    })
    expect(parseSql('selec a', 'sqlite')).toEqual({
      ok: false,
      message: 'syntax error at or near "selec"',
      position: 0,
    })
  })

  test.each(['postgres', 'sqlite'] as const)(
    'refuses long, deep and unreadable text of %s unparsed',
    dialect => {
      const failure = (sql: string): string => {
        const parsed = parseSql(sql, dialect)
        return parsed.ok ? 'parsed' : parsed.message
      }
      expect(failure(`SELECT 1${' '.repeat(maxSqlLength)}`)).toMatch(/longer than 20,000/)
      expect(failure(`SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`)).toBe('it nests too deep')
      expect(failure(`SELECT ${'1+'.repeat(9_000)}1`)).toBe('it nests too deep')
      expect(failure('SELECT 1\0; DELETE FROM t')).toMatch(/no text/)
      expect(failure("SELECT '\ud800'")).toMatch(/no text/)
    },
  )

  test('does not take the parser at its word where it cuts text otherwise than the server', () => {
    // MySQL reads 1 - (-1), polyglot a comment.
    expect(parseSql('SELECT 1--1', 'mysql')).toMatchObject({ ok: false })
    // SQLite reads the name `"a`, then b, then the name `c"`; polyglot one name in three quotes.
    expect(parseSql('SELECT """a" b "c"""', 'sqlite')).toMatchObject({ ok: false })
  })

  test('lets no comment of a server hide code, nor code pass for a comment', () => {
    const read = (sql: string, dialect: 'sqlite' | 'mysql'): string => {
      const parsed = parseSql(sql, dialect)
      return parsed.ok ? parsed.tree.read : parsed.message
    }
    expect(read('SELECT a /* x */ FROM t -- y', 'sqlite')).toBe('SELECT a         FROM t     ')
    expect(read('SELECT \'--\', "/*" FROM t', 'sqlite')).toBe('SELECT \'--\', "/*" FROM t')
    expect(read('SELECT a # x\nFROM t', 'mysql')).toBe('SELECT a    \nFROM t')
    expect(read('SELECT 1 /*!50000 + 1 */', 'mysql')).toMatch(/executable comment/)
  })

  test('keeps the tree of NOT a LIKE b, which polyglot alone would leave as raw text', () => {
    const kinds = (sql: string): string => {
      const parsed = parseSql(sql, 'sqlite')
      return parsed.ok ? JSON.stringify(parsed.tree.statements) : parsed.message
    }
    for (const sql of [
      "SELECT 1 FROM t WHERE NOT `a b` LIKE 'x'",
      "SELECT 1 FROM t WHERE NOT lower(t.a)  LIKE 'x' AND NOT (SELECT max(b) FROM u) LIKE 'y'",
      "SELECT 1 FROM t WHERE NOT trim(NOT a LIKE 'x') LIKE 'y'",
    ]) {
      expect(kinds(sql)).not.toContain('"raw"')
      expect(kinds(sql)).toContain('"like"')
    }
  })
})
