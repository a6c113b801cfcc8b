import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { renderStatement } from '../../../../src/databases/guard/names/render-statement.ts'
import { makeTableViews } from '../../../../src/databases/guard/names/table-views.ts'
import { type DataRights, plainSession } from '../../../../src/domain/access/data-rights.ts'
import type { Catalog, Column, Table } from '../../../../src/domain/catalog.ts'
import { unrestrictedScope } from '../../../../src/domain/database.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import { databaseDialect } from '../../../../src/sql/dialects.ts'

const columns = (...names: readonly string[]): readonly Column[] =>
  names.map(name => ({
    name,
    ...{ type: name === 'id' ? 'integer' : 'text', kind: name === 'id' ? 'integer' : 'text' },
    ...{ nullable: true, comment: null, profile: null },
  }))

/** Deals of which some rows may be seen, and regions of which all may be. */
const catalogOf = (dialect: Dialect, schema: string | null): Catalog => {
  const spell = (name: string): string => (dialect === 'snowflake' ? name.toUpperCase() : name)
  const table = (name: string, ...names: readonly string[]): Table => ({
    ...{ schema, name: spell(name), type: 'table', comment: null, rowCount: 1, primaryKey: [] },
    ...(schema === null && databaseDialect(dialect).names.defaultSchema === '' && { home: 'shop' }),
    columns: columns(...names.map(spell)),
  })
  return {
    dialect,
    tables: [table('deals', 'id', 'owner', 'region'), table('regions', 'region', 'name')],
    foreignKeys: [],
    fingerprint: '',
  }
}

const rights: DataRights = {
  key: '0123456789abcdef',
  group: 'emea',
  scope: unrestrictedScope,
  rowRules: [{ table: 'deals', condition: "region = 'EMEA'" }],
  columnMasks: [],
  mayExport: true,
  session: plainSession,
}

