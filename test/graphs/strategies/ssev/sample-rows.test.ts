import { describe, expect, it } from 'vitest'
import {
  describeSampleRows,
  makeRememberSamples,
  readSampleRows,
} from '../../../../graphs/strategies/ssev/sample-rows.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { openSqliteDatabase } from '../../open-sqlite-database.ts'

const ferries = openSqliteDatabase(
  'ferries',
  `
  create table boats (id integer primary key, name text, pin text, owner_email text, photo blob);
  insert into boats values (1, 'Alma', '0451', 'a@example.org', x'00'), (2, null, '0452', null, x'00'), (3, 'Brise
  the second', '0453', null, x'00'), (4, 'Cyan', '0454', null, x'00');
  create table piers (id integer primary key, town text);
`,
)

const all = { tables: ['boats', 'piers'].map(table => ({ table, keep: 'all' as const })) }

/** With a column whose values are hidden. */
const masked = (): Database => {
  const { catalog, ...database } = ferries()
  const tables = catalog.tables.map(table => ({
    ...table,
    columns: table.columns.map(column =>
      column.name === 'pin' ? { ...column, masked: true as const } : column,
    ),
  }))
  return { ...database, catalog: { ...catalog, tables } }
}

describe('sample rows', () => {
  it('are the first of each table, each on its line, without masked columns, personal data and bytes', async () => {
    const samples = await readSampleRows(masked(), all, { rows: 3 })
    expect(describeSampleRows(samples, all)).toBe(
      'boats\nid | name\n1 | Alma\n2 | NULL\n3 | Brise the second',
    )
  })

  it('have only the columns of a linked schema', async () => {
    const samples = await readSampleRows(masked(), all, { rows: 1 })
    const linked = { tables: [{ table: 'boats', keep: ['name', 'pin'] }] }
    expect(describeSampleRows(samples, linked)).toBe('boats\nname\nAlma')
    expect(describeSampleRows(samples, { tables: [] })).toBe('')
  })

  it('leave out a table that cannot be read', async () => {
    const database = ferries()
    const guard: Database['guard'] = sql =>
      sql.includes('boats')
        ? ({ verdict: 'refuse', reason: 'hidden' } as unknown as ReturnType<Database['guard']>)
        : database.guard(sql)
    expect((await readSampleRows({ ...database, guard }, all, { rows: 3 })).has('boats')).toBe(false)
    const run = async () => Promise.reject(new Error('away'))
    expect((await readSampleRows({ ...database, run }, all, { rows: 3 })).size).toBe(0)
  })

  it('end with a stop', async () => {
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(readSampleRows(ferries(), all, { rows: 3, signal: stop.signal })).rejects.toThrow('stopped')
  })

  it('are read once for a question, and again after a failure', async () => {
    const remember = makeRememberSamples()
    let reads = 0
    const read = async () => {
      reads += 1
      if (reads === 1) throw new Error('away')
      return new Map()
    }
    await expect(remember('q', read)).rejects.toThrow('away')
    await Promise.all([remember('q', read), remember('q', read)])
    expect(reads).toBe(2)
  })
})
