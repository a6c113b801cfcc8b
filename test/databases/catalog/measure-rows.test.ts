import { describe, expect, it } from 'vitest'
import { makeReadWhole, makeRunInternalQuery } from '../../../src/databases/catalog/internal-query.ts'
import { measureSmallTable } from '../../../src/databases/catalog/measure-rows.ts'
import { profileTable } from '../../../src/databases/catalog/profile-table.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { Table } from '../../../src/domain/catalog.ts'
import { makeRandom } from '../../../src/lib/random.ts'
import { makeDatabase } from './make-database.ts'

const guard = makeGuard()

/** Both ways of measuring the tables of a database. */
const measureBoth = async (
  sql: string,
): Promise<readonly { readonly here: Table; readonly there: Table }[]> => {
  await using made = await makeDatabase(sql)
  const options = { run: made.run, guard, dialect: 'sqlite' } as const
  const asked = { ...options, ask: makeRunInternalQuery(options), readWhole: makeReadWhole(options) }
  const both: { here: Table; there: Table }[] = []
  for (const table of (await made.connector.introspect()).tables) {
    expect(await measureSmallTable(table, table.columns, asked)).not.toBeNull()
    // Of a table of unknown size SQLite measures.
    const unknown = { ...table, rowCount: null }
    both.push({ here: await profileTable(table, asked), there: await profileTable(unknown, asked) })
  }
  return both
}

/** SQLite writes numbers as texts in a way of its own; nothing depends on how long those are. */
const withoutLengths = (table: Table): Table => ({
  ...table,
  columns: table.columns.map(column =>
    column.profile === null || typeof column.profile.min === 'string'
      ? column
      : { ...column, profile: { ...column.profile, meanLength: 0 } },
  ),
})

describe('a small table', () => {
  it('is measured as SQLite measures it, whatever its columns hold', async () => {
    const random = makeRandom(7)
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
    const types = [
      'integer',
      'text',
      'real',
      'numeric',
      'decimal(1, 0)',
      'date',
      'timestamp',
      'time',
      'boolean',
      'blob',
      'json',
      '',
    ]
    const pools = [
      ['1', '0'],
      ['1', '2', '3', 'null'],
      ['1.5', '2', 'null'],
      ['9007199254740993', '-9223372036854775808', '7'],
      ["'2024-02-29'", "'2023-01-31'", "''"],
      ["'2024-02-30'", "'2023-01-31'"],
      ["'2024-02-29 10:30:00'", "'2023-01-31'", 'null'],
      ["'08:15'", "'23:59'"],
      ["'25:15'", "'08:00'"],
      ["'12'", "'-3.5'", "'+7'"],
      ["'Größe'", "'größe'", "'日本'", "'a b'"],
      ["'x'", '1', '2.5', 'null'],
      ["x'00ff'", "x'01'", "'t'"],
      ['null'],
    ]
    const tables = Array.from({ length: 60 }, (_, number) => {
      const columns = Array.from({ length: 6 }, (_, at) => ({
        name: `c${at}`,
        type: pick(types),
        pool: pick(pools),
      }))
      const names = pick([true, false])
        ? ['is_open', ...columns.slice(1).map(({ name }) => name)]
        : columns.map(({ name }) => name)
      const rows = Array.from({ length: Math.floor(random() * 40) }, (_, id) =>
        [id + 1, ...columns.map(({ pool }) => pick(pool))].join(', '),
      )
      const declared = columns.map(({ type }, at) => `${names[at]} ${type}`).join(', ')
      const values = rows.map(row => `(${row})`).join(', ')
      return `create table t${number} (id integer primary key, ${declared});
        ${rows.length === 0 ? '' : `insert into t${number} values ${values};`}`
    })
    const measured = await measureBoth(tables.join('\n'))
    expect(measured).toHaveLength(60)
    for (const { here, there } of measured) expect(withoutLengths(here)).toEqual(withoutLengths(there))
  })

  it('shows samples from all over the table and the most frequent values, as SQLite does', async () => {
    const [measured] = await measureBoth(`
      create table t (id integer primary key, code text, city text);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 900)
      insert into t select i, printf('AB-%04d', i * 37 % 1000), 'city ' || (i * i % 23) from n;
    `)
    const { here, there } = measured!
    expect(here).toEqual(there)
    expect(here.columns[2]?.profile?.mostFrequent).toHaveLength(10)
    expect(here.columns[1]?.profile?.format?.pattern).toBe('AA-9999')
  })

  it('is left to the database when it has more rows than was said, or holds too many bytes', async () => {
    await using made = await makeDatabase(`
      create table grown (id integer primary key);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200) insert into grown select i from n;
      create table heavy (id integer primary key, note text);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
      insert into heavy select i, hex(zeroblob(50000)) from n;
    `)
    const options = { run: made.run, guard, dialect: 'sqlite' } as const
    const asked = { ...options, ask: makeRunInternalQuery(options), readWhole: makeReadWhole(options) }
    for (const table of (await made.connector.introspect()).tables) {
      const said = { ...table, rowCount: 100 }
      expect(await measureSmallTable(said, said.columns, asked)).toBeNull()
      expect((await profileTable(said, asked)).columns[0]?.profile?.distinctCount).toBe(table.rowCount)
    }
  })
})
