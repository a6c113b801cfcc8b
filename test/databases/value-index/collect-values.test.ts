import { describe, expect, it } from 'vitest'
import { makeRunInternalQuery } from '../../../src/databases/catalog/internal-query.ts'
import { profileCatalog } from '../../../src/databases/catalog/profile-catalog.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { type CollectOptions, collectValues } from '../../../src/databases/value-index/collect-values.ts'
import { bytesOfValue, chooseIndexedColumns } from '../../../src/databases/value-index/indexed-columns.ts'
import type { Catalog, ColumnProfile } from '../../../src/domain/catalog.ts'
import type { SkippedItem } from '../../../src/domain/database.ts'
import { SqlError } from '../../../src/domain/errors.ts'
import { type Log, silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeDatabase } from '../catalog/make-database.ts'

const guard = makeGuard()

const collect = async (
  sql: string,
  log: Log = silentLog,
  change = (catalog: Catalog): Catalog => catalog,
  more: Partial<CollectOptions> = {},
) => {
  await using made = await makeDatabase(sql)
  const introspected = await made.connector.introspect()
  const catalog = await profileCatalog({ catalog: introspected, run: made.run, guard })
  return await collectValues(change(catalog), {
    ask: makeRunInternalQuery({ run: made.run, guard, dialect: 'sqlite' }),
    log,
    ...more,
  })
}

describe('which columns are indexed', () => {
  const chosen = (
    name: string,
    profile: Partial<ColumnProfile> | null,
    kind: 'text' | 'integer' = 'text',
  ) => {
    const full = {
      nullShare: 0,
      distinctCount: 3,
      min: null,
      max: null,
      mostFrequent: [],
      meanLength: 8,
      ...profile,
    }
    const column = {
      name,
      type: 'TEXT',
      kind,
      nullable: true,
      comment: null,
      profile: profile === null ? null : full,
    }
    const table = {
      schema: null,
      name: 't',
      type: 'table',
      comment: null,
      rowCount: 9,
      primaryKey: [],
    } as const
    const catalog: Catalog = {
      dialect: 'sqlite',
      tables: [{ ...table, columns: [column] }],
      foreignKeys: [],
      fingerprint: '',
    }
    return chooseIndexedColumns(catalog).length === 1
  }
  const frequent = (...values: readonly string[]) => ({
    mostFrequent: values.map(value => ({ value, count: 1 })),
  })

  it.each([
    ['names', true, frequent('Ann', 'Bob')],
    ['codes in a column called id', true, frequent('AB-17', 'XY-9')],
    ['prose', false, { ...frequent('x'), meanLength: 300 }],
    ['UUIDs', false, frequent('6f1f3f1e-7a3c-4d0e-9b0a-0d7c2c1b5a99')],
    ['hashes', false, frequent('9f86d081884c7d659a2feaa0c55ad015')],
    ['tokens', false, frequent('aGVsbG8gd29ybGQgMTIzNDU2Nzg5MEFCQw')],
    ['nothing', false, { distinctCount: 0 }],
    ['what could not be measured', false, null],
  ] as const)('%s: %s', (_holds, isIndexed, profile) => {
    expect(chosen('some_id', profile)).toBe(isIndexed)
  })

  it('numbers are not', () => {
    expect(chosen('n', frequent('1'), 'integer')).toBe(false)
  })
})

