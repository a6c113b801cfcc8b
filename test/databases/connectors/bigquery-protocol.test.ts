import { describe, expect, it } from 'vitest'
import { readBigqueryAddress } from '../../../src/databases/connectors/bigquery/address.ts'
import { introspect } from '../../../src/databases/connectors/bigquery/catalog.ts'
import { makeBigqueryConnector } from '../../../src/databases/connectors/bigquery/connector.ts'
import { reasonError } from '../../../src/databases/connectors/bigquery/errors.ts'
import { readBigqueryBytes, readBigqueryPlan } from '../../../src/databases/connectors/bigquery/plan.ts'
import type { Ask } from '../../../src/databases/connectors/bigquery/session.ts'
import { toCell, typeOfField } from '../../../src/databases/connectors/bigquery/values.ts'
import { ExpensiveQueryError } from '../../../src/domain/sql.ts'
import { checkJobRequest, type JobRequest } from '../../helpers/doubles/bigquery/job-request.ts'
import { startBigquery } from '../../helpers/doubles/bigquery/start-bigquery.ts'
import { forgeGuardedSql } from '../../helpers/forge-guarded-sql.ts'
import { wideLimits } from '../../helpers/run-on.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'

describe('the address of a BigQuery project', () => {
  it('names who pays, what is read, and the limits', () => {
    expect(
      readBigqueryAddress(
        'bigquery://paying/data-project.shop?also=crm,other.web&location=EU&maxBytesBilled=10&pricePerTiB=6.25&labels=team:data',
      ),
    ).toEqual({
      project: 'paying',
      home: { project: 'data-project', dataset: 'shop' },
      others: [
        { project: 'paying', dataset: 'crm' },
        { project: 'other', dataset: 'web' },
      ],
      location: 'EU',
      keyFile: null,
      maxBytesBilled: 10,
      pricePerTiB: 6.25,
      labels: { team: 'data' },
      endpoint: null,
    })
    expect(readBigqueryAddress('bigquery://example.com%3Ashop').project).toBe('example.com:shop')
  })

  it.each([
    ['bigquery://p/d?dataset=x', 'location'],
    ['bigquery://user@p/d', 'keyFile'],
    ['bigquery://p/d/e', '/DATASET'],
    ['bigquery://p/my-data', 'A dataset is written'],
    ['bigquery://p?maxBytesBilled=1TB', 'maxBytesBilled=1000000000000'],
    ['bigquery://p?pricePerTiB=cheap', 'pricePerTiB=6.25'],
    ['bigquery://p?labels=Team:x', 'lower case'],
    ['bigquery://p?labels=querent:x', 'are taken'],
    ['bigquery://p?endpoint=http://example.net', 'https://'],
    ['bigquery://p?endpoint=http://127.0.0.1.example.net', 'https://'],
  ])('says what is wrong with %s', (address, words) => {
    expect(() => readBigqueryAddress(address)).toThrow(words)
  })
})

describe('the environment', () => {
  it('cannot send statements to another place than the address says', async () => {
    process.env.BIGQUERY_EMULATOR_HOST = 'http://127.0.0.1.example.net:9050'
    try {
      for (const url of ['bigquery://p/d', 'bigquery://p/d?endpoint=http://127.0.0.1'])
        await expect(makeBigqueryConnector({ url, place: 'shop' })).rejects.toThrow(
          'BIGQUERY_EMULATOR_HOST is set',
        )
    } finally {
      delete process.env.BIGQUERY_EMULATOR_HOST
    }
  })
})

describe('values of BigQuery', () => {
  it.each([
    ['INTEGER', '9007199254740993', 9007199254740993n],
    ['NUMERIC', '2.5', 2.5],
    ['BIGNUMERIC', '0.12345678901234567890', '0.12345678901234567890'],
    ['TIMESTAMP', '-1', '1970-01-01T00:59:59.999999+01:00'],
    ['TIMESTAMP', '1719882245678000', '2024-07-02T03:04:05.678+02:00'],
    ['DATETIME', '2024-01-02T03:04:05.000000', '2024-01-02T03:04:05'],
    ['GEOGRAPHY', 'POINT(1 2)', 'POINT(1 2)'],
    ['RANGE', '[2024-01-01, 2024-02-01)', '[2024-01-01, 2024-02-01)'],
    ['INTERVAL', '1-2 3 4:5:6', '1-2 3 4:5:6'],
    ['JSON', '{"a":1}', '{"a":1}'],
  ])('%s %s', (type, text, expected) => {
    expect(toCell({ name: 'x', type }, 'Europe/Oslo')(text)).toEqual(expected)
  })

  it('writes lists of structs with whole numbers whole', () => {
    const field = {
      name: 'items',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [
        { name: 'sku', type: 'STRING' },
        { name: 'n', type: 'INTEGER', mode: 'REPEATED' },
      ],
    }
    const sent = [
      { v: { f: [{ v: 'a' }, { v: [{ v: '9007199254740993' }] }] } },
      { v: { f: [{ v: null }, { v: [] }] } },
    ]
    expect(toCell(field, 'UTC')(sent)).toBe('[{"sku":"a","n":[9007199254740993]},{"sku":null,"n":[]}]')
    expect(typeOfField(field)).toBe('ARRAY<STRUCT<sku STRING, n ARRAY<INT64>>>')
  })
})

