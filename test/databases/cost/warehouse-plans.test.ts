import { describe, expect, it } from 'vitest'
import { readClickhousePlan } from '../../../src/databases/connectors/clickhouse/plan.ts'
import { readRedshiftPlan } from '../../../src/databases/connectors/redshift/plan.ts'
import { readSnowflakePlan } from '../../../src/databases/connectors/snowflake/plan.ts'
import { readSparkPlan } from '../../../src/databases/connectors/spark/plan.ts'
import { readTrinoPlan } from '../../../src/databases/connectors/trino/plan.ts'
import { makeCheckCost, makeEstimateQuery } from '../../../src/databases/estimate-cost.ts'
import type { Column, Table } from '../../../src/domain/catalog.ts'
import { forgeGuardedSql } from '../../helpers/forge-guarded-sql.ts'

const input = (schema: string, table: string, rows: number | string) => ({
  table: { catalog: 'hive', schemaTable: { schema, table } },
  estimate: { outputRowCount: rows },
})

const plan = (...inputs: readonly ReturnType<typeof input>[]): string =>
  JSON.stringify({ inputTableColumnInfos: inputs })

describe('the plans of warehouses', () => {
  it('Trino tells what is left of each table after its filters, or nothing', () => {
    const asked: string[] = []
    const rowsOf = (name: string): number => {
      asked.push(name)
      return 7
    }
    expect(readTrinoPlan(plan(input('shop', 'orders', 150), input('web', 'events', 'NaN')), rowsOf)).toEqual([
      { table: 'orders', rows: 150 },
      { table: 'events', rows: 7 },
    ])
    expect(asked).toEqual(['hive.web.events'])
    expect(readTrinoPlan('no JSON', () => null)).toEqual([{ table: null, rows: null }])
    expect(readTrinoPlan('{"inputTableColumnInfos":[]}', () => null)).toEqual([])
  })

  it('Spark tells counted rows, else the size on disk says how many there may be', () => {
    const text = [
      '== Optimized Logical Plan ==',
      'Aggregate [count(1) AS count(1)#1L], Statistics(sizeInBytes=16.0 B, rowCount=1)',
      '+- Join Inner, (id#1 = order_id#2), Statistics(sizeInBytes=9.9 GiB)',
      '   :- Relation spark_catalog.shop.orders[id#1,amount#3] parquet, Statistics(sizeInBytes=8.0 MiB, rowCount=1.0E+5)',
      '   +- Relation spark_catalog.shop.events[order_id#2] parquet, Statistics(sizeInBytes=2.0 GiB)',
      '',
      '== Physical Plan ==',
      'Relation spark_catalog.shop.orders[id#1] parquet, Statistics(sizeInBytes=8.0 MiB, rowCount=1.0E+5)',
    ].join('\n')
    expect(readSparkPlan(text, () => null)).toEqual([
      { table: 'orders', rows: 100_000 },
      { table: 'events', rows: 21_474_836 },
    ])
    expect(readSparkPlan('== Physical Plan ==\nx', () => null)).toEqual([{ table: null, rows: null }])
  })

  it('Redshift tells what a scan keeps, and its cost or the catalog what it reads', () => {
    const text = [
      'XN HashAggregate  (cost=3000.00..3000.10 rows=12 width=17)',
      '  ->  XN Hash Join DS_BCAST_INNER  (cost=12.00..2900.00 rows=500 width=17)',
      '        Hash Cond: ("outer".shop_id = "inner".id)',
      '        ->  XN Seq Scan on orders o  (cost=0.00..2000.00 rows=500 width=14)',
      '              Filter: (amount > 100)',
      '        ->  XN Hash  (cost=10.00..10.00 rows=1000 width=21)',
      '              ->  XN Seq Scan on "Shop List"  (cost=0.00..10.00 rows=1000 width=21)',
    ].join('\n')
    expect(readRedshiftPlan(text, () => null)).toEqual([
      { table: 'orders', rows: 200_000 },
      { table: 'Shop List', rows: 1000 },
    ])
    expect(readRedshiftPlan(text, name => (name === 'orders' ? 160_000 : null))[0]?.rows).toBe(160_000)
    expect(readRedshiftPlan('no plan', () => null)).toEqual([{ table: null, rows: null }])
  })

  it('Redshift goes through the inner side of a nested loop for each outer row, and reads S3 whole', () => {
    const loop = [
      'XN Nested Loop DS_BCAST_INNER  (cost=0.00..9000.00 rows=20000 width=8)',
      '  ->  XN Seq Scan on a  (cost=0.00..2.00 rows=200 width=4)',
      '  ->  XN Seq Scan on b  (cost=0.00..1.00 rows=100 width=4)',
    ].join('\n')
    expect(readRedshiftPlan(loop, () => null).map(({ rows }) => rows)).toEqual([200, 20_000])
    const outside = [
      'XN Aggregate  (cost=100.00..100.00 rows=1 width=8)',
      '  ->  XN S3 Query Scan clicks  (cost=75.00..95.00 rows=10 width=8)',
      '        ->  S3 Aggregate  (cost=75.00..75.00 rows=1 width=0)',
      '              ->  S3 Seq Scan web.clicks location:"s3://bucket/clicks" format:PARQUET  (cost=0.00..60.00 rows=6000 width=0)',
    ].join('\n')
    expect(readRedshiftPlan(outside, name => (name === 'clicks' ? 9000 : null))).toEqual([
      { table: 'clicks', rows: 9000 },
    ])
  })

  it('ClickHouse tells rows by its index, or the catalog does', () => {
    expect(readClickhousePlan('table=orders rows=8192\ntable=events rows=?', () => 5)).toEqual([
      { table: 'orders', rows: 8192 },
      { table: 'events', rows: 5 },
    ])
    expect(readClickhousePlan('no table is read', () => 5)).toEqual([])
  })

  it('Snowflake tells partitions, and so many of the rows of the catalog count', () => {
    const scan = (table: string, partitionsAssigned: number) => ({
      id: 2,
      operation: 'TableScan',
      objects: [table],
      partitionsTotal: 200,
      partitionsAssigned,
    })
    const text = JSON.stringify({
      Operations: [
        [{ id: 0, operation: 'Result' }, scan('SHOP.PUBLIC.ORDERS', 5), scan('SHOP.PUBLIC.EVENTS', 200)],
      ],
    })
    const rowsOf = (name: string) => (name === 'SHOP.PUBLIC.ORDERS' ? 1_000_000 : null)
    expect(readSnowflakePlan(text, rowsOf)).toEqual([
      { table: 'ORDERS', rows: 25_000 },
      { table: 'EVENTS', rows: null },
    ])
    expect(readSnowflakePlan('no JSON', () => null)).toEqual([{ table: null, rows: null }])
    expect(readSnowflakePlan('{"Operations":[[{"operation":"Result"}]]}', () => 5)).toEqual([])
  })
})

