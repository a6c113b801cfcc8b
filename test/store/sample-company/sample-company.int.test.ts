import { describe, expect, it } from 'vitest'
import { generateWarehouse } from '../../../fixtures/warehouse/generate-warehouse.ts'
import { warehouseSchema } from '../../../fixtures/warehouse/warehouse-schema.ts'
import {
  buildSampleCompany,
  type SampleCompanyOptions,
} from '../../../src/store/sample-company/sample-company.ts'
import { countByRegion, readWarehouse } from '../../fixtures/warehouse/read-warehouse.ts'
import { withClient } from '../../helpers/with-client.ts'
import { openSampleSetup } from './open-sample-setup.ts'

const { adminUrl, asOf, readerRole, readerPassword, newDatabase } = openSampleSetup()

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

    const books = readWarehouse(asOf)
    await withClient(first.url, async reader => {
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
    await withClient(url, async reader => {
      const { rows } = await reader.query<{ region: string; count: number }>(
        `select region, count(*)::int from orders join stores on stores.id = orders.store_id
         where placed_at >= '2026-10-01T00:00Z' and placed_at < '2026-11-01T00:00Z' group by region`,
      )
      const found = Object.fromEntries(rows.map(({ region, count }) => [region, count]))
      expect(found).toEqual(countByRegion(readWarehouse(asOf), '2026-10-01', '2026-11-01'))
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
    await withClient(url, async reader => {
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
    await withClient(url, async reader => {
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
    await withClient(adminUrl, admin => admin.query(`create database ${other}`))
    await build()
    for (const name of [other, 'postgres', 'template1']) {
      const there = new URL(url)
      there.pathname = `/${name}`
      await expect(
        withClient(there.href, reader => reader.query('select 1')),
        name,
      ).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('shows its reader nothing of how it was built', async () => {
    const { url } = await build()
    await withClient(url, async reader => {
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
    await withClient(url, reader => reader.query('select 1'))
    const { url: back } = await build()
    await expect(withClient(url, reader => reader.query('select 1'))).rejects.toMatchObject({ code: '28P01' })
    await withClient(back, reader => reader.query('select 1'))
  })
})