describe('the values that are read', () => {
  it('are the different texts of every chosen column, in order', async () => {
    const found = await collect(`
      create table "Odd ""Name" (id integer primary key, "a b" text, kind text, born date);
      insert into "Odd ""Name" values (1, 'z', 'one', '2020-01-01'), (2, 'a', 'one', '2020-01-02'),
        (3, 'a', null, null), (4, '', 'two', null);
    `)
    expect(found).toEqual([
      { table: 'Odd "Name', column: 'kind', values: ['one', 'two'] },
      { table: 'Odd "Name', column: 'a b', values: ['', 'a', 'z'] },
    ])
  })

  it('are all there when a column has thousands, except those that are too long', async () => {
    const [column] = await collect(`
      create table people (name text);
      insert into people select 'person ' || v from
        (with recursive n(v) as (select 1 union all select v + 1 from n where v < 3000) select v from n);
      insert into people values ('${'long '.repeat(40)}');
    `)
    expect(column?.values).toHaveLength(3000)
    expect(column?.values).toContain('person 2999')
  })

  it('are the most frequent ones where memory is short, and what is left out is told', async () => {
    const leftOut: SkippedItem[] = []
    const sql = `create table visits (town text, state text);
      insert into visits select 'town ' || (v % 3000), 'state ' || (v % 4) from
        (with recursive n(v) as (select 1 union all select v + 1 from n where v < 3000) select v from n);
      insert into visits values ('town 77', null), ('town 78', null), ('town 77', null);`
    const [state, town] = await collect(sql, silentLog, catalog => catalog, {
      valueBytes: 14 * bytesOfValue(9),
      onLeftOut: one => leftOut.push(one),
    })
    expect(state?.values).toHaveLength(4)
    expect(town?.values.length).toBeLessThan(15)
    expect(town?.values).toEqual(expect.arrayContaining(['town 77', 'town 78']))
    expect(leftOut).toEqual([
      { what: 'visits.town', why: expect.stringMatching(/its \d+ most frequent values, of about 3000/) },
    ])
  })

  it('are those of a sample of a huge table, which is told once', async () => {
    const leftOut: SkippedItem[] = []
    const rows = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)'
    const found = await collect(
      `create table t (code text, name text);
       insert into t ${rows} select 'code ' || i, 'name ' || i from n`,
      silentLog,
      ({ tables, ...rest }) => ({
        ...rest,
        tables: tables.map(table => ({ ...table, rowCount: 5_000_000 })),
      }),
      { onLeftOut: one => leftOut.push(one) },
    )
    expect(found.map(({ column }) => column).sort()).toEqual(['code', 'name'])
    expect(leftOut.filter(({ what }) => what === 't')).toEqual([
      { what: 't', why: 'the value index holds the values of a sample of its rows' },
    ])
  })

  it('are not read where they are known or masked', async () => {
    const sql = `create table people (name text, town text, salary text);
      insert into people values ('Ann', 'Kiel', 'much'), ('Bo', 'Bonn', 'little');`
    const masked = (catalog: Catalog): Catalog => ({
      ...catalog,
      tables: catalog.tables.map(table => ({
        ...table,
        columns: table.columns.map(column =>
          column.name === 'salary' ? { ...column, masked: true as const } : column,
        ),
      })),
    })
    const isKnown = ({ column }: { readonly column: string }) => column === 'town'
    expect(await collect(sql, silentLog, masked, { isKnown })).toEqual([
      { table: 'people', column: 'name', values: ['Ann', 'Bo'] },
    ])
  })

  const three = `create table a (x text); insert into a values ('one');
    create table b (y text); insert into b values ('two');
    create table c (z text); insert into c values ('three')`

  /** Columns whose profiles do not list all of their values. */
  const unlisted = (catalog: Catalog): Catalog => ({
    ...catalog,
    tables: catalog.tables.map(table => ({
      ...table,
      columns: table.columns.map(({ profile, ...column }) => ({
        ...column,
        profile: profile && { ...profile, distinctCount: profile.distinctCount + 1 },
      })),
    })),
  })

  it('are taken from the profile where it lists all of them', async () => {
    const asked: string[] = []
    const sql = `create table orders (id integer primary key, state text, code text);
      insert into orders select v, 'state ' || (v % 3), 'code ' || v from
        (with recursive n(v) as (select 1 union all select v + 1 from n where v < 30) select v from n);`
    const [state, code] = await collect(sql, silentLog, catalog => catalog, {
      ask: async sql => {
        asked.push(sql)
        return []
      },
    })
    expect(state).toEqual({ table: 'orders', column: 'state', values: ['state 0', 'state 1', 'state 2'] })
    expect(code).toBeUndefined()
    expect(asked).toEqual([expect.not.stringContaining('"state"')])
  })

  it('are read of all columns but the one that cannot be, though they share a statement', async () => {
    const leftOut: SkippedItem[] = []
    const renamed = (catalog: Catalog): Catalog => ({
      ...catalog,
      tables: unlisted(catalog).tables.map(table =>
        table.name === 'b' ? { ...table, name: 'gone' } : table,
      ),
    })
    const found = await collect(three, silentLog, renamed, { onLeftOut: one => leftOut.push(one) })
    expect(found).toEqual([
      { table: 'a', column: 'x', values: ['one'] },
      { table: 'c', column: 'z', values: ['three'] },
    ])
    expect(leftOut).toEqual([{ what: 'gone.y', why: expect.stringContaining('no such table') }])
  })

  it('are left out, and told of, when the time is spent', async () => {
    const leftOut: SkippedItem[] = []
    const found = await collect(three, silentLog, unlisted, {
      budget: AbortSignal.abort(),
      ask: async () => {
        throw new SqlError('cancelled', 'The statement was cancelled.')
      },
      onLeftOut: one => leftOut.push(one),
    })
    expect(found).toEqual([])
    expect(leftOut.map(({ what }) => what)).toEqual(['a.x', 'b.y', 'c.z'])
    expect(leftOut[0]?.why).toBe('the time for indexing was spent')
  })

  it('leave out a column that cannot be read, and say so', async () => {
    const warnings: unknown[] = []
    const log: Log = { ...silentLog, warn: fields => warnings.push(fields) }
    const renamed = (catalog: Catalog): Catalog => ({
      ...catalog,
      tables: unlisted(catalog).tables.map(table =>
        table.name === 'b' ? { ...table, name: 'gone' } : table,
      ),
    })
    const sql = `create table a (x text); insert into a values ('one');
      create table b (y text); insert into b select 'value ' || v from
        (with recursive n(v) as (select 1 union all select v + 1 from n where v < 2500) select v from n);`
    expect(await collect(sql, log, renamed)).toEqual([{ table: 'a', column: 'x', values: ['one'] }])
    expect(warnings).toMatchObject([{ columns: ['gone.y'], error: { errorClass: 'unknown-table' } }])
  })
})
