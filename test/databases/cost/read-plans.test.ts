import { describe, expect, it } from 'vitest'
import { readDuckdbPlan } from '../../../src/databases/connectors/duckdb/plan.ts'
import { readMysqlPlan } from '../../../src/databases/connectors/mysql/plan.ts'
import { readPostgresPlan } from '../../../src/databases/connectors/postgres/plan.ts'
import { readSqlitePlan } from '../../../src/databases/connectors/sqlite/plan.ts'
import { ExpensiveQueryError, formatRowCount } from '../../../src/domain/sql.ts'

const sizes: Readonly<Record<string, number>> = { events: 300_000, e: 300_000, users: 100, u: 100 }

const rowsOf = (table: string): number | null => sizes[table] ?? null

describe('plans of Postgres', () => {
  it('count the whole table for a scan, whatever its filter leaves', () => {
    const plan = `Finalize Aggregate  (cost=5180.13..5180.14 rows=1 width=8)
  ->  Gather  (cost=5180.01..5180.12 rows=1 width=8)
        Workers Planned: 1
        ->  Partial Aggregate  (cost=4180.01..4180.02 rows=1 width=8)
              ->  Parallel Seq Scan on events  (cost=0.00..4116.88 rows=25253 width=0)
                    Filter: (kind = 'k1'::text)`
    expect(readPostgresPlan(plan, rowsOf)).toEqual([{ table: 'events', rows: 300_000 }])
    expect(readPostgresPlan(plan, () => null)).toEqual([{ table: 'events', rows: 205_844 }])
  })

  it('read no further than a limit, but all of what is sorted before it', () => {
    const limited = `Limit  (cost=0.00..1.64 rows=100 width=19)
  ->  Seq Scan on events  (cost=0.00..4911.00 rows=300000 width=19)`
    expect(readPostgresPlan(limited, rowsOf)[0]?.rows).toBeCloseTo(100, -1)
    const sorted = `Limit  (cost=6063.68..6063.70 rows=10 width=12)
  ->  Sort  (cost=6063.68..6063.93 rows=100 width=12)
        Sort Key: at
        ->  Seq Scan on "events" e  (cost=0.00..4911.00 rows=300000 width=19)`
    expect(readPostgresPlan(sorted, rowsOf)).toEqual([{ table: 'events', rows: 300_000 }])
  })

  it('count what a bitmap of an index finds once', () => {
    const plan = `Aggregate  (cost=205.72..205.73 rows=1 width=8)
  ->  Bitmap Heap Scan on events  (cost=27.79..200.79 rows=1973 width=4)
        Recheck Cond: (kind = 'refund'::text)
        ->  Bitmap Index Scan on events_kind  (cost=0.00..27.30 rows=1973 width=0)
              Index Cond: (kind = 'refund'::text)`
    expect(readPostgresPlan(plan, rowsOf)).toEqual([{ table: 'events', rows: 1973 }])
  })

  it('read the inner side of a nested loop once for each outer row', () => {
    const plan = `Nested Loop  (cost=0.42..485379922.37 rows=17647058824 width=0)
  ->  Seq Scan on users b  (cost=0.00..2.00 rows=100 width=4)
  ->  Index Only Scan using events_pkey on events a  (cost=0.42..1750.46 rows=100000 width=4)
        Index Cond: (id < b.id)`
    expect(readPostgresPlan(plan, rowsOf)).toEqual([
      { table: 'users', rows: 100 },
      { table: 'events', rows: 10_000_000 },
    ])
  })

  it('read a correlated subplan once for each row, and a hashed one once', () => {
    const plan = (filter: string) => `Seq Scan on users u  (cost=0.00..830.00 rows=50 width=7)
  Filter: ${filter}
  SubPlan 1
    ->  Seq Scan on events e  (cost=0.00..5661.00 rows=30 width=4)`
    expect(readPostgresPlan(plan('(id = (SubPlan 1))'), rowsOf)[1]?.rows).toBe(15_000_000)
    expect(readPostgresPlan(plan('(hashed SubPlan 1)'), rowsOf)[1]?.rows).toBe(300_000)
  })
})

