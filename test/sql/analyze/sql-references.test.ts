import { describe, expect, test } from 'vitest'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { sqlReferences } from '../../../src/sql/analyze/sql-scopes.ts'

/** References as text: `schema.table` and `table.column`, with ? for a table that the text does not tell. */
const references = (sql: string, dialect: ParseDialect) => {
  const found = sqlReferences(sql, dialect)
  if (found === null) return null
  return {
    tables: found.tables.map(({ catalog, schema, name }) =>
      [catalog, schema, name].filter(part => part !== null).join('.'),
    ),
    columns: found.columns.map(
      ({ table, column, mayBeText }) => `${table ?? '?'}.${column}${mayBeText ? ' or text' : ''}`,
    ),
  }
}

describe.each(['postgres', 'sqlite', 'duckdb'] as const)('sqlReferences in %s', dialect => {
  test.each([
    ['SELECT name FROM pets WHERE weight > 3', ['pets'], ['pets.name', 'pets.weight']],
    [
      'SELECT T1.name, count(*) FROM owner AS T1 JOIN shop.pets T2 ON T1.id = t2.owner_id GROUP BY T1.name',
      ['owner', 'shop.pets'],
      ['owner.id', 'pets.owner_id', 'owner.name'],
    ],
    ['SELECT name FROM owner, pets', ['owner', 'pets'], ['?.name']],
    [
      'SELECT * FROM owner JOIN pets USING (id)',
      ['owner', 'pets'],
      ['owner.id', 'pets.id', 'owner.*', 'pets.*'],
    ],
    ['SELECT p.* FROM pets AS p, owner AS o', ['pets', 'owner'], ['pets.*']],
    [
      'WITH big AS (SELECT name, weight AS w FROM pets) SELECT name FROM big WHERE w > 3',
      ['pets'],
      ['pets.name', 'pets.weight'],
    ],
    ['WITH pets AS (SELECT name FROM other.pets) SELECT * FROM pets', ['other.pets'], ['pets.name']],
    ['WITH RECURSIVE n AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM n) SELECT a FROM n', [], []],
    [
      'SELECT s.total FROM (SELECT sum(price) AS total FROM lines) AS s WHERE s.total > 1',
      ['lines'],
      ['lines.price'],
    ],
    [
      'SELECT name FROM owner AS o WHERE EXISTS (SELECT 1 FROM pets AS p WHERE p.owner_id = o.id AND kind = 3)',
      ['owner', 'pets'],
      ['owner.name', 'pets.owner_id', 'owner.id', 'pets.kind'],
    ],
    ['SELECT weight AS w FROM pets ORDER BY w', ['pets'], ['pets.weight']],
    ['SELECT a FROM t UNION SELECT b FROM u ORDER BY a', ['t', 'u'], ['t.a', 'u.b']],
    ['SELECT s.t.a FROM s.t', ['s.t'], ['t.a']],
    ['SELECT a FROM c.s.t', ['c.s.t'], ['t.a']],
    [
      'SELECT x.a FROM t AS x LEFT JOIN (u JOIN v ON u.b = v.b) ON v.c = x.c',
      ['t', 'u', 'v'],
      ['u.b', 'v.b', 'v.c', 't.c', 't.a'],
    ],
  ])('reads %s', (sql, tables, columns) => {
    const found = references(sql, dialect)
    expect(found?.tables).toEqual(tables)
    expect([...(found?.columns ?? [])].sort()).toEqual([...columns].sort())
  })
})

describe('sqlReferences', () => {
  test('sees tables where SQLite alone has them', () => {
    expect(references("SELECT * FROM 'pets', [owner], `city`", 'sqlite')?.tables).toEqual([
      'pets',
      'owner',
      'city',
    ])
    expect(references("SELECT x.id FROM ('pets') AS x", 'sqlite')).toEqual({
      tables: ['pets'],
      columns: ['pets.id'],
    })
    expect(references('SELECT 1 WHERE 1 IN secrets', 'sqlite')?.tables).toEqual(['secrets'])
    expect(references('WITH c AS (SELECT 1) SELECT 1 WHERE 1 IN c', 'sqlite')?.tables).toEqual([])
  })

  test('does not hide that a name in double quotes may be a column in SQLite', () => {
    expect(references('SELECT a FROM t WHERE a = "b" AND `c` = 1', 'sqlite')?.columns).toEqual([
      't.a',
      't.b or text',
      't.c',
    ])
    expect(references('SELECT a FROM t WHERE a = "b"', 'mysql')?.columns).toEqual(['t.a'])
  })

  test('takes a row by its name for all of its columns', () => {
    expect(references('SELECT row_to_json(p) FROM people AS p', 'postgres')?.columns).toContain('people.*')
  })

  test('sees through LATERAL, table functions and samples', () => {
    expect(
      references(
        'SELECT g.x, l.q FROM generate_series(1, 3) AS g(x), LATERAL (SELECT t.q FROM t TABLESAMPLE system (5) WHERE t.k = g.x) AS l',
        'postgres',
      ),
    ).toEqual({ tables: ['t'], columns: ['t.q', 't.k'] })
  })

  test('is null for what cannot be read to the last word', () => {
    expect(sqlReferences('SELECT FROM FROM', 'postgres')).toBeNull()
    expect(sqlReferences('WITH x AS (SELECT * FROM secrets) VALUES (1)', 'sqlite')).toBeNull()
  })
})
