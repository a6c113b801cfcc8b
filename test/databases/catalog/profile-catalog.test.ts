import { beforeAll, describe, expect, it } from 'vitest'
import { profileCatalog } from '../../../src/databases/catalog/profile-catalog.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { Catalog, Column } from '../../../src/domain/catalog.ts'
import { type Log, type LogFields, silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeDatabase } from './make-database.ts'

const guard = makeGuard()

const profile = async (
  sql: string,
  options: Partial<Parameters<typeof profileCatalog>[0]> = {},
): Promise<Catalog> => {
  await using made = await makeDatabase(sql)
  return await profileCatalog({
    catalog: await made.connector.introspect(),
    run: made.run,
    guard,
    ...options,
  })
}

const columnOf = (catalog: Catalog, table: string, column: string): Column => {
  const found = catalog.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)
  if (found === undefined) throw new Error(`no column ${table}.${column}`)
  return found
}

const keysOf = (catalog: Catalog): string[] =>
  catalog.foreignKeys.map(
    ({ from, to, source }) =>
      `${source} ${from.table}.${from.columns.join()} -> ${to.table}.${to.columns.join()}`,
  )

/** A log that remembers its warnings. */
const makeWarnings = (): { readonly log: Log; readonly warnings: (LogFields & { message: string })[] } => {
  const warnings: (LogFields & { message: string })[] = []
  return { warnings, log: { ...silentLog, warn: (fields, message) => warnings.push({ ...fields, message }) } }
}

describe('a profile', () => {
  it('tells of every column what its values are like', async () => {
    const catalog = await profile(`
      create table "Odd Name" (id integer primary key, "select" text, price numeric, note text, picture blob);
      insert into "Odd Name" values (1, 'red', 2.5, null, x'0102'), (2, 'blue', 4, null, null),
        (3, 'red', null, null, null), (4, 'it''s', 4, null, null);
    `)
    expect(catalog.tables[0]?.rowCount).toBe(4)
    expect(columnOf(catalog, 'Odd Name', 'select').profile).toEqual({
      nullShare: 0,
      distinctCount: 3,
      min: 'blue',
      max: 'red',
      mostFrequent: [
        { value: 'red', count: 2 },
        { value: 'blue', count: 1 },
        { value: "it's", count: 1 },
      ],
      meanLength: 3.5,
      rowsRead: 4,
    })
    expect(columnOf(catalog, 'Odd Name', 'price').profile).toMatchObject({
      nullShare: 0.25,
      min: 2.5,
      max: 4,
    })
    expect(columnOf(catalog, 'Odd Name', 'note').profile).toMatchObject({
      nullShare: 1,
      mostFrequent: [],
      min: null,
    })
    expect(columnOf(catalog, 'Odd Name', 'picture').profile).toMatchObject({
      nullShare: 0.75,
      mostFrequent: [],
    })
  })

  it('tells how texts are written, and shows some from all over the table', async () => {
    const catalog = await profile(`
      create table parts (id integer primary key, code text, maker text, made text);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
        insert into parts select i, printf('%s-%04d', char(65 + i % 26) || 'X', i), 'maker ' || (i % 3), printf('%02d/%02d/2026', 1 + i % 28, 1 + i % 12) from n;
    `)
    const code = columnOf(catalog, 'parts', 'code').profile
    expect(code?.format).toEqual({ pattern: 'AA-9999', share: 1 })
    expect(code?.samples).toHaveLength(5)
    expect(new Set(code?.samples?.map(value => String(value)[0])).size).toBe(5)
    expect(columnOf(catalog, 'parts', 'made').profile?.format?.pattern).toBe('DD/MM/YYYY')
    expect(columnOf(catalog, 'parts', 'maker').profile).not.toHaveProperty('format')
    expect(columnOf(catalog, 'parts', 'maker').profile).not.toHaveProperty('samples')
  })

  it('holds for an empty table, and for one with hundreds of columns', async () => {
    const names = Array.from({ length: 400 }, (_, n) => `measured_quantity_number_${n}`)
    const catalog = await profile(`
      create table vacant (id integer primary key, name text);
      create table wide (${names.map(name => `${name} integer`).join(', ')});
      insert into wide values (${names.map((_, n) => n).join(', ')});
    `)
    expect(columnOf(catalog, 'vacant', 'name').profile).toMatchObject({
      nullShare: 0,
      distinctCount: 0,
      rowsRead: 0,
    })
    expect(columnOf(catalog, 'wide', names[399] ?? '').profile).toMatchObject({ min: 399, distinctCount: 1 })
  })

  it('is the same each time', async () => {
    const sql = `create table t (a text, b integer);
      insert into t select 'v' || (value % 7), value % 5 from generate_series(1, 200);`.replace(
      'generate_series(1, 200)',
      '(with recursive n(value) as (select 1 union all select value + 1 from n where value < 200) select value from n)',
    )
    expect(await profile(sql)).toEqual(await profile(sql))
  })

  it('samples a table that is too large to read whole, and says so', async () => {
    const catalog = await profile(`
      create table large (id integer primary key, kind text);
      insert into large select value, 'kind ' || (value % 4) from
        (with recursive n(value) as (select 1 union all select value + 1 from n where value < 100500) select value from n);
    `)
    expect(catalog.tables[0]?.rowCount).toBe(100_500)
    expect(columnOf(catalog, 'large', 'kind').profile).toMatchObject({ rowsRead: 100_000, distinctCount: 4 })
  })
})

