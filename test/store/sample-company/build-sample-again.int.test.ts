import type { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import type { SampleRows, SampleSchema } from '../../../src/store/sample-company/load-tables.ts'
import {
  buildSampleCompany,
  type SampleCompanyOptions,
} from '../../../src/store/sample-company/sample-company.ts'
import { withClient } from '../../helpers/with-client.ts'
import { openSampleSetup } from './open-sample-setup.ts'

const { adminUrl, asOf, readerRole, readerPassword, newDatabase } = openSampleSetup()

/** A company of one table, for what does not depend on the rows. */
const smallSchema: SampleSchema = {
  version: 'small-1',
  tables: [
    {
      name: 'days',
      comment: 'Days',
      columns: [
        { name: 'id', type: 'integer', nullable: false, comment: null },
        { name: 'day', type: 'date', nullable: false, comment: 'The day' },
      ],
      primaryKey: ['id'],
      foreignKeys: [],
    },
  ],
}

function* smallRows({ asOf }: { asOf: string }): Generator<SampleRows> {
  yield { table: 'days', rows: Array.from({ length: 50 }, (_, at) => [at + 1, asOf]) }
}

describe('building again', () => {
  const small = (database: string, changes: Partial<SampleCompanyOptions> = {}) =>
    buildSampleCompany({
      adminUrl,
      asOf,
      schema: smallSchema,
      generate: smallRows,
      readerPassword,
      database,
      readerRole,
      ...changes,
    })
  const dayIn = (url: string) =>
    withClient(url, async reader => {
      const { rows } = await reader.query(
        `select distinct day::text, count(*) over ()::int as rows from days`,
      )
      return rows
    })

  it('happens only for another day or version', async () => {
    const database = newDatabase()
    const outcomes = [
      await small(database),
      await small(database),
      await small(database, { asOf: '2026-11-21' }),
      await small(database, { asOf: '2026-11-21', schema: { ...smallSchema, version: 'small-2' } }),
      await small(database, { asOf: '2026-11-21', schema: { ...smallSchema, version: 'small-2' } }),
    ]
    expect(outcomes.map(({ built }) => built)).toEqual([true, false, true, true, false])
    expect(await dayIn(outcomes.at(-1)!.url)).toEqual([{ day: '2026-11-21', rows: 50 }])
  })

  it('happens when the database was dropped, and when a namesake took its place', async () => {
    const database = newDatabase()
    await small(database)
    await withClient(adminUrl, admin => admin.query(`drop database ${database} with (force)`))
    expect(await small(database)).toMatchObject({ built: true })
    await withClient(adminUrl, async admin => {
      await admin.query(`drop database ${database} with (force)`)
      await admin.query(`create database ${database}`)
    })
    const { built, url } = await small(database)
    expect(built).toBe(true)
    expect(await dayIn(url)).toEqual([{ day: asOf, rows: 50 }])
  })

  it('is done once by builders that race, and each gets a whole database', async () => {
    const database = newDatabase()
    const racers = await Promise.all([small(database), small(database), small(database)])
    expect(racers.filter(({ built }) => built)).toHaveLength(1)
    for (const { url } of racers) expect(await dayIn(url)).toEqual([{ day: asOf, rows: 50 }])
  })

  it('by concurrent builders for different days leaves the data of one of them', async () => {
    const database = newDatabase()
    const days = ['2026-11-18', '2026-11-19', '2026-11-20']
    const [first] = await Promise.all(days.map(day => small(database, { asOf: day })))
    const [found, ...more] = await dayIn(first!.url)
    expect(more).toEqual([])
    expect(found.rows).toBe(50)
    expect(days).toContain(found.day)
    expect(await small(database, { asOf: found.day })).toMatchObject({ built: false })
  })

  it('keeps readers connected, and running statements on the old data', async () => {
    const database = newDatabase()
    const { url } = await small(database)
    await withClient(url, async reader => {
      const long = reader.query('select distinct day::text, pg_sleep(1.5)::text from days where id < 2')
      await withClient(adminUrl, admin => waitFor(admin, database))
      await small(database, { asOf: '2026-11-21' })
      expect((await reader.query('select distinct day::text from days')).rows).toEqual([
        { day: '2026-11-21' },
      ])
      expect((await long).rows[0].day).toBe(asOf)
    })
  })

  it('drops the old data, and later what was still in use', async () => {
    const database = newDatabase()
    const { url } = await small(database)
    const schemas = () =>
      withClient(databaseUrl(database), async admin => {
        const { rows } = await admin.query(`select from pg_namespace where starts_with(nspname, 'outgoing_')`)
        return rows.length
      })
    await withClient(url, async reader => {
      await reader.query('begin read only')
      await reader.query('select * from days')
      const warnings: string[] = []
      const log = {
        debug: () => {},
        info: () => {},
        warn: (_: object, text: string) => warnings.push(text),
        error: () => {},
      }
      await small(database, { asOf: '2026-11-21', log })
      expect(warnings).toEqual(['an old version of the sample company is still in use'])
      expect(await schemas()).toBe(1)
      await reader.query('commit')
    })
    await small(database, { asOf: '2026-11-22' })
    expect(await schemas()).toBe(0)
  })

  it('that fails halfway keeps the old data, and starts over the next time', async () => {
    const database = newDatabase()
    const { url } = await small(database)
    function* broken({ asOf }: { asOf: string }): Generator<SampleRows> {
      yield* smallRows({ asOf })
      throw new RangeError('no more rows')
    }
    await expect(small(database, { asOf: '2026-11-21', generate: broken })).rejects.toThrow('no more rows')
    expect(await dayIn(url)).toEqual([{ day: asOf, rows: 50 }])
    const twice = () => [...smallRows({ asOf: '2026-11-21' }), ...smallRows({ asOf: '2026-11-21' })]
    await expect(small(database, { asOf: '2026-11-21', generate: twice })).rejects.toMatchObject({
      code: 'store-unavailable',
    })
    expect(await dayIn(url)).toEqual([{ day: asOf, rows: 50 }])
    expect(await small(database, { asOf: '2026-11-21' })).toMatchObject({ built: true })
    expect(await dayIn(url)).toEqual([{ day: '2026-11-21', rows: 50 }])
  })

  it('that is stopped while rows are sent lets go of everything', async () => {
    const database = newDatabase()
    const stop = new AbortController()
    function* endless(): Generator<SampleRows> {
      const rows = function* (): Generator<readonly [number, string]> {
        for (let id = 1; ; id++) {
          if (id === 50_000) stop.abort()
          yield [id, asOf]
        }
      }
      yield { table: 'days', rows: rows() }
    }
    await expect(small(database, { generate: endless, signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect(await small(database)).toMatchObject({ built: true })
  })

  it('that waits for another builder can be stopped', async () => {
    await withClient(adminUrl, async admin => {
      await admin.query('select pg_advisory_lock(7203115911)')
      await expect(small(newDatabase(), { signal: AbortSignal.timeout(120) })).rejects.toMatchObject({
        code: 'cancelled',
      })
    })
  })
})

/** Until a statement of the reader runs in `database`. */
async function waitFor(admin: Client, database: string): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query(
      `select from pg_stat_activity where datname = $1 and usename = $2 and wait_event = 'PgSleep'`,
      [database, readerRole],
    )
    if (rowCount! > 0) return
  }
}

function databaseUrl(database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
