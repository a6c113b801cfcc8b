import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSnowflakeAddress } from '../../../src/databases/connectors/snowflake/address.ts'
import { makeSnowflakeConnector } from '../../../src/databases/connectors/snowflake/connector.ts'
import { makeLogin } from '../../../src/databases/connectors/snowflake/login.ts'
import { toCell } from '../../../src/databases/connectors/snowflake/values.ts'
import { QuerentError } from '../../../src/domain/errors.ts'
import { openSnowflakeDouble, type SnowflakeDouble } from '../../helpers/doubles/snowflake/server.ts'
import { runOn } from '../../helpers/run-on.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-snowflake-'))

const passphrase = 'open sesame'

const makeKey = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const plain = join(folder, `${name}.p8`)
  const locked = join(folder, `${name}-locked.p8`)
  writeFileSync(plain, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(
    locked,
    privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }),
  )
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return {
    plain,
    locked,
    pem: String(publicKey.export({ type: 'spki', format: 'pem' })),
    fingerprint: `SHA256:${createHash('sha256').update(der).digest('base64')}`,
  }
}

const key = makeKey('ann')

const stranger = makeKey('stranger')

const messageOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    expect(error).toBeInstanceOf(QuerentError)
    return (error as QuerentError).message
  }
  return 'nothing was thrown'
}

describe('an account of Snowflake (a double of its SQL API)', () => {
  let double: SnowflakeDouble
  beforeAll(async () => {
    double = await openSnowflakeDouble({
      account: 'MYORG-SHOP',
      keys: { ANN: key },
      accessTokens: ['pat'],
      oauthTokens: ['oauth'],
    })
    await double.engine.admin('CREATE TABLE "ORDERS" ("ID" INTEGER, "NOTE" VARCHAR, "Odd Name" INTEGER)')
    await double.engine.admin('INSERT INTO "ORDERS" SELECT range, \'x\', 1 FROM range(5000)')
  })
  afterAll(() => double.close())

  const open = (login: string, parameters: string) =>
    makeSnowflakeConnector({
      url: `snowflake://${login}@127.0.0.1:${double.port}/HARBOR/PUBLIC?account=myorg-shop&${parameters}`,
      place: 'shop',
    })

  const answers = async (login: string, parameters: string): Promise<unknown> => {
    const connector = await open(login, parameters)
    try {
      return (await runOn(connector, 'select 1 as a')).rows
    } finally {
      await connector.close()
    }
  }

  it('lets in who has a key, a key with a passphrase, an access token or an OAuth token', async () => {
    expect(await answers('ann', `privateKeyFile=${key.plain}`)).toEqual([[1]])
    expect(await answers('ann:open%20sesame', `privateKeyFile=${key.locked}`)).toEqual([[1]])
    expect(await answers('ann:pat', '')).toEqual([[1]])
    expect(await answers('ann:oauth', 'auth=oauth')).toEqual([[1]])
  })

  it('says what is wrong with a login, and never shows it', async () => {
    expect(await messageOf(() => open('bob', `privateKeyFile=${key.plain}`))).toContain('RSA_PUBLIC_KEY')
    expect(await messageOf(() => open('ann', `privateKeyFile=${stranger.plain}`))).toContain('RSA_PUBLIC_KEY')
    expect(await messageOf(() => open('ann:wrong-secret', 'auth=oauth'))).toContain('OAuth token')
    expect(await messageOf(() => open('ann:wrong-secret', ''))).not.toContain('wrong-secret')
    expect(await messageOf(() => open('ann', `privateKeyFile=${key.locked}`))).toContain('passphrase')
    expect(await messageOf(() => open('ann:nope', `privateKeyFile=${key.locked}`))).toContain('passphrase')
    expect(await messageOf(() => open('ann:pat', 'role=boss'))).toContain('does not have the role')
  })

  it('signs a new token before the old one ends', () => {
    let now = 1_000_000_000_000
    const login = makeLogin(
      readSnowflakeAddress(`snowflake://ann@MYORG-SHOP/HARBOR?privateKeyFile=${key.plain}`),
      () => now,
    )
    const first = login().authorization
    now += 50 * 60 * 1000
    expect(login().authorization).toBe(first)
    now += 6 * 60 * 1000
    expect(login().authorization).not.toBe(first)
  })

  it('sends the place, the limits and a tag with every statement, after it was compiled as a query', async () => {
    const connector = await open('ann:pat', 'warehouse=small&role=reader')
    const before = double.submitted.length
    await runOn(connector, 'select id from orders', { maxRows: 10, timeoutMs: 1500 })
    await connector.close()
    const [compiled, ran, ...more] = double.submitted.slice(before)
    expect(more).toEqual([])
    expect(compiled?.statement).toBe('EXPLAIN USING JSON SELECT * FROM (\nselect id from orders\n)')
    expect(ran).toEqual({
      statement: 'select id from orders',
      timeout: 2,
      database: 'HARBOR',
      schema: 'PUBLIC',
      warehouse: 'SMALL',
      role: 'READER',
      parameters: {
        query_tag: 'querent',
        timezone: 'UTC',
        binary_output_format: 'HEX',
        multi_statement_count: '1',
        rows_per_resultset: 11,
      },
    })
  })

  it('asks again when the account is busy, and runs nothing twice', async () => {
    const connector = await open('ann:pat', '')
    const before = double.submitted.length
    double.refuseNext(2, 429)
    expect((await runOn(connector, 'select count(*) as n from orders')).rows).toEqual([[5000]])
    expect(double.submitted.length - before).toBe(2)
    await connector.close()
  })

  it('does not take a result that was too large to be sent for an empty one', async () => {
    const connector = await open('ann:pat', '')
    double.refuseNext(1, 200, '391908')
    const error = await sqlErrorOf(runOn(connector, 'select id from orders'))
    expect(error).toMatchObject({ errorClass: 'other', driverCode: '391908' })
    await connector.close()
  })

  it('hears from the server that a statement took too long', async () => {
    const connector = await open('ann:pat', '')
    const numbers = 'select seq8() as n from table(generator(rowcount => 100000000))'
    const endless = `select count(*) as c from (${numbers}) a cross join (${numbers}) b where hash(a.n + b.n) = 1`
    const error = await sqlErrorOf(runOn(connector, endless, { timeoutMs: 1000 }))
    expect(error).toMatchObject({ errorClass: 'timeout', driverCode: '000630' })
    expect(double.running()).toBe(0)
    await connector.close()
  })

  it('reads a result of many compressed partitions in order', async () => {
    const connector = await open('ann:pat', '')
    const { rows } = await runOn(connector, 'select id from orders order by id', { maxRows: 5000 })
    expect(rows.map(([id]) => id)).toEqual(Array.from({ length: 5000 }, (_, index) => index))
    await connector.close()
  })

  it('would write if it were not compiled first, which the server refuses', async () => {
    const connector = await open('ann:pat', '')
    const before = double.submitted.length
    const error = await sqlErrorOf(runOn(connector, 'with x as (select 1) delete from orders'))
    expect(error.errorClass).toBe('syntax')
    expect(double.submitted.length - before).toBe(1)
    await connector.close()
  })

  it('has names as they are stored, and was asked nothing that is not documented', async () => {
    const connector = await open('ann:pat', '')
    const [orders] = (await connector.introspect()).tables
    expect(orders).toMatchObject({ name: 'ORDERS', schema: null, home: 'PUBLIC', rowCount: 5000 })
    expect(orders?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['ID', 'NUMBER(38,0)'],
      ['NOTE', 'TEXT'],
      ['Odd Name', 'NUMBER(38,0)'],
    ])
    await connector.close()
    expect(double.complaints).toEqual([])
  })
})

