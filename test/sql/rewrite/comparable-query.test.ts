import { describe, expect, it } from 'vitest'
import { queryKey } from '../../../src/sql/analyze/query-key.ts'
import { comparableQuery } from '../../../src/sql/rewrite/comparable-query.ts'

const tables: Readonly<Record<string, readonly string[]>> = {
  name: ['boats', 'owners'],
  length: ['boats'],
  city: ['owners'],
}

const tablesWith = (column: string) => tables[column] ?? []

const keyOf = (sql: string, dialect: Parameters<typeof comparableQuery>[1] = 'sqlite'): string => {
  const query = comparableQuery(sql, dialect, tablesWith)
  return query === null ? '' : queryKey(query)
}

describe('comparable queries', () => {
  it.each(['sqlite', 'postgres', 'mysql', 'duckdb'] as const)(
    'are the same however %s is written',
    dialect => {
      const plain = keyOf(
        "SELECT name FROM boats WHERE length > 3 AND name = 'A' ORDER BY length DESC LIMIT 2",
        dialect,
      )
      expect(plain).not.toBe('')
      const other =
        "select b.name from boats as b where (b.name = 'A') and (3 < b.length) order by b.length desc limit 2"
      expect(keyOf(other, dialect)).toBe(plain)
    },
  )

  it('know whose a column is by the tables that have it', () => {
    const join = 'FROM boats b JOIN owners o ON b.owner = o.id'
    expect(keyOf(`SELECT city ${join}`)).toBe(keyOf(`SELECT o.city ${join}`))
    expect(keyOf(`SELECT b.name ${join}`)).not.toBe(keyOf(`SELECT o.name ${join}`))
  })

  it('take a join in WHERE for a join', () => {
    expect(keyOf('SELECT b.length FROM boats b JOIN owners o ON b.owner = o.id')).toBe(
      keyOf('SELECT b.length FROM boats b, owners o WHERE b.owner = o.id'),
    )
  })

  it('resolve places and names of the SELECT list', () => {
    const plain = keyOf('SELECT name, count(*) FROM boats GROUP BY name ORDER BY count(*) DESC LIMIT 1')
    expect(keyOf('SELECT name, count(*) AS n FROM boats GROUP BY 1 ORDER BY n DESC LIMIT 1')).toBe(plain)
    expect(keyOf('SELECT name, count(*) FROM boats GROUP BY name ORDER BY 2 DESC LIMIT 1')).toBe(plain)
  })

  it.each([
    ['SELECT name FROM boats', 'SELECT DISTINCT name FROM boats'],
    ['SELECT length FROM boats WHERE length > 1', 'SELECT length FROM boats WHERE length >= 1'],
    ["SELECT length FROM boats WHERE name IN ('a')", "SELECT length FROM boats WHERE name NOT IN ('a')"],
    ['SELECT length FROM boats WHERE name IS NULL', 'SELECT length FROM boats WHERE name IS NOT NULL'],
    [
      'SELECT length FROM boats WHERE length BETWEEN 1 AND 2',
      'SELECT length FROM boats WHERE length BETWEEN 2 AND 1',
    ],
    ['SELECT length FROM boats LIMIT 1', 'SELECT length FROM boats LIMIT 2'],
    ['SELECT length FROM boats', 'SELECT length FROM boats EXCEPT SELECT length FROM boats WHERE length = 2'],
    ['SELECT count(name) FROM boats', 'SELECT count(DISTINCT name) FROM boats'],
    ['SELECT count(*) FROM boats', 'SELECT count(*) FILTER (WHERE length > 2) FROM boats'],
    [
      'SELECT sum(length) OVER (PARTITION BY name) FROM boats',
      'SELECT sum(length) OVER (PARTITION BY owner) FROM boats',
    ],
    [
      "SELECT length FROM boats WHERE name = ANY (SELECT 'a')",
      "SELECT length FROM boats WHERE name = ALL (SELECT 'a')",
    ],
    [
      'SELECT b.length FROM boats b JOIN owners o ON b.o = o.i',
      'SELECT b.length FROM boats b LEFT JOIN owners o ON b.o = o.i',
    ],
    [
      'SELECT length FROM boats WHERE EXISTS (SELECT 1 FROM owners)',
      'SELECT length FROM boats WHERE NOT EXISTS (SELECT 1 FROM owners)',
    ],
  ])('tell %s from %s', (one, other) => {
    expect(keyOf(one)).not.toBe('')
    expect(keyOf(other)).not.toBe('')
    expect(keyOf(one)).not.toBe(keyOf(other))
  })

  it('read double quotes in SQLite as text where there is no such column', () => {
    expect(keyOf('SELECT length FROM boats WHERE name = "Alba"')).toBe(
      keyOf("SELECT length FROM boats WHERE name = 'Alba'"),
    )
    expect(keyOf('SELECT length FROM boats WHERE name = "city"')).not.toBe(
      keyOf("SELECT length FROM boats WHERE name = 'city'"),
    )
  })

  it.each(['', 'not sql', 'SELECT 1; SELECT 2', `SELECT ${'('.repeat(500)}1${')'.repeat(500)}`])(
    'are null for what is no single query: %s',
    sql => {
      expect(comparableQuery(sql, 'sqlite')).toBeNull()
    },
  )
})
