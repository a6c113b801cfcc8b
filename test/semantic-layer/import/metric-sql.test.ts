import { describe, expect, it } from 'vitest'
import { readCalculation } from '../../../src/semantic-layer/import/aggregate-sql.ts'
import {
  identifier,
  sentenceCase,
  unitOfDescription,
  unitOfFormat,
} from '../../../src/semantic-layer/import/import-names.ts'
import {
  checkRowLevel,
  namesIn,
  partsText,
  qualified,
  sqlParts,
  tableOf,
  tableOfQuery,
} from '../../../src/semantic-layer/import/sql-parts.ts'

const call = (aggregation: string, argument: string | null, extra: object = {}) => ({
  kind: 'aggregate',
  aggregation,
  argument,
  percentile: null,
  filter: null,
  ...extra,
})

const divided = {
  kind: 'arithmetic',
  operator: '/',
  left: call('sum', 'a'),
  right: call('count', null),
}

describe('the SQL of a metric', () => {
  it.each([
    ['SUM(a * (1 - b))', call('sum', 'a * (1 - b)')],
    ['count(*)', call('count', null)],
    ['COUNT(1)', call('count', null)],
    ['COUNT(DISTINCT t.id)', call('count_distinct', 't.id')],
    ['APPROX_COUNT_DISTINCT(id)', call('count_distinct', 'id')],
    ['PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x DESC)', call('percentile', 'x', { percentile: 0.9 })],
    ['APPROX_PERCENTILE(x, 0.5)', call('median', 'x')],
    ["SUM(a) FILTER (WHERE s = 'x')", call('sum', 'a', { filter: "s = 'x'" })],
    ["COUNT_IF(s = 'x')", call('count', null, { filter: "s = 'x'" })],
    ["SUM(CASE WHEN s = ')' THEN a END)", call('sum', "CASE WHEN s = ')' THEN a END")],
    ['ROUND(CAST(SUM(a) AS DECIMAL(10, 2)), 2)', call('sum', 'a')],
    ['COALESCE(SUM(a), 0)::numeric(10, 2)', call('sum', 'a')],
    ['SUM(a) / NULLIF(COUNT(*), 0)', divided],
    ['DIV0(SUM(a), COUNT(*))', divided],
    ['SAFE_DIVIDE(SUM(a), COUNT(*))', divided],
    ['CASE WHEN COUNT(*) = 0 THEN NULL ELSE SUM(a) / COUNT(*) END', divided],
    ['CASE WHEN COUNT(*) > 0 THEN SUM(a) / COUNT(*) ELSE 0 END', divided],
    ['IFF(((COUNT(*) = 0) OR (COUNT(*) IS NULL)), NULL, SUM(a) / COUNT(*))', divided],
  ])('%s is read', (sql, read) => {
    expect(readCalculation(sql)).toEqual(read)
  })

  it.each([
    ['SUM(a) OVER (PARTITION BY b)', /window function/],
    ['STDDEV(a)', /STDDEV/],
    ['SUM(DISTINCT a)', /distinct values only/],
    ['AVG(SUM(a))', /aggregates an aggregate/],
    ['SUM((SELECT 1))', /subquery/],
    ["CASE WHEN COUNT(*) > 5 THEN 'many' ELSE 'few' END", /not plain arithmetic/],
    ['SUM(a) > 3', /not plain arithmetic/],
    ['', /not plain arithmetic/],
  ])('%s is not', (sql, why) => {
    expect(() => readCalculation(sql)).toThrow(why)
  })
})

describe('names in SQL', () => {
  const namesOf = (sql: string) =>
    namesIn(sqlParts(sql)).map(({ qualifier, name }) => (qualifier ? `${qualifier}.${name}` : name))

  it.each([
    ["first || ' last ' || last", ['first', 'last']],
    ['CAST(a AS timestamp with time zone)', ['a']],
    ['a::double precision + "Big Name"', ['a', 'Big Name']],
    ['EXTRACT(year FROM b)', ['b']],
    ["DATE_TRUNC('month', u.day) > DATE '2026-01-01'", ['u.day']],
    ['DATE_ADD(a, INTERVAL 3 day)', ['a']],
    ['CASE WHEN x IN ("a", "b") THEN 1 END', ['x']],
    ['[Orders].[Sale Price] + list[0]', ['Orders.Sale Price', 'list']],
    ['a -- not b\n+ c', ['a', 'c']],
    ["upper(name) LIKE '%x%' AND `select` IS NOT NULL", ['name', 'select']],
  ])('%s has %j', (sql, names) => {
    expect(namesOf(sql)).toEqual(names)
  })

  it('get the name of a model in front', () => {
    expect(partsText(qualified(sqlParts('a + "B" * other.c'), 'm'))).toBe('m.a + m."B" * other.c')
  })

  it('are not enough where rows depend on others', () => {
    expect(() => checkRowLevel(sqlParts('ROW_NUMBER() OVER (ORDER BY a)'))).toThrow(/several rows/)
  })
})

describe('tables', () => {
  it.each([
    ['a', null, 'a'],
    ['s.a', 's', 'a'],
    ['db.s."Big Table"', 's', 'Big Table'],
    ['`my-project.data.orders`', 'data', 'orders'],
    ['"PUBLIC"."ORDERS"', 'PUBLIC', 'ORDERS'],
  ])('%s', (text, schema, name) => {
    expect(tableOf(text)).toEqual({ schema, name })
  })

  it('are what SELECT * reads, and no other query', () => {
    expect(tableOfQuery('SELECT * FROM s.a;')).toEqual({ schema: 's', name: 'a' })
    expect(() => tableOfQuery('SELECT * FROM a WHERE b')).toThrow(/from a query/)
  })
})

describe('names, labels and units', () => {
  it.each([
    ['Total Amount', 'total_amount'],
    ['totalAmount', 'total_amount'],
    ['O_TOTALPRICE', 'o_totalprice'],
    ['2nd_order', 'n_2nd_order'],
    ['größe', 'grosse'],
  ])('%s is named %s', (name, made) => {
    expect(identifier(name)).toBe(made)
  })

  it.each([
    ['Total Sale Price', 'Total sale price'],
    ['USA Sales', 'USA sales'],
    ['Orders by Country', 'Orders by country'],
    ['orders from Germany', 'Orders from Germany'],
  ])('%s is labeled %s', (label, made) => {
    expect(sentenceCase(label)).toBe(made)
  })

  it.each([
    ['usd_0', { kind: 'currency', code: 'USD', scale: 1 }],
    ['$#,##0.00', { kind: 'currency', code: 'USD', scale: 1 }],
    ['€#,##0', { kind: 'currency', code: 'EUR', scale: 1 }],
    ['percent_1', { kind: 'percent', scale: 100 }],
    ['0.0%', { kind: 'percent', scale: 100 }],
    ['0.0\\%', { kind: 'percent', scale: 1 }],
    ['#,##0', null],
  ])('the format %s is %j', (format, unit) => {
    expect(unitOfFormat(format)).toEqual(unit)
  })

  it.each([
    ['Paid in US dollars', { kind: 'currency', code: 'USD', scale: 1 }],
    ['Price (EUR)', { kind: 'currency', code: 'EUR', scale: 1 }],
    ['Total in cents', { kind: 'currency', code: null, scale: 0.01 }],
    ['Time in hours', { kind: 'duration', unit: 'hour' }],
    ['What it cost', null],
  ])('"%s" says %j', (text, unit) => {
    expect(unitOfDescription(text)).toEqual(unit)
  })
})