describe('kinds', () => {
  const cases = [
    ['text', "'2026-01-31', '1999-12-01', ''", 'date'],
    ['varchar(30)', "'2026-01-31 10:00:00', '2026-01-31T11:00'", 'timestamp'],
    ['text', "'2026-01-31', '2026-01-31 11:00'", 'timestamp'],
    ['text', "'2026-01-31', '2026-13-45'", 'text'],
    ['date', "'31.01.2026', '01.02.2026'", 'text'],
    ['date', "'2026-01-31'", 'date'],
    ['date', 'null', 'date'],
    ['datetime', '1700000000, 1700000001', 'integer'],
    ['time', "'10:30', '11:15:01'", 'time'],
    ['', "'a', 'b'", 'text'],
    ['', '1, 2', 'integer'],
    ['', '1, 2.5', 'number'],
    ['integer', "'abc', 'def'", 'text'],
    ['tinyint(1)', '0, 1', 'boolean'],
    ['boolean', '0, 1, 1', 'boolean'],
    ['boolean', "'T', 'F'", 'text'],
    ['integer', '0, 1', 'integer'],
    ['decimal(10, 2)', '1, 2', 'number'],
    ['bigint', "12345678901234567890, 'x', 3, 4, 5", 'integer'],
  ] as const
  let catalog: Catalog
  beforeAll(async () => {
    catalog = await profile(
      cases
        .map(([type, values], n) => {
          const rows = values.replace(/[^,]+/g, value => `(${value})`)
          return `create table case_${n} (c ${type}); insert into case_${n} values ${rows};`
        })
        .join('\n'),
    )
  })

  it.each(cases.map((one, n) => [...one, n] as const))(
    'a column of type "%s" that holds %s is %s',
    (_type, _values, kind, n) => {
      expect(columnOf(catalog, `case_${n}`, 'c').kind).toBe(kind)
    },
  )

  it('notes numbers that are stored as text, and zeros and ones under a name that asks yes or no', async () => {
    const catalog = await profile(`
      create table t (zip text, is_open integer, size text);
      insert into t values ('00501', 0, '12'), ('94105', 1, 'XL');
    `)
    expect(columnOf(catalog, 't', 'zip')).toMatchObject({ kind: 'text', profile: { numericText: true } })
    expect(columnOf(catalog, 't', 'is_open').kind).toBe('boolean')
    expect(columnOf(catalog, 't', 'size').profile).not.toHaveProperty('numericText')
  })
})