const id: Column = {
  name: 'id',
  type: 'bigint',
  kind: 'integer',
  nullable: true,
  comment: null,
  profile: null,
}

const table = (schema: string | null, name: string, rowCount: number | null): Table => ({
  schema,
  ...(schema === null && { home: 'shop' }),
  name,
  type: 'table',
  comment: null,
  rowCount,
  columns: [id],
  primaryKey: [],
})

describe('a table of unknown size', () => {
  const tables = [
    table(null, 'orders', null),
    table('tpch.tiny', 'orders', 15_000),
    table(null, 'nation', 25),
  ]
  const costOf = async (sql: string, explained: string): Promise<string> => {
    const catalog = () => ({ tables })
    const estimate = makeEstimateQuery({
      connector: { dialect: 'trino', explain: async () => explained },
      limitRows: sql => sql,
      maxRows: 1000,
      catalog,
    })
    return makeCheckCost({ estimate, catalog, limit: 50_000 })(forgeGuardedSql(sql, 'trino')).then(
      () => 'runs',
      (error: Error) => error.message,
    )
  }

  it('asks first, by its name', async () => {
    const asks =
      'This reads orders, and the database does not know how large that is. More than 50,000 rows would need your go-ahead.'
    const sql = 'SELECT max(id) FROM orders'
    expect(await costOf(sql, plan(input('shop', 'orders', 'NaN')))).toBe(asks)
    const joined = 'SELECT max(o.id) FROM orders o JOIN nation n ON n.id = o.id'
    expect(await costOf(joined, plan(input('shop', 'nation', 25), input('shop', 'orders', 'NaN')))).toBe(asks)
  })

  it('is not mistaken for a table of its name in another schema', async () => {
    const sql = 'SELECT max(id) FROM tpch.tiny.orders'
    const explained = JSON.stringify({
      inputTableColumnInfos: [
        { table: { catalog: 'tpch', schemaTable: { schema: 'tiny', table: 'orders' } } },
      ],
    })
    expect(await costOf(sql, explained)).toBe('runs')
  })
})
