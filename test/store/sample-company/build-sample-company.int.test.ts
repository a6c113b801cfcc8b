import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { generateWarehouse } from '../../../fixtures/warehouse/generate-warehouse.ts'
import { warehouseSchema } from '../../../fixtures/warehouse/warehouse-schema.ts'
import {
  buildSampleCompany,
  type SampleCompanyOptions,
} from '../../../src/store/sample-company/build-sample-company.ts'
import type { SampleRows, SampleSchema } from '../../../src/store/sample-company/sample-data.ts'
import { countByRegion, readBooks } from '../../fixtures/warehouse/read-books.ts'
import '../../helpers/global-postgres.ts'

const adminUrl = inject('embeddedPostgresUrl')
const asOf = '2026-11-20'
/** Names of this file alone: other files of the run may build a sample, too. */
const mark = randomBytes(6).toString('hex')
const readerRole = `reader_${mark}`
const readerPassword = `${randomBytes(12).toString('base64')}:'@/ %`
const made: string[] = []

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

afterAll(async () => {
  await as(adminUrl, async admin => {
    for (const database of made) {
      await admin.query(`drop database if exists ${database} with (force)`)
      await admin.query('delete from querent_sample_builds where database = $1', [database])
    }
    await admin.query(`drop role ${readerRole}`)
  })
})