describe('what a dry run tells', () => {
  const plan = (bytes: number | null, pricePerTiB: number | null, ...tables: readonly string[]): string =>
    JSON.stringify({ statementType: 'SELECT', bytes, pricePerTiB, tables })

  it('bounds the rows of tables by the bytes, which know of partitions', () => {
    expect(readBigqueryPlan(plan(8_000, null, 'p.shop.orders'), () => 1e9)).toEqual([
      { table: 'orders', rows: 1000 },
    ])
    expect(readBigqueryPlan(plan(8e12, null, 'p.shop.orders'), () => 5)).toEqual([
      { table: 'orders', rows: 5 },
    ])
    expect(readBigqueryPlan('no JSON', () => 5)).toEqual([{ table: null, rows: null }])
  })

  it('takes no bytes for none where the service cannot say how many', () => {
    const outside = plan(null, 6.25, 'p.shop.sheet')
    expect(readBigqueryPlan(outside, () => null)).toEqual([{ table: 'sheet', rows: null }])
    expect(readBigqueryBytes(outside)).toBeNull()
  })

  it('says bytes, and a price where one is known', () => {
    const said = (bytes: number, price: number | null): string =>
      new ExpensiveQueryError(
        { rows: 1e9, table: 'events', planned: readBigqueryBytes(plan(bytes, price, 'p.shop.events'))! },
        5_000_000,
      ).message
    expect(said(1.2e12, 6.25)).toBe(
      'This reads about 1.2 TB and costs about $6.82, most of it of events. More than 5 million rows need your go-ahead.',
    )
    expect(said(1.2e12, null)).toContain('This reads about 1.2 TB, most of it of events.')
    expect(said(900, 6.25)).toContain('900 bytes and costs less than $0.01')
  })
})

describe('errors of BigQuery', () => {
  it.each([
    ['accessDenied', 'Access Denied: Table p:shop.orders', 'permission', 'Access Denied'],
    ['bytesBilledLimitExceeded', 'Query exceeded limit', 'other', 'more bytes than it may'],
    ['rateLimitExceeded', 'Exceeded rate limits', 'other', 'in a minute'],
    ['quotaExceeded', 'Quota exceeded', 'other', 'quota'],
    ['resourcesExceeded', 'Resources exceeded', 'other', 'memory'],
    ['stopped', 'Job execution was cancelled: Job timed out after 10s', 'timeout', 'longer'],
    ['stopped', 'Job execution was cancelled: User requested cancellation', 'cancelled', 'cancel'],
    [
      'invalidQuery',
      "Cannot query over table 'shop.events' without a filter over column(s) 'day' that can be used for partition elimination",
      'other',
      'a filter on day',
    ],
  ])('%s: %s', (reason, message, errorClass, words) => {
    const error = reasonError({ reason, message })
    expect(error.errorClass).toBe(errorClass)
    expect(error.message).toContain(words)
  })
})

describe('the tables of BigQuery', () => {
  it('keeps the newest of tables for a day each, says what it left out and what must be filtered, and skips dropped ones', async () => {
    const ids = ['events_20260130', 'events_20260131', 'events_20260129', 'orders', 'gone']
    const described: string[] = []
    const ask: Ask = async <T>({ path }: { readonly path: string }): Promise<T> => {
      if (path.endsWith('/tables'))
        return {
          tables: ids.map(tableId => ({ tableReference: { projectId: 'p', datasetId: 'shop', tableId } })),
        } as T
      const tableId = path.slice(path.lastIndexOf('/') + 1)
      if (tableId === 'gone')
        throw reasonError({ reason: 'notFound', message: 'Not found: Table p:shop.gone' })
      described.push(tableId)
      return {
        tableReference: { projectId: 'p', datasetId: 'shop', tableId },
        type: 'TABLE',
        numRows: '7',
        schema: { fields: [{ name: 'day', type: 'DATE' }] },
        ...(tableId === 'orders' && {
          timePartitioning: { type: 'DAY', field: 'day' },
          requirePartitionFilter: true,
          clustering: { fields: ['country'] },
        }),
      } as T
    }
    const { tables } = await introspect(ask, readBigqueryAddress('bigquery://p/shop'))
    expect(described.sort()).toEqual(['events_20260131', 'orders'])
    expect(tables.map(({ name, comment }) => [name, comment])).toEqual([
      [
        'events_20260131',
        'The newest of 3 tables of one day each, events_YYYYMMDD; the others are left out.',
      ],
      ['orders', 'Partitioned by day; every query must filter on it. Clustered by country.'],
    ])
  })
})

