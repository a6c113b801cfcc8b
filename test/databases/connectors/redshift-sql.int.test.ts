import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkConnector } from '../../../src/databases/check-connector.ts'
import { makeRedshiftConnector } from '../../../src/databases/connectors/redshift/connector.ts'
import { redshift as dialect } from '../../../src/databases/connectors/redshift/dialect.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { Column } from '../../../src/domain/catalog.ts'
import type { Connector } from '../../../src/domain/database.ts'
import type { Cell } from '../../../src/domain/result.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { type RedshiftDouble, startRedshift } from '../../helpers/doubles/redshift/start-redshift.ts'
import { runOn, wideLimits } from '../../helpers/run-on.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'

const shop = `
  create table customers (id integer primary key, name varchar(100), city varchar(100), vip boolean);
  create table orders (id integer primary key, customer_id integer references customers, status varchar(20),
    amount numeric(10, 2), quantity integer, placed_at timestamp, shipped_on date);
  insert into customers values (1, 'Ada', 'Oslo', true), (2, 'Bo', 'Bergen', false), (3, 'Cy\\Dee', 'Oslo', null);
  insert into orders select n, 1 + n % 3, case n % 4 when 0 then 'returned' when 1 then 'open' else 'paid' end,
    n * 1.5, n, timestamp '2024-01-01 06:30:00' + n * interval '1 day', date '2024-01-02' + n
    from pg_catalog.generate_series(1, 120) n;
  create schema spectrum;
  create table spectrum.clicks (id bigint not null, page varchar(100));
  insert into spectrum.clicks values (1, '/'), (2, '/shop'), (3, '/shop');
  analyze;
`

let database: TestDatabase
let double: RedshiftDouble
let connector: Connector
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  database = await createTestDatabase()
  await withClient(database.url, client => client.query(shop))
  double = await startRedshift(database.url)
  await withClient(database.url, client =>
    client.query(
      `insert into redshift_double.external_tables
       values ('dev', 'spectrum', 'clicks', 'TABLE', 's3://bucket/clicks', '{"EXTERNAL":"TRUE","numRows":"170000"}')`,
    ),
  )
  connector = await makeRedshiftConnector({ url: double.url, place: 'shop', timeZone: 'UTC' })
})

