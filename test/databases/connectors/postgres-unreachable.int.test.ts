import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import type { QuerentError } from '../../../src/domain/errors.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'

describe('a Postgres server that cannot be reached', () => {
  const refusal = (url: string, options: object = {}): Promise<QuerentError> =>
    makePostgresConnector({ url, place: 'postgres://reader@test', ...options }).then(
      () => expect.fail('it connected'),
      error => error,
    )
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it.each([
    ['a closed port', 'postgres://reader:s3cret@127.0.0.1:1/x', 'No server is listening there'],
    ['an unknown host', 'postgres://reader:s3cret@nowhere.invalid/x', 'host name'],
  ])('says what to check: %s', async (_, url, advice) => {
    const error = await refusal(url)
    expect(error).toMatchObject({ code: 'database-unreachable', message: expect.stringContaining(advice) })
    expect(error.message).toContain('postgres://reader@test')
    expect(error.message).not.toContain('s3cret')
  })

  it('says so of a wrong password and of a database that is not there', async () => {
    const wrongPassword = new URL(database.url)
    wrongPassword.password = 's3cret-and-wrong'
    const password = await refusal(wrongPassword.href)
    expect(password).toMatchObject({
      code: 'database-unreachable',
      message: expect.stringContaining('Check user and password'),
    })
    expect(password.message).not.toContain('s3cret')
    const wrongDatabase = new URL(database.url)
    wrongDatabase.pathname = '/nowhere'
    expect(await refusal(wrongDatabase.href)).toMatchObject({
      code: 'database-unreachable',
      message: expect.stringContaining('no such database'),
    })
  })

  it('gives up on one that accepts and says nothing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const error = await refusal(`postgres://reader@127.0.0.1:${port}/x`, { connectMilliseconds: 300 })
    expect(error.code).toBe('database-unreachable')
    silent.close()
  })
})
