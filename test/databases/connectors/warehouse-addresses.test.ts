import { describe, expect, it } from 'vitest'
import { readClickhouseAddress } from '../../../src/databases/connectors/clickhouse/address.ts'
import { readRedshiftAddress } from '../../../src/databases/connectors/redshift/address.ts'
import { readSnowflakeAddress } from '../../../src/databases/connectors/snowflake/address.ts'
import { readSparkAddress } from '../../../src/databases/connectors/spark/address.ts'
import { readTrinoAddress } from '../../../src/databases/connectors/trino/address.ts'
import { QuerentError } from '../../../src/domain/errors.ts'

const messageOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(QuerentError)
    return (error as QuerentError).message
  }
  return 'nothing was thrown'
}

describe('the address of a Trino cluster', () => {
  it('names a catalog, a schema, and what else is asked about', () => {
    expect(readTrinoAddress('trino://ann@host:8080/hive/shop?also=events.web,crm&maxScanBytes=1000')).toEqual(
      {
        origin: 'http://host:8080',
        user: 'ann',
        password: null,
        auth: 'password',
        authorityFile: null,
        home: { catalog: 'hive', schema: 'shop' },
        others: [
          { catalog: 'events', schema: 'web' },
          { catalog: 'crm', schema: null },
        ],
        role: null,
        maxScanBytes: 1000,
      },
    )
  })

  it('is encrypted on the ports for it, and with a password', () => {
    expect(readTrinoAddress('trino://ann:p%40ss@host:8443').origin).toBe('https://host:8443')
    expect(readTrinoAddress('trino://ann:p%40ss@host:8443').password).toBe('p@ss')
    expect(messageOf(() => readTrinoAddress('trino://ann:secret@host:8080'))).toContain('tls=true')
    expect(messageOf(() => readTrinoAddress('trino://ann:secret@host:8080?tls=false'))).toContain('tls=true')
  })

  it('says what it does not know', () => {
    expect(messageOf(() => readTrinoAddress('trino://host?sslmode=require'))).toContain('also')
    expect(messageOf(() => readTrinoAddress('trino://host/a/b/c'))).toContain('/CATALOG/SCHEMA')
    expect(messageOf(() => readTrinoAddress('trino://host?also=a.b.c'))).toContain('also=events,crm.public')
    expect(messageOf(() => readTrinoAddress('trino://host?maxScanBytes=1TB'))).toContain('number of bytes')
  })
})

describe('the address of Spark or Databricks', () => {
  it('sends a token as one, and a password as one', () => {
    const warehouse = readSparkAddress(
      'databricks://token:dapi123@adb.example.net/main/shop?path=/sql/1.0/warehouses/abc',
    )
    expect(warehouse).toMatchObject({
      kind: 'databricks',
      port: 443,
      path: '/sql/1.0/warehouses/abc',
      authorization: 'Bearer dapi123',
      catalog: 'main',
      schema: 'shop',
    })
    expect(readSparkAddress('spark://ann:pw@host/shop')).toMatchObject({
      kind: 'spark',
      port: 10_001,
      path: '/cliservice',
      authorization: `Basic ${Buffer.from('ann:pw').toString('base64')}`,
      catalog: null,
      schema: 'shop',
    })
  })

  it('says what is missing', () => {
    expect(messageOf(() => readSparkAddress('databricks://token:x@host/main'))).toContain('path=/sql/1.0/')
    expect(messageOf(() => readSparkAddress('spark://host?ca=/no/such.pem'))).toContain('ENOENT')
    expect(messageOf(() => readSparkAddress('spark://host?mode=x'))).toContain('path, ca')
  })
})

describe('the address of a ClickHouse server', () => {
  it('has a user, a database and limits of its own', () => {
    expect(readClickhouseAddress('clickhouse://host')).toEqual({
      origin: 'http://host:8123',
      user: 'default',
      password: '',
      database: 'default',
      authority: null,
      maxScanRows: null,
    })
    expect(readClickhouseAddress('clickhouse://a:b@host/shop?tls=true&maxScanRows=5')).toMatchObject({
      origin: 'https://host:8443',
      user: 'a',
      password: 'b',
      database: 'shop',
      maxScanRows: 5,
    })
    expect(messageOf(() => readClickhouseAddress('clickhouse://host?tls=yes'))).toBe('tls is true or false.')
  })
})