it('plans of SQLite multiply the loops, and know nothing of tables that nobody counted', () => {
  const plan = (...lines: readonly string[]) => ['QUERY PLAN', ...lines].join('\n')
  expect(readSqlitePlan(plan('|--SCAN u', '|--SCAN e', '`--USE TEMP B-TREE FOR GROUP BY'), rowsOf)).toEqual([
    { table: 'u', rows: 100 },
    { table: 'e', rows: 30_000_000 },
  ])
  expect(
    readSqlitePlan(
      plan(
        '|--SCAN e',
        '|--SEARCH u USING INTEGER PRIMARY KEY (rowid=?)',
        '`--LIST SUBQUERY 1',
        '   `--SCAN events',
      ),
      rowsOf,
    ),
  ).toEqual([
    { table: 'e', rows: 300_000 },
    { table: 'u', rows: 300_000 },
    { table: 'events', rows: 300_000 },
  ])
  expect(
    readSqlitePlan(plan('|--SCAN u', '`--CORRELATED SCALAR SUBQUERY 1', '   `--SCAN e'), rowsOf)[1],
  ).toEqual({ table: 'e', rows: 30_000_000 })
  expect(readSqlitePlan(plan('`--SCAN other'), rowsOf)).toEqual([{ table: 'other', rows: null }])
})

it('plans of MySQL and MariaDB multiply the rows of the tables that stand before', () => {
  expect(
    readMysqlPlan(
      [
        'id=1 select_type=PRIMARY table=u type=ALL rows=100 filtered=10.00 Extra=Using where; Using filesort',
        'id=1 select_type=PRIMARY table=e type=ref key=user_id ref=test.u.id rows=3000 filtered=100.00',
        'id=1 select_type=PRIMARY table=<derived2> type=ALL rows=5',
        'id=2 select_type=DERIVED table=events type=index rows=300000',
      ].join('\n'),
    ),
  ).toEqual([
    { table: 'u', rows: 100 },
    { table: 'e', rows: 30_000 },
    { table: 'events', rows: 300_000 },
  ])
  expect(readMysqlPlan('-> Table scan on e  (cost=2 rows=3)')).toEqual([{ table: null, rows: null }])
})

describe('plans of DuckDB', () => {
  const node = (name: string, info: object, children: readonly object[] = []) => ({
    ...{ name, children },
    extra_info: info,
  })
  const scan = (table: string, rows: string) =>
    node('SEQ_SCAN', { Table: table, Type: 'Sequential Scan', 'Estimated Cardinality': rows })
  const read = (...roots: readonly object[]) => readDuckdbPlan(JSON.stringify(roots), rowsOf)

  it('read every table once, whatever its filter leaves', () => {
    const join = node('HASH_JOIN', { 'Join Type': 'INNER', 'Estimated Cardinality': '300' }, [
      scan('a.main.events', '60000'),
      scan('a."my schema"."users"', '100'),
    ])
    expect(read(node('UNGROUPED_AGGREGATE', { Aggregates: 'count_star()' }, [join]))).toEqual([
      { table: 'events', rows: 300_000 },
      { table: 'users', rows: 100 },
    ])
  })

  it('look at products row by row', () => {
    const product = node('CROSS_PRODUCT', {}, [scan('a.main.users', '100'), scan('a.main.users', '100')])
    const loop = node('BLOCKWISE_NL_JOIN', { Condition: 'a > b' }, [product, scan('a.main.users', '100')])
    expect(read(loop).slice(0, 2)).toEqual([
      { table: null, rows: 1_000_000 },
      { table: null, rows: 10_000 },
    ])
  })

  it('take what the catalog does not know from the plan, and know nothing of what is none', () => {
    expect(read(scan('a.main."other ""one"""', '7'))).toEqual([{ table: 'other "one"', rows: 7 }])
    expect(read(node('READ_PARQUET', { Function: 'READ_PARQUET', 'Estimated Cardinality': '9' }))).toEqual([
      { table: null, rows: 9 },
    ])
    expect(readDuckdbPlan('┌──────┐', rowsOf)).toEqual([{ table: null, rows: null }])
    expect(read(node('DUMMY_SCAN', {}))).toEqual([])
  })
})

it('says rows as people do', () => {
  expect([999, 12_345, 320_400_000, 5_250_000, 9e10].map(formatRowCount)).toEqual([
    '1,000 rows',
    '12,000 rows',
    '320 million rows',
    '5.3 million rows',
    '90 billion rows',
  ])
  expect(new ExpensiveQueryError({ rows: 320_000_000, table: 'events' }, 50_000_000).message).toBe(
    'This reads about 320 million rows, most of them of events. More than 50 million rows need your go-ahead.',
  )
})