/** What runs in place of a statement, with `DEALS` for the query of what may be seen of deals; or why nothing does. */
const render = (sql: string, dialect: Dialect, schema: string | null = null): string => {
  const views = makeTableViews(catalogOf(dialect, schema), { scope: unrestrictedScope, rights })
  const verdict = makeGuard()(sql, dialect)
  if (verdict.verdict === 'refuse') return verdict.reason
  const rendered = renderStatement(verdict.guarded, views)
  return rendered.verdict === 'refuse'
    ? rendered.reason
    : rendered.guarded.sql
        .replace(
          /\(\s*SELECT [^()]+ FROM [^()]*deals["`]? WHERE .*?(?:LIMIT|OFFSET) -?\d+(?: OFFSET 0)?\s*\)/gis,
          'DEALS',
        )
        .replace(/\s+/g, ' ')
}

describe('names that servers compare in their own ways', () => {
  test.each([
    [
      'postgres',
      'WITH "Deals" AS (SELECT 1 AS id) SELECT * FROM deals',
      'WITH q1 AS (SELECT 1 AS id) SELECT * FROM DEALS AS q2',
    ],
    [
      'postgres',
      'WITH dea\u{17f}s AS (SELECT 1 AS id) SELECT * FROM deals',
      'WITH q1 AS (SELECT 1 AS id) SELECT * FROM DEALS AS q2',
    ],
    [
      'sqlite',
      'WITH "\u{212a}deals" AS (SELECT 1) SELECT id FROM deals',
      'WITH q1 AS (SELECT 1) SELECT q2.id FROM DEALS AS q2',
    ],
    [
      'sqlite',
      'SELECT id IN deals FROM regions, deals',
      'SELECT q2.id IN (SELECT * FROM DEALS AS q0) FROM main."regions" AS q1, DEALS AS q2',
    ],
    [
      'duckdb',
      'WITH RECURSIVE deals AS (SELECT * FROM deals) SELECT * FROM deals',
      'its query deals in WITH has the name of something else: give it another name',
    ],
    [
      'clickhouse',
      'WITH (SELECT 1 AS id) AS deals SELECT id FROM deals',
      'WITH (SELECT 1 AS id) AS deals SELECT q1.id FROM DEALS AS q1',
    ],
    [
      'mysql',
      'WITH `DEALS` AS (SELECT 1 AS id) SELECT id FROM deals',
      'its query DEALS in WITH has the name of something else: give it another name',
    ],
    [
      'snowflake',
      'WITH "deals" AS (SELECT 1 AS id) SELECT id FROM DEALS',
      'its query deals in WITH has the name of something else: give it another name',
    ],
    [
      'redshift',
      'WITH "Deals" AS (SELECT 1 AS id) SELECT id FROM deals',
      'its query Deals in WITH has the name of something else: give it another name',
    ],
  ])('%s: %s', (dialect, sql, expected) => {
    expect(render(sql, dialect)).toBe(expected)
  })
})

describe('every name is rendered', () => {
  test.each([
    [
      'a column of each table',
      'SELECT d.owner, r.name FROM deals d JOIN regions r ON r.region = d.region',
      /SELECT q1\.owner, q2\.name FROM DEALS (?:AS )?q1 JOIN \S+ (?:AS )?q2 ON q2\.region = q1\.region/,
    ],
    [
      'a column without its table',
      'SELECT owner FROM deals WHERE id > 5 ORDER BY id',
      /SELECT q1\.owner FROM DEALS AS q1 WHERE q1\.id > 5 ORDER BY q1\.id/,
    ],
    [
      'a table as the name of its columns',
      'SELECT deals.owner FROM deals',
      /SELECT q1\.owner FROM DEALS AS q1/,
    ],
    [
      'a query around the same table',
      'WITH big AS (SELECT id FROM deals) SELECT big.id FROM big',
      /WITH q1 AS \(SELECT q2\.id FROM DEALS AS q2\) SELECT q3\.id FROM q1 AS q3/,
    ],
    [
      'a subquery that looks outward',
      'SELECT r.name FROM regions r WHERE EXISTS (SELECT 1 FROM deals WHERE region = r.region)',
      /SELECT q1\.name FROM \S+ (?:AS )?q1 WHERE EXISTS \(SELECT 1 FROM DEALS AS q2 WHERE q2\.region = q1\.region\)/,
    ],
    [
      'a comma behind a join',
      'SELECT d.owner, r.name FROM deals d JOIN regions r ON r.region = d.region, regions o',
      /FROM DEALS (?:AS )?q1 JOIN \S+ (?:AS )?q2 ON q2\.region = q1\.region, \S+ (?:AS )?q3/,
    ],
    [
      'the name of a result',
      'SELECT count(*) AS deals FROM deals ORDER BY deals',
      /SELECT count\(\*\) AS deals FROM DEALS AS q1 ORDER BY deals/,
    ],
    ['a name of ours', 'SELECT q1.owner FROM deals q1', /SELECT qq1\.owner FROM DEALS (?:AS )?qq1/],
    [
      'a table in a schema of that name',
      'SELECT x.id FROM (SELECT id FROM deals) x',
      /SELECT q1\.id FROM \(\s?SELECT q2\.id FROM DEALS AS q2\s?\) (?:AS )?q1|SELECT q2\.id FROM \(\s?SELECT q1\.id FROM DEALS AS q1\s?\) (?:AS )?q2/,
    ],
  ])('%s', (_, sql, expected) => {
    for (const dialect of ['postgres', 'sqlite', 'mysql', 'duckdb', 'clickhouse', 'spark', 'redshift'])
      expect(render(sql, dialect), dialect).toMatch(expected)
  })

  test('with the catalog and schema of a warehouse', () => {
    expect(render('SELECT count(*) FROM regions', 'bigquery', 'acme.shop')).toBe(
      'SELECT count(*) FROM acme.shop.`regions` AS q1',
    )
    expect(render('SELECT d.id FROM SHOP.PUBLIC.DEALS d', 'snowflake', 'SHOP.PUBLIC')).toBe(
      'SELECT q1."ID" FROM DEALS q1',
    )
    expect(render('SELECT name FROM hive.shop.regions', 'trino', 'hive.shop')).toBe(
      'SELECT q1.name FROM hive.shop."regions" AS q1',
    )
  })
})

describe('what cannot be rendered is refused', () => {
  test.each([
    ['mysql', 'SELECT id FROM deals PARTITION (p0)'],
    ['sqlite', 'SELECT id FROM regions INDEXED BY deals'],
    ['postgres', 'SELECT id FROM deals TABLESAMPLE SYSTEM (10)'],
    ['spark', 'SELECT id FROM deals VERSION AS OF 1'],
  ])('%s: %s', (dialect, sql) => {
    expect(render(sql, dialect)).toMatch(/^it (?:has a form|reads a sample|has VERSION)/)
  })
})

test('a name that is a column further out and a row nearer is refused', () => {
  const sql = 'SELECT (SELECT max(owner) FROM (SELECT 1 AS n) AS owner) FROM deals'
  expect(render(sql, 'duckdb')).toBe('it names owner, which is no column of the tables it reads')
  expect(render(sql, 'sqlite')).toMatch(/^SELECT \(SELECT max\(q1\.owner\)/)
})

test('a statement that would become too long says what to do', () => {
  const wide = Array.from({ length: 3_000 }, (_, at) => `column_number_${at}`)
  const catalog = catalogOf('duckdb', null)
  const [deals, ...others] = catalog.tables
  const tables = [
    { ...(deals as Table), columns: [...(deals as Table).columns, ...columns(...wide)] },
    ...others,
  ]
  const views = makeTableViews({ ...catalog, tables }, { scope: unrestrictedScope, rights })
  const verdict = makeGuard()('SELECT a.id FROM deals a, deals b', 'duckdb')
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  expect(renderStatement(verdict.guarded, views)).toMatchObject({
    verdict: 'refuse',
    reason: expect.stringContaining('name each of them once, in WITH'),
  })
})

test('headings and plans get their own names back', () => {
  const views = makeTableViews(catalogOf('sqlite', null), { scope: unrestrictedScope, rights })
  const verdict = makeGuard()('SELECT max(d.ID), upper(name) FROM deals d, regions', 'sqlite')
  const rendered = verdict.verdict === 'allow' ? renderStatement(verdict.guarded, views) : null
  if (rendered?.verdict !== 'allow') throw new Error('refused')
  expect(rendered.guarded.sql).toMatch(/^SELECT max\(q1\."id"\), upper\(q2\.name\) FROM/)
  expect(['max(q1."id")', 'upper(q2.name)', 'SCAN q1', 'total'].map(rendered.inOwnWords)).toEqual([
    'max(d.ID)',
    'upper(name)',
    'SCAN d',
    'total',
  ])
})

test('a query of WITH cannot stand in front of a system table', () => {
  const refused = (sql: string, dialect: Dialect): string => {
    const verdict = makeGuard()(sql, dialect)
    return verdict.verdict === 'refuse' ? verdict.reason : 'allowed'
  }
  for (const [dialect, sql] of [
    ['postgres', 'WITH "PG_SHADOW" AS (SELECT 1) SELECT usename, passwd FROM pg_shadow'],
    ['postgres', 'WITH pg_shadow AS (SELECT 1) SELECT * FROM pg_shadow'],
    ['postgres', 'SELECT * FROM "P\u{17f}_x", pg_\u{17f}hadow'],
    ['sqlite', 'WITH x AS (SELECT 1) SELECT * FROM "\u{17f}qlite_master"'],
    ['duckdb', 'WITH "DUCKDB_TABLES" AS (SELECT 1) SELECT * FROM duckdb_tables'],
  ] as const)
    expect(refused(sql, dialect), sql).toMatch(/a system table|belongs to the system/)
})
