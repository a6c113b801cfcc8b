import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import { libraryDdl } from './library.ts'
import { read } from './read.ts'
import { sentences } from './sentences.ts'

let database: TestDatabase

let client: Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(libraryDdl())
})

afterAll(async () => {
  await client?.end()
  await database?.drop()
})

/** What Postgres says against a statement; null when it would run it. */
const complaint = async (sql: string): Promise<string | null> => {
  try {
    await client.query(`explain ${sql}`)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('readings on Postgres', () => {
  it.each([
    'how many loans were there last month by district?',
    'takings by month this year',
    'top 5 members by number of loans',
    'members with more than 3 loans',
    'which author has the most books',
    'members ordered by age descending',
    'most popular genre',
    'books with more pages than average',
    'how many different towns do members live in',
    'number of loans per week since June',
    'unreturned loans',
    'average pages per genre',
    // It once compared with a column of a table that its sub-select did not have.
    'without title names pages since members average',
  ])('%s: every reading plans', async question => {
    const readings = read(question, 'postgres')
    expect(readings.length).toBeGreaterThan(0)
    for (const { sql } of readings) expect([sql, await complaint(sql)]).toEqual([sql, null])
  })

  it('plans whatever is read from words in any order', async () => {
    await fc.assert(
      fc.asyncProperty(sentences, async text => {
        for (const { sql } of read(text, 'postgres')) expect([sql, await complaint(sql)]).toEqual([sql, null])
      }),
      { numRuns: 40 },
    )
  })
})