describe('keys that nobody declared', () => {
  it('are found by name, type and values, whatever role stands before the name', async () => {
    const catalog = await profile(`
      create table countries (code text primary key, name text);
      create table teams (id integer primary key, title text, country_code text);
      create table matches (match_id integer primary key, home_team_id integer, away_team_id integer);
      insert into countries values ('FR', 'France'), ('ES', 'Spain');
      insert into teams values (1, 'Reds', 'FR'), (2, 'Blues', 'ES'), (3, 'Greens', null);
      insert into matches values (10, 1, 2), (11, 2, 3);
    `)
    expect(keysOf(catalog)).toEqual([
      'derived matches.away_team_id -> teams.id',
      'derived matches.home_team_id -> teams.id',
      'derived teams.country_code -> countries.code',
    ])
    expect(catalog.foreignKeys.map(key => key.inclusion)).toEqual([1, 1, 1])
  })

  it('need the values, and stay away where a key is declared', async () => {
    const catalog = await profile(`
      create table teams (id integer primary key, code text);
      create table players (id integer primary key, team_id integer);
      create table coaches (id integer primary key, team_id integer references teams (id), old_team_id integer);
      insert into teams values (1, 'a'), (2, 'b');
      insert into players values (1, 1), (2, 77);
      insert into coaches values (1, 1, 2);
    `)
    expect(keysOf(catalog)).toEqual(['declared coaches.team_id -> teams.id'])
  })

  it('point to the table that the column is named for, once', async () => {
    const catalog = await profile(`
      create table student (student_id integer primary key, name text);
      create table grant_holder (student_id integer primary key, amount integer);
      create table exam (exam_id integer primary key, student_id integer);
      insert into student values (1, 'a'), (2, 'b'), (3, 'c');
      insert into grant_holder values (1, 10), (2, 20);
      insert into exam values (1, 1), (2, 2);
    `)
    expect(keysOf(catalog)).toEqual([
      'derived exam.student_id -> student.student_id',
      'derived grant_holder.student_id -> student.student_id',
    ])
  })
})

describe('when something goes wrong', () => {
  const twoTables = `
    create table good (a integer); insert into good values (1);
    create table bad (a integer); insert into bad values (1);
  `

  it('a table that cannot be read keeps null profiles, with a warning', async () => {
    const { log, warnings } = makeWarnings()
    await using made = await makeDatabase(twoTables)
    const catalog = await made.connector.introspect()
    const renamed = catalog.tables.map(table => (table.name === 'bad' ? { ...table, name: 'gone' } : table))
    const profiled = await profileCatalog({
      catalog: { ...catalog, tables: renamed },
      run: made.run,
      guard,
      log,
    })
    expect(columnOf(profiled, 'good', 'a').profile).not.toBeNull()
    expect(columnOf(profiled, 'gone', 'a').profile).toBeNull()
    expect(warnings).toMatchObject([{ table: 'gone', error: { errorClass: 'unknown-table' } }])
  })

  it('no table is measured once the time is spent', async () => {
    const { log, warnings } = makeWarnings()
    const catalog = await profile(
      `create table slow as with recursive n(v) as (select 1 union all select v + 1 from n where v < 90000) select v, v * 2 as w, v * 3 as x from n;`,
      { log, budgetMs: 1 },
    )
    expect(columnOf(catalog, 'slow', 'v').profile).toBeNull()
    expect(warnings).toMatchObject([{ tables: 1 }])
  })

  it('a stop is a stop', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(profile(twoTables, { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('a guard that refuses leaves the catalog as it was', async () => {
    const { log, warnings } = makeWarnings()
    const catalog = await profile(twoTables, { log, guard: () => ({ verdict: 'refuse', reason: 'no' }) })
    expect(columnOf(catalog, 'good', 'a').profile).toBeNull()
    expect(warnings).toHaveLength(2)
  })
})

it('progress goes up to all columns', async () => {
  const seen: number[] = []
  await profile('create table a (x, y); create table b (z);', {
    onProgress: ({ done, total }) => {
      seen.push(done)
      expect(total).toBe(3)
    },
  })
  expect(seen.at(-1)).toBe(3)
  expect(seen).toHaveLength(2)
})

describe('names that mean a key without saying so', () => {
  it('are those of the table alone, and those that are numbered', async () => {
    const catalog = await profile(`
      create table physicians (employee_number integer primary key, name text);
      insert into physicians values (11, 'Ada'), (12, 'Bo'), (13, 'Cy');
      create table visits (nr integer primary key, physician integer, physician_id_2 integer, length integer);
      insert into visits values (1, 11, 12, 5), (2, 12, 13, 60), (3, 13, 11, 7);
      create table clubs (id integer primary key);
      insert into clubs values (1), (2);
      create table matches (nr integer primary key, club_id_1 integer, club_id_2 integer);
      insert into matches values (1, 1, 2), (2, 2, 1);
    `)
    expect(keysOf(catalog)).toEqual([
      'derived matches.club_id_1 -> clubs.id',
      'derived matches.club_id_2 -> clubs.id',
      'derived visits.physician -> physicians.employee_number',
    ])
  })
})