describe('statements on the double', () => {
  it('carry labels, are refused by the service if they write, and stop at the limit on bytes', async () => {
    const double = await startBigquery()
    try {
      await double.admin('CREATE TABLE t AS SELECT range AS a FROM range(1000)')
      const url = new URL(double.url)
      url.searchParams.set('labels', 'team:data')
      url.searchParams.set('maxBytesBilled', '100')
      const connector = await makeBigqueryConnector({ url: url.href, place: 'harbor' })
      const dear = forgeGuardedSql('SELECT a FROM t', 'bigquery')
      expect(await sqlErrorOf(connector.run(dear, wideLimits))).toMatchObject({
        driverCode: 'bytesBilledLimitExceeded',
      })
      expect(double.jobs.labels.at(-1)).toEqual({
        team: 'data',
        querent: 'true',
        'querent-purpose': 'people',
      })
      expect(JSON.parse(await connector.explain(dear, wideLimits))).toMatchObject({
        bytes: 8000,
        tables: ['querent-test.harbor.t'],
      })
      await double.admin('CREATE TABLE external_t AS SELECT 1 AS a')
      const outside = forgeGuardedSql('SELECT a FROM external_t', 'bigquery')
      expect(JSON.parse(await connector.explain(outside, wideLimits))).toMatchObject({ bytes: null })
      const hidden = forgeGuardedSql(
        'WITH x AS (SELECT 1) SELECT * FROM x; DELETE FROM t WHERE TRUE',
        'bigquery',
      )
      expect((await sqlErrorOf(connector.run(hidden, wideLimits))).driverCode).toBe('SCRIPT')
      await connector.close()
    } finally {
      await double.close()
    }
  })

  it('runs in UTC unless told otherwise, and goes on with a job whose first answer was lost', async () => {
    const double = await startBigquery()
    try {
      const url = new URL(double.url)
      url.searchParams.delete('location')
      const read = async (timeZone?: string): Promise<unknown> => {
        const connector = await makeBigqueryConnector({
          url: url.href,
          place: 'harbor',
          ...(timeZone !== undefined && { timeZone }),
        })
        double.loseNextAnswer()
        const sql = forgeGuardedSql(
          "SELECT CAST(TIMESTAMP '2026-01-31 23:30:00+00' AS DATE) AS d",
          'bigquery',
        )
        const { rows } = await connector.run(sql, wideLimits)
        await connector.close()
        return rows
      }
      expect(await read()).toEqual([['2026-01-31']])
      expect(await read('Europe/Oslo')).toEqual([['2026-02-01']])
    } finally {
      await double.close()
    }
  })

  it('are refused by the double with a key or a label that the reference does not have', () => {
    const request: JobRequest = {
      configuration: {
        jobTimeoutMs: '1000',
        labels: { team: 'data' },
        query: {
          query: 'SELECT 1',
          useLegacySql: false,
          connectionProperties: [{ key: 'time_zone', value: 'UTC' }],
        },
      },
      jobReference: { projectId: 'p', location: 'EU' },
    }
    const { configuration } = request
    const check = (changed: object): void =>
      checkJobRequest({ ...request, configuration: { ...configuration, ...changed } }, 'p')
    expect(() => check({})).not.toThrow()
    expect(() => check({ jobTimeoutMS: '1' })).toThrow('jobTimeoutMS')
    expect(() => check({ jobTimeoutMs: 1000 })).toThrow('whole number')
    expect(() => check({ labels: { Team: 'x' } })).toThrow('Team')
    expect(() => check({ labels: { team: 1 } })).toThrow('team')
    expect(() => check({ query: { ...configuration.query, maxBytesBilled: '1' } })).toThrow('maxBytesBilled')
  })
})
