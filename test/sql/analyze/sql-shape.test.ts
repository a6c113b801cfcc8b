import { describe, expect, test } from 'vitest'
import { type ShapeTerm, type SqlShape, sqlShape } from '../../../src/sql/analyze/sql-shape.ts'

/** A term as text: `count(distinct *)`, `pets.name`, `?.name` where the text does not tell the table. */
const written = ({ aggregate, distinct, star, column, table, plain }: ShapeTerm): string => {
  const inner = star ? '*' : column === null ? '-' : `${table ?? '?'}.${column}`
  const whole = aggregate === null ? inner : `${aggregate}(${distinct ? 'distinct ' : ''}${inner})`
  return plain ? whole : `~${whole}`
}

const shape = (sql: string, dialect: 'postgres' | 'sqlite' | 'mysql'): SqlShape => {
  const found = sqlShape(sql, dialect)
  if (found === null) throw new Error(`no shape: ${sql}`)
  return found
}

describe.each(['postgres', 'sqlite', 'mysql'] as const)('sqlShape in %s', dialect => {
  test.each([
    ['SELECT name FROM pets', ['pets.name']],
    ['SELECT o.name, p.* FROM owner AS o JOIN pets AS p ON o.id = p.owner', ['owner.name', '*']],
    ['SELECT count(*), count(DISTINCT kind) AS n FROM pets', ['count(*)', 'count(distinct pets.kind)']],
    ['SELECT name, weight FROM owner, pets', ['?.name', '?.weight']],
    [
      'SELECT lower(name), sum(a * b), max(age) - min(age) FROM pets',
      ['~pets.name', 'sum(pets.a)', '~max(pets.age)'],
    ],
    ['SELECT 1 FROM pets', ['~-']],
  ])('reads the items of %s', (sql, items) => {
    expect(shape(sql, dialect).items.map(written)).toEqual(items)
  })

  test('reads the clauses of the outermost SELECT', () => {
    const found = shape(
      `SELECT DISTINCT p.kind, count(*) AS n FROM pets AS p LEFT JOIN owner AS o ON p.owner = o.id
       WHERE o.city = 'Rome' GROUP BY p.kind HAVING count(*) > 2 ORDER BY n DESC, p.kind LIMIT 5`,
      dialect,
    )
    expect(found.distinct).toBe(true)
    expect(found.sources).toBe(2)
    expect(found.outerJoins).toBe(1)
    expect(found.groupBy.map(written)).toEqual(['pets.kind'])
    expect(found.having && written(found.having)).toBe('~count(*)')
    expect(found.orderBy.map(key => `${written(key)} ${key.direction}`)).toEqual([
      'count(*) descending',
      'pets.kind ascending',
    ])
    expect(found.limit).toBe(5)
    expect(found.nested).toBe(0)
    expect(found.setOperation).toBeNull()
    expect(found.tables).toEqual(['pets', 'owner'])
    expect(found.comparisons).toEqual({ equal: 1, greater: 1 })
  })

  test('takes places of the SELECT list for what stands there', () => {
    const found = shape('SELECT kind, avg(age) FROM pets GROUP BY 1 ORDER BY 2', dialect)
    expect(found.groupBy.map(written)).toEqual(['pets.kind'])
    expect(found.orderBy.map(written)).toEqual(['avg(pets.age)'])
  })

  test.each([
    ["name LIKE '%a%'", { like: 1 }],
    ["name NOT LIKE '%a%'", { 'not-like': 1 }],
    ['age BETWEEN 1 AND 2', { between: 1 }],
    ["kind IN ('cat', 'dog')", { 'in-list': 1 }],
    ["kind NOT IN ('cat', 'dog')", { 'not-in-list': 1 }],
    ['id IN (SELECT pet FROM visits)', { 'in-query': 1 }],
    ['id NOT IN (SELECT pet FROM visits)', { 'not-in-query': 1 }],
    ['NOT id IN (SELECT pet FROM visits)', { 'not-in-query': 1 }],
    ['EXISTS (SELECT 1 FROM visits)', { exists: 1 }],
    ['NOT EXISTS (SELECT 1 FROM visits)', { 'not-exists': 1 }],
    ['owner IS NULL', { null: 1 }],
    ['owner IS NOT NULL', { 'not-null': 1 }],
    ['age <> 3', { unequal: 1 }],
    ['age <= 3 OR age >= 5', { less: 1, greater: 1 }],
    ['age > (SELECT avg(age) FROM pets)', { greater: 1 }],
  ])('counts the comparisons of %s', (condition, comparisons) => {
    expect(shape(`SELECT name FROM pets WHERE ${condition}`, dialect).comparisons).toEqual(comparisons)
  })

  test('counts connectives and nested queries', () => {
    const found = shape(
      `SELECT name FROM (SELECT name, age FROM pets WHERE a = 1 AND b = 2 AND c = 3) AS x
       WHERE age = (SELECT max(age) FROM pets) OR age IS NULL`,
      dialect,
    )
    expect([found.nested, found.ands, found.ors, found.sources]).toEqual([2, 2, 1, 1])
    expect(found.items.map(written)).toEqual(['?.name'])
  })

  test.each(['union', 'intersect', 'except'] as const)('reads the first arm of %s', operation => {
    const found = shape(
      `SELECT a FROM t ${operation} SELECT b FROM u WHERE c > 1 ORDER BY 1 DESC LIMIT 2`,
      dialect,
    )
    expect(found.setOperation).toBe(operation)
    expect(found.items.map(written)).toEqual(['t.a'])
    expect([found.nested, found.limit, found.orderBy.length, found.sources]).toEqual([0, 2, 1, 1])
    expect(found.tables).toEqual(['t', 'u'])
  })

  test('leaves CTEs out of the tables', () => {
    const found = shape('WITH big AS (SELECT name FROM pets) SELECT name FROM big', dialect)
    expect(found.tables).toEqual(['pets'])
    expect(found.nested).toBe(1)
  })

  test.each(['SELECT a FROM t; SELECT b FROM t', 'DELETE FROM t', 'SELECT FROM WHERE', ''])(
    'has no shape for "%s"',
    sql => {
      expect(sqlShape(sql, dialect)).toBeNull()
    },
  )
})

test('reads TOP as a limit', () => {
  expect(sqlShape('SELECT TOP 3 a FROM t ORDER BY a DESC', 'tsql')?.limit).toBe(3)
})

test('has no number for a limit that is none', () => {
  expect(sqlShape('SELECT a FROM t LIMIT ?', 'sqlite')?.limit).toBeNull()
})