describe('the values of the SQL API', () => {
  const cell = (type: string, value: string, zone = 'UTC') => toCell({ name: 'X', type }, zone)(value)

  it('reads moments by seconds, and their offsets from 1440', () => {
    expect(cell('timestamp_tz', '1616173619.000000000 960')).toBe('2021-03-19T09:06:59-08:00')
    expect(cell('timestamp_tz', '1616173619.120000000 1770')).toBe('2021-03-19T22:36:59.12+05:30')
    expect(cell('timestamp_ltz', '1616173619.000000000', 'America/New_York')).toBe(
      '2021-03-19T13:06:59-04:00',
    )
    expect(cell('timestamp_ntz', '-0.500000000')).toBe('1969-12-31T23:59:59.5')
    expect(cell('time', '82919.000000000')).toBe('23:01:59')
    expect(cell('date', '18262')).toBe('2020-01-01')
  })

  it('keeps the digits of numbers, also inside of objects', () => {
    expect(cell('fixed', '9007199254740993')).toBe(9007199254740993n)
    expect(cell('variant', '{\n  "a": 9007199254740993,\n  "b": "two  spaces\\n"\n}')).toBe(
      '{"a":9007199254740993,"b":"two  spaces\\n"}',
    )
    expect(cell('geography', '{\n  "coordinates": [\n    1.5,\n    2\n  ],\n  "type": "Point"\n}')).toBe(
      '{"coordinates":[1.5,2],"type":"Point"}',
    )
  })
})
