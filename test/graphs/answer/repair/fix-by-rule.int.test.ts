import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFixByRule } from '../../../../graphs/answer/repair/fix-by-rule.ts'
import { createTestDatabase, type TestDatabase } from '../../../helpers/test-database.ts'
import { potteryInput } from '../drafting/pottery.ts'
import { potteryCases } from './pottery-cases.ts'
import { potteryDdl } from './pottery-ddl.ts'

const fix = makeFixByRule()

let database: TestDatabase

let studio: Client

beforeAll(async () => {
  database = await createTestDatabase()
  studio = new Client({ connectionString: database.url })
  await studio.connect()
  for (const statement of potteryDdl) await studio.query(statement)
})

afterAll(async () => {
  await studio?.end()
  await database?.drop()
})

/** SQLSTATEs of the failures that the cases speak of. */
const states: Readonly<Record<string, string>> = {
  'unknown-table': '42P01',
  'unknown-column': '42703',
  'ambiguous-column': '42702',
  syntax: '42601',
}

describe.each(potteryCases.filter(({ on }) => on.includes('postgres')))(
  '$title, on Postgres',
  ({ broken, errorClass, fixed }) => {
    it('fails as it says', async () => {
      const ran = await studio.query(broken).then(
        ({ rowCount }) => `${rowCount} rows`,
        (error: unknown) => Reflect.get(error as object, 'code') as string,
      )
      expect(ran).toBe(errorClass === 'empty-result' ? '0 rows' : (states[errorClass] ?? '42P01'))
    })

    it(fixed === null ? 'is left to others' : 'is repaired and runs', async () => {
      const input = { ...potteryInput('postgres'), sql: broken, errorClass, message: '', history: [] }
      expect((await fix(input)).sql).toBe(fixed)
      if (fixed === null) return
      const { rowCount } = await studio.query(fixed)
      if (errorClass === 'empty-result') expect(rowCount).toBeGreaterThan(0)
    })
  },
)
