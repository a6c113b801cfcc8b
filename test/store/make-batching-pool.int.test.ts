import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinInserts, makeBatchingPool } from '../../src/store/checkpoints.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'

const blob = `INSERT INTO blobs (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING\n  `

const row = `INSERT INTO notes (id, note) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET note = EXCLUDED.note;\n  `

describe('a pool that writes at once', () => {
  let database: TestDatabase
  let pool: Pool
  beforeAll(async () => {
    database = await createTestDatabase()
    pool = new Pool({ connectionString: database.url })
    await pool.query(
      'create table blobs (id text primary key, body bytea); create table notes (id int primary key, note jsonb)',
    )
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  const inTransaction = async (
    work: (query: (text: string, values?: unknown[]) => Promise<unknown>) => Promise<void>,
  ) => {
    const client = await makeBatchingPool(pool).connect()
    try {
      await client.query('BEGIN')
      await work((text, values) => client.query(text, values))
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  }
  const blobs = async () => (await pool.query('select id, body from blobs order by id')).rows
  const notes = async () => (await pool.query('select id, note from notes order by id')).rows

  it('stores rows of several tables, bytes and JSON, each as it was given', async () => {
    await inTransaction(async query => {
      await query(blob, ['a', new Uint8Array([0, 255])])
      await query(blob, ['b', undefined])
      await query(row, [1, { said: "it's" }])
    })
    expect(await blobs()).toEqual([
      { id: 'a', body: Buffer.from([0, 255]) },
      { id: 'b', body: null },
    ])
    expect(await notes()).toEqual([{ id: 1, note: { said: "it's" } }])
  })

  it('keeps what each insert says about conflicts, the last of one key included', async () => {
    await inTransaction(async query => {
      await query(blob, ['a', new Uint8Array([7])])
      await query(row, [1, { n: 1 }])
      await query(row, [1, { n: 2 }])
    })
    expect((await blobs())[0]).toEqual({ id: 'a', body: Buffer.from([0, 255]) })
    expect(await notes()).toEqual([{ id: 1, note: { n: 2 } }])
  })

  it('stores nothing of a transaction in which something fails', async () => {
    const failing = inTransaction(async query => {
      await query(blob, ['c', new Uint8Array([1])])
      await query(row, ['no number', {}])
    })
    await expect(failing).rejects.toThrow(/integer/)
    const thrown = inTransaction(async query => {
      await query(blob, ['c', new Uint8Array([1])])
      throw new Error('stopped')
    })
    await expect(thrown).rejects.toThrow('stopped')
    expect((await blobs()).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('lets other statements of a transaction see what was inserted before them', async () => {
    await inTransaction(async query => {
      await query(blob, ['d', null])
      await query("delete from blobs where id = 'd'")
    })
    expect((await blobs()).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

describe('joinInserts', () => {
  it('makes one statement of many', () => {
    const joined = joinInserts([
      { text: blob, values: ['a', 1] },
      { text: row, values: [1, 2] },
      { text: blob, values: ['b', 3] },
    ])
    expect(joined?.text.replace(/\s+/g, ' ')).toBe(
      'WITH written_0 AS (INSERT INTO blobs (id, body) VALUES ($1, $2), ($3, $4) ON CONFLICT (id) DO NOTHING) INSERT INTO notes (id, note) VALUES ($5, $6) ON CONFLICT (id) DO UPDATE SET note = EXCLUDED.note',
    )
    expect(joined?.values).toEqual(['a', 1, 'b', 3, 1, 2])
    expect(joinInserts([])).toBeNull()
  })
})