describe('the sample company', () => {
  const database = newDatabase()
  const build = (changes: Partial<SampleCompanyOptions> = {}) =>
    buildSampleCompany({
      adminUrl,
      asOf,
      schema: warehouseSchema,
      generate: generateWarehouse,
      readerPassword,
      database,
      readerRole,
      ...changes,
    })

  it('is built once, with every row, key and comment', async () => {
    const progress: string[] = []
    const first = await build({
      onProgress: ({ table, done, total }) => progress.push(`${done}/${total} ${table}`),
    })
    expect(first.built).toBe(true)
    expect(progress).toEqual(warehouseSchema.tables.map(({ name }, at) => `${at + 1}/15 ${name}`))

    const books = readBooks(asOf)
    await as(first.url, async reader => {
      for (const { name, columns, comment } of warehouseSchema.tables) {
        const { rows } = await reader.query(
          `select (select count(*)::int from "${name}") as rows,
                  (select reltuples::int from pg_class where oid = '"${name}"'::regclass) as analyzed,
                  obj_description('"${name}"'::regclass) as comment`,
        )
        expect(rows[0], name).toEqual({
          rows: books.get(name)!.length,
          analyzed: books.get(name)!.length,
          comment,
        })
        const described = await reader.query(
          `select col_description(attrelid, attnum) as comment from pg_attribute
           where attrelid = '"${name}"'::regclass and attnum > 0 order by attnum`,
        )
        expect(described.rows).toEqual(columns.map(column => ({ comment: column.comment })))
      }
      const keys = await reader.query(`select contype, count(*)::int from pg_constraint
        where connamespace = 'public'::regnamespace and contype in ('p', 'f') group by 1 order by 1`)
      const foreignKeys = warehouseSchema.tables.reduce((sum, table) => sum + table.foreignKeys.length, 0)
      expect(keys.rows).toEqual([
        { contype: 'f', count: foreignKeys },
        { contype: 'p', count: 15 },
      ])
    })

    let generated = false
    const again = await build({
      generate: () => {
        generated = true
        return []
      },
    })
    expect(again).toMatchObject({ built: false, url: first.url })
    expect(generated).toBe(false)
  })

  it('answers as its books do', async () => {
    const { url } = await build()
    await as(url, async reader => {
      const { rows } = await reader.query<{ region: string; count: number }>(
        `select region, count(*)::int from orders join stores on stores.id = orders.store_id
         where placed_at >= '2026-10-01T00:00Z' and placed_at < '2026-11-01T00:00Z' group by region`,
      )
      const found = Object.fromEntries(rows.map(({ region, count }) => [region, count]))
      expect(found).toEqual(countByRegion(readBooks(asOf), '2026-10-01', '2026-11-01'))
    })
  })

  it('lets its reader do nothing but read', async () => {
    const { url } = await build()
    const refused = [
      `insert into categories values (999, null, 'x', 1)`,
      'update orders set total_cents = 0',
      'delete from orders',
      'truncate reviews',
      'drop table reviews',
      'alter table reviews add column x int',
      'create index on reviews (rating)',
      'create table mine (x int)',
      'create temporary table mine (x int)',
      'create schema mine',
      'create function f() returns int language sql as $$ select 1 $$',
      `comment on table reviews is 'x'`,
      'do $$ begin perform 1; end $$',
      'select lo_create(0)',
      `select lo_from_bytea(0, 'x')`,
      `copy reviews to program 'cat'`,
      `select pg_read_file('postgresql.conf')`,
      'select rolpassword from pg_authid',
      'create role mine',
      'create database mine',
      `alter role ${readerRole} superuser`,
      'set role postgres',
    ]
    await as(url, async reader => {
      // Rights must hold even where the reader turns its own settings off.
      await reader.query('set default_transaction_read_only = off')
      for (const sql of refused) {
        const code = await reader.query(sql).then(
          () => 'done',
          error => (error as { code: string }).code,
        )
        expect(code, sql).toBe('42501')
      }
    })
  })

  it('gives its reader sessions that are read-only and bounded from the start', async () => {
    const { url } = await build()
    await as(url, async reader => {
      const { rows } = await reader.query(
        `select current_setting('default_transaction_read_only') as read_only,
                current_setting('statement_timeout') as statement,
                current_setting('temp_file_limit') as temp`,
      )
      expect(rows).toEqual([{ read_only: 'on', statement: '30s', temp: '1GB' }])
      await expect(reader.query(`set temp_file_limit = '-1'`)).rejects.toMatchObject({ code: '42501' })
    })
  })

  it('keeps its reader out of every other database, also those made since', async () => {
    const { url } = await build()
    const other = newDatabase()
    await as(adminUrl, admin => admin.query(`create database ${other}`))
    await build()
    for (const name of [other, 'postgres', 'template1']) {
      const there = new URL(url)
      there.pathname = `/${name}`
      await expect(
        as(there.href, reader => reader.query('select 1')),
        name,
      ).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('shows its reader nothing of how it was built', async () => {
    const { url } = await build()
    await as(url, async reader => {
      const { rows } = await reader.query(
        `select table_schema, count(*)::int from information_schema.tables
         where table_schema not in ('pg_catalog', 'information_schema') group by 1`,
      )
      expect(rows).toEqual([{ table_schema: 'public', count: 15 }])
      const schemas = await reader.query(
        `select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
      )
      expect(schemas.rows).toEqual([{ nspname: 'public' }])
    })
  })

  it('takes a new password at once', async () => {
    const { url } = await build({ readerPassword: 'another' })
    await as(url, reader => reader.query('select 1'))
    const { url: back } = await build()
    await expect(as(url, reader => reader.query('select 1'))).rejects.toMatchObject({ code: '28P01' })
    await as(back, reader => reader.query('select 1'))
  })
})

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
    as(url, async reader => {
      const { rows } = await reader.query(
        `select distinct day::text, count(*) over ()::int as rows from days`,
      )
      return rows
    })

  it('happens for another day, or another version, and only then', async () => {
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
    await as(adminUrl, admin => admin.query(`drop database ${database} with (force)`))
    expect(await small(database)).toMatchObject({ built: true })
    await as(adminUrl, async admin => {
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

  it('by builders that race for different days leaves the books of one of them', async () => {
    const database = newDatabase()
    const days = ['2026-11-18', '2026-11-19', '2026-11-20']
    const [first] = await Promise.all(days.map(day => small(database, { asOf: day })))
    const [found, ...more] = await dayIn(first!.url)
    expect(more).toEqual([])
    expect(found.rows).toBe(50)
    expect(days).toContain(found.day)
    expect(await small(database, { asOf: found.day })).toMatchObject({ built: false })
  })

  it('leaves a reader connected, and a statement under way on the books that it began with', async () => {
    const database = newDatabase()
    const { url } = await small(database)
    await as(url, async reader => {
      const long = reader.query('select distinct day::text, pg_sleep(1.5)::text from days where id < 2')
      await as(adminUrl, admin => waitFor(admin, database))
      await small(database, { asOf: '2026-11-21' })
      expect((await reader.query('select distinct day::text from days')).rows).toEqual([
        { day: '2026-11-21' },
      ])
      expect((await long).rows[0].day).toBe(asOf)
    })
  })

  it('drops the old books, and those that somebody still read when they were next looked at', async () => {
    const database = newDatabase()
    const { url } = await small(database)
    const schemas = () =>
      as(databaseUrl(database), async admin => {
        const { rows } = await admin.query(`select from pg_namespace where starts_with(nspname, 'outgoing_')`)
        return rows.length
      })
    await as(url, async reader => {
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
      expect(warnings).toEqual(['old books of the sample company are still being read'])
      expect(await schemas()).toBe(1)
      await reader.query('commit')
    })
    await small(database, { asOf: '2026-11-22' })
    expect(await schemas()).toBe(0)
  })

  it('that breaks half-way leaves the old books, and begins anew the next time', async () => {
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
    await as(adminUrl, async admin => {
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

function newDatabase(): string {
  const name = `sample_${mark}_${made.length}`
  made.push(name)
  return name
}

function databaseUrl(database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}

async function as<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