describe('the address of a Redshift cluster', () => {
  it('is encrypted, with the certificate checked', () => {
    expect(readRedshiftAddress('redshift://ann:p%40ss@shop.example.net/dev')).toEqual({
      host: 'shop.example.net',
      port: 5439,
      user: 'ann',
      password: 'p@ss',
      database: 'dev',
      ssl: { rejectUnauthorized: true },
    })
  })

  it('is plain on this machine only', () => {
    expect(readRedshiftAddress('redshift://ann:pw@127.0.0.1:15439/dev?tls=false')).toMatchObject({
      port: 15_439,
      ssl: false,
    })
    expect(messageOf(() => readRedshiftAddress('redshift://a:b@shop.example.net/dev?tls=false'))).toContain(
      'tunnel on this machine',
    )
  })

  it('says what is missing or not known', () => {
    expect(messageOf(() => readRedshiftAddress('redshift://a:b@host'))).toContain('/DATABASE')
    expect(messageOf(() => readRedshiftAddress('redshift://host/dev'))).toContain('needs a user')
    expect(messageOf(() => readRedshiftAddress('redshift://a@host/dev?sslmode=disable'))).toContain('tls, ca')
    expect(messageOf(() => readRedshiftAddress('redshift://a@host/dev?tls=1'))).toBe('tls is true or false.')
  })
})

describe('the address of an account of Snowflake', () => {
  it('names the account, the database and what else is asked about, in upper case unless quoted', () => {
    expect(
      readSnowflakeAddress(
        'snowflake://ann:pat@my_org-shop/sales/public?warehouse=small&role=%22reader%22&also=crm,%22web%22.events',
      ),
    ).toEqual({
      origin: 'https://my-org-shop.snowflakecomputing.com',
      account: 'MY_ORG-SHOP',
      user: 'ann',
      login: { kind: 'access-token', token: 'pat' },
      home: { database: 'SALES', schema: 'PUBLIC' },
      others: [
        { database: 'CRM', schema: null },
        { database: 'web', schema: 'EVENTS' },
      ],
      warehouse: 'SMALL',
      role: 'reader',
    })
  })

  it('goes unencrypted to this machine only', () => {
    const origin = (host: string) => readSnowflakeAddress(`snowflake://ann:pat@${host}/sales`).origin
    expect(origin('127.0.0.1:8123')).toBe('http://127.0.0.1:8123')
    expect(origin('xy12345.eu-central-1')).toBe('https://xy12345.eu-central-1.snowflakecomputing.com')
    expect(origin('org-shop.privatelink.snowflakecomputing.com:8123')).toBe(
      'https://org-shop.privatelink.snowflakecomputing.com:8123',
    )
    expect(origin('127.0.0.1.example.com:80')).toBe('https://127.0.0.1.example.com.snowflakecomputing.com:80')
    expect(readSnowflakeAddress('snowflake://ann:pat@xy12345.eu-central-1/sales').account).toBe('XY12345')
  })

  it('says what is missing', () => {
    expect(messageOf(() => readSnowflakeAddress('snowflake://ann@org-shop/sales'))).toContain('access token')
    expect(messageOf(() => readSnowflakeAddress('snowflake://ann:x@org-shop/a/b/c'))).toContain(
      '/DATABASE/SCHEMA',
    )
    expect(messageOf(() => readSnowflakeAddress('snowflake://:x@org-shop/sales'))).toContain('names a user')
    expect(messageOf(() => readSnowflakeAddress('snowflake://ann:x@org-shop/sales?auth=browser'))).toContain(
      'oauth',
    )
    expect(messageOf(() => readSnowflakeAddress('snowflake://ann:x@org-shop/sales?ssl=1'))).toContain(
      'warehouse',
    )
    expect(
      messageOf(() => readSnowflakeAddress('snowflake://ann@org-shop/sales?privateKeyFile=/no.p8')),
    ).toContain('ENOENT')
  })
})