afterAll(async () => {
  await connector.close()
  await double[Symbol.asyncDispose]()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const guard = makeGuard()

/** The one value of an expression that the guard allows and the double runs. */
const evaluate = async (expression: string, from = ''): Promise<Cell | undefined> => {
  const verdict = guard(`SELECT ${expression} AS x ${from}`, 'redshift')
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  return (await connector.run(verdict.guarded, wideLimits)).rows[0]?.[0]
}

describe('SQL that is written for Redshift', () => {
  const { rendering, rights, measuring, repair } = dialect
  const sunday = "DATE '2024-01-07'"
  const noon = "TIMESTAMP '2024-01-07 12:30:00'"

  it('has texts with backslashes and apostrophes', async () => {
    for (const text of ["it's", 'a\\b', 'tab\\t', 'Ålesund'])
      expect(await evaluate(rendering.quoteText(text))).toBe(text)
  })

  it('cuts and moves dates', async () => {
    expect(await evaluate(rendering.truncate('week', noon, 'local', 'UTC'))).toBe('2024-01-01')
    expect(await evaluate(rendering.truncate('day', noon, 'local', 'UTC'))).toBe('2024-01-07')
    expect(await evaluate(rendering.datePart('weekday', noon, 'local', 'UTC'))).toBe(7)
    expect(await evaluate(rendering.datePart('weekday', "DATE '2024-01-08'", 'date', 'UTC'))).toBe(1)
    expect(await evaluate(rendering.datePart('hour', noon, 'local', 'UTC'))).toBe(12)
    expect(await evaluate(rendering.shift(sunday, -1, 'quarter'))).toBe('2023-10-07')
    expect(await evaluate(rendering.shift(sunday, 2, 'week'))).toBe('2024-01-21')
    expect(await evaluate(rendering.elapsed('hour', "TIMESTAMP '2024-01-07 00:00:00'", noon, 'local'))).toBe(
      12.5,
    )
    expect(await evaluate(rendering.elapsed('day', "DATE '2024-01-01'", sunday, 'date'))).toBe(6)
    const instant = rendering.moment('2024-01-07', 'instant', 'Europe/Oslo')
    expect(await evaluate(instant)).toBe('2024-01-06T23:00:00+00:00')
  })

  it('divides, averages and compares as meant', async () => {
    expect(await evaluate(rendering.ratio('1', '4'))).toBe(0.25)
    expect(await evaluate(rendering.average('quantity'), 'FROM orders')).toBe(60.5)
    expect(await evaluate(rendering.percentile?.(0.5, 'quantity') ?? '', 'FROM orders')).toBe(60.5)
    expect(await evaluate(rendering.nullSafeEquals('NULL', 'NULL'))).toBe(true)
  })

  it('hides values', async () => {
    expect(
      await evaluate(rights.hash('name', { inner: '36', outer: '5c' }), 'FROM customers WHERE id = 1'),
    ).toMatch(/^[0-9a-f]{16}$/)
    expect(await evaluate(rights.lastFour("'4111222'", true))).toBe('****1222')
    expect(await evaluate(rights.bucket('27.9', 10, 'numeric'))).toBe(20)
    expect(await evaluate('count(*)', `FROM (SELECT id FROM customers ${rights.fence}) AS c`)).toBe(3)
  })

  it('measures columns', async () => {
    const vip: Column = {
      name: 'vip',
      type: 'boolean',
      kind: 'boolean',
      nullable: true,
      comment: null,
      profile: null,
    }
    expect(await evaluate(measuring.asText(vip, 'vip'), 'FROM customers WHERE id = 2')).toBe('false')
    const shape = measuring.matchesShape("'2024-01-07'", 'date', '^\\d{4}-\\d\\d-\\d\\d$')
    expect(await evaluate(`CASE WHEN ${shape} THEN 1 ELSE 0 END`)).toBe(1)
  })

  it('repairs what other databases write', async () => {
    const write = repair.writeOperation
    const shifted = write({ does: 'shift', unit: 'month', amount: 1, of: sunday })
    expect(await evaluate(shifted ?? '')).toBe('2024-02-07T00:00:00')
    const days = write({
      does: 'difference',
      unit: 'day',
      from: sunday,
      to: noon,
      counts: 'changes',
    })
    expect(await evaluate(days ?? '')).toBe(0)
  })
})

describe('a Redshift database', () => {
  it('has its external tables with their declared size, by their schema', async () => {
    const { tables } = await connector.introspect()
    expect(tables.find(({ name }) => name === 'clicks')).toMatchObject({
      schema: 'spectrum',
      rowCount: 170_000,
      columns: [{ nullable: false }, { nullable: true }],
    })
    expect(tables.find(({ name }) => name === 'orders')).toMatchObject({ schema: null, rowCount: 120 })
  })

  it('tells a user who can only read from one who can write', async () => {
    const role = `querent_reader_${randomBytes(4).toString('hex')}`
    await withClient(database.url, client =>
      client.query(`create role ${role}; grant select on customers to ${role}`),
    )
    await using reading = await startRedshift(database.url, { role })
    const reader = await makeRedshiftConnector({ url: reading.url, place: 'shop' })
    expect(await reader.checkSafeguards()).toEqual({
      refusesWrites: true,
      stopsAtTimeout: true,
      cancelFreesServer: true,
      roleCanWrite: false,
    })
    const refused = await sqlErrorOf(runOn(reader, 'select * from orders'))
    expect(refused.errorClass).toBe('permission')
    await reader.close()
    await withClient(database.url, client => client.query(`drop owned by ${role}; drop role ${role}`))
  })

  it('passes connector check', async () => {
    const results = await checkConnector(connector, { guard })
    expect(results.map(({ trial, outcome }) => `${trial} ${outcome}`)).toEqual([
      ...['schema holds', 'values holds', 'row-limit holds', 'byte-limit holds', 'unknown-column holds'],
      ...['guard holds', 'estimate holds', 'write holds', 'time-limit holds', 'cancel holds', 'role weak'],
    ])
  })

  it.each([
    ['how many orders are there?', /120/],
    ['number of orders per status', /paid/i],
    ['total amount of orders per month', /2024/],
    ['average quantity of orders per customer city', /Oslo/],
    ['how many orders per weekday', /Sunday|Monday/],
    ['top 2 customers by total amount', /Ada|Bo/],
  ])(
    'answers without a model: %s',
    async (question, expected) => {
      const { out, err } = await runCli(['ask', '--database', double.url, question], {
        folder,
        home: join(folder, 'home'),
      })
      expect(`${out}\n${err}`).toMatch(expected)
      expect(double.surprises).toEqual([])
    },
    60_000,
  )
})
