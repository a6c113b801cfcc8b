import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockDuckdbFile, makeDuckdbFile } from '../../helpers/duckdb-file.ts'
import { runOn } from '../../helpers/run-on.ts'
import { failure, openDuckdbFolder } from './duckdb-folder.ts'

const { folder, open } = openDuckdbFolder()

describe('DuckDB files', () => {
  it('that another program has open for writing are said to be', async () => {
    const file = join(folder, 'held.duckdb')
    const release = await lockDuckdbFile(file, 'create table t (x integer)')
    try {
      const error = await failure((await open(file)).introspect())
      expect(error).toMatchObject({ code: 'database-unreachable' })
      expect(error.message).toContain('Another program has it open for writing')
    } finally {
      await release()
    }
    expect((await (await open(file)).introspect()).tables.map(table => table.name)).toEqual(['t'])
  })

  it('keep to their memory: a statement that needs more fails, and the next one runs', async () => {
    const file = join(folder, 'small.duckdb')
    await makeDuckdbFile(file, 'create table t (x integer)')
    const connector = await open(file)
    const error = await failure(
      runOn(connector, "select length(string_agg(repeat('x', 1000), '')) from range(10000000)"),
    )
    expect(error).toMatchObject({
      code: 'database-error',
      message: expect.stringContaining('more memory than it is allowed'),
    })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  }, 60_000)

  it('may have tables of one name in several schemas, and keys between the right ones', async () => {
    const file = join(folder, 'schemas.duckdb')
    await makeDuckdbFile(
      file,
      `create table customers (id integer primary key);
       create schema alt; create table alt.customers (id integer primary key);
       create schema shop; create table shop.customers (id integer primary key);
       create table shop.orders (id integer primary key, customer_id integer references shop.customers (id))`,
    )
    const { tables, foreignKeys } = await (await open(file)).introspect()
    expect(tables.map(({ schema, name }) => [schema, name])).toEqual([
      [null, 'customers'],
      ['alt', 'customers'],
      ['shop', 'customers'],
      ['shop', 'orders'],
    ])
    expect(foreignKeys).toMatchObject([
      {
        from: { table: 'orders', columns: ['customer_id'] },
        to: { table: 'shop.customers', columns: ['id'] },
      },
    ])
  })

  it('tell comments, other schemas, and what a view selects', async () => {
    const file = join(folder, 'told.duckdb')
    await makeDuckdbFile(
      file,
      `create table t (id integer primary key, size decimal(8, 2)); comment on table t is 'things';
       comment on column t.size is 'in metres'; create schema archive; create table archive.old (x integer[]);
       create view large as select id from t where size > 10`,
    )
    const catalog = await (await open(file)).introspect()
    expect(catalog.tables.map(({ schema, name, comment }) => [schema, name, comment])).toEqual([
      [null, 'large', null],
      [null, 't', 'things'],
      ['archive', 'old', null],
    ])
    expect(catalog.tables[1]!.columns[1]).toMatchObject({ type: 'DECIMAL(8,2)', comment: 'in metres' })
    expect(catalog.tables[2]!.columns[0]).toMatchObject({ kind: 'json' })
    expect(catalog.tables[0]!.definition).toMatch(/^SELECT id FROM t/i)
  })
})
