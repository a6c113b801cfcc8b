import { describe, expect, it } from 'vitest'
import { takeSchemaSnapshot } from '../../../../../graphs/answer/repair/renames/past-schema.ts'
import { proposeRenames } from '../../../../../graphs/answer/repair/renames/propose-renames.ts'
import { parseDatabaseReference } from '../../../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../../../src/databases/guard/guard.ts'
import { openDatabase } from '../../../../../src/databases/open-database.ts'
import type { Catalog } from '../../../../../src/domain/catalog.ts'
import { makeSqliteFile } from '../../../../helpers/sqlite-file.ts'

const dialect = 'sqlite'

/** The catalog of a real file, opened anew. */
const catalogOf = async (file: string): Promise<Catalog> => {
  const opened = await openDatabase(parseDatabaseReference(`sqlite:${file}`, { baseFolder: '/' }), {
    guard: makeGuard(),
    audit: { begin: async () => () => {}, refused: () => {} },
    limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
  })
  const { catalog } = opened.database
  await opened.close()
  return catalog
}

const stock = `create table stock (id integer primary key, section text not null, city text, qty integer, seen text);
  create table staff (id integer primary key, name text);
  insert into stock values (1, 'tools', 'Oslo', 4, '2026-01-01'), (2, 'paint', 'Kiel', 7, '2026-01-02');`

/** What is proposed for a statement once a file has changed, with what was known of it and without. */
const changed = async (sql: string, change: string, before = stock) => {
  const { DatabaseSync } = await import('node:sqlite')
  const { file, remove } = makeSqliteFile(before)
  try {
    const known = takeSchemaSnapshot(sql, { catalog: await catalogOf(file), dialect }, null)
    const owner = new DatabaseSync(file)
    owner.exec(change)
    const catalog = await catalogOf(file)
    const found = proposeRenames({ sql, dialect, catalog, known })
    for (const renaming of found.renamings) expect(() => owner.prepare(renaming.sql)).not.toThrow()
    owner.close()
    return { ...found, bare: proposeRenames({ sql, dialect, catalog, known: null }) }
  } finally {
    remove()
  }
}

const first = ({ renamings }: Awaited<ReturnType<typeof changed>>['bare']): string | undefined =>
  renamings[0]?.sql

describe('the names of a statement', () => {
  it('are left alone where all of them are there', async () => {
    const found = await changed('select city from stock', 'alter table stock rename column qty to pieces')
    expect(found).toMatchObject({ gone: [], renamings: [] })
  })

  it('are followed where a column was renamed, wherever it stands', async () => {
    const sql =
      "select s.section, sum(qty) as n from stock s where s.section <> 'section' and qty > (select avg(qty) from stock) group by s.section order by n"
    const found = await changed(
      sql,
      'alter table stock rename column section to section_id; alter table stock rename column qty to quantity',
    )
    expect(found.gone).toEqual(['the column stock.section', 'the column stock.qty'])
    expect(found.renamings[0]).toMatchObject({
      sql: "select s.section_id, sum(quantity) as n from stock s where s.section_id <> 'section' and quantity > (select avg(quantity) from stock) group by s.section_id order by n",
      says: ['stock.section is now stock.section_id', 'stock.qty is now stock.quantity'],
    })
  })

  it('are told by type and place where the new name is another word', async () => {
    const found = await changed(
      'select city, count(*) from stock group by city',
      'alter table stock rename column city to place',
    )
    expect(found.renamings[0]?.sql).toBe('select place, count(*) from stock group by place')
    // Without what was known of the column any other might be meant.
    expect(found.bare.gone).toEqual(['the column stock.city'])
  })

  it('are followed into a table of another name and columns of other names', async () => {
    const found = await changed(
      'select stock.city, sum(stock.qty) from stock group by stock.city',
      'alter table stock rename to inventory; alter table inventory rename column city to town',
    )
    expect(found.gone).toEqual(['the table stock'])
    expect(found.renamings[0]).toMatchObject({
      sql: 'select inventory.town, sum(inventory.qty) from inventory group by inventory.town',
      says: ['the table stock is now inventory', 'inventory.city is now inventory.town'],
    })
  })

  it('are found without what was known, where the names alone say it', async () => {
    const found = await changed(
      'select section, count(*) from stock group by section',
      'alter table stock rename column section to section_name; alter table stock rename to stocks',
    )
    expect(first(found.bare)).toBe('select section_name, count(*) from stocks group by section_name')
  })

  it('are followed over a key where a column became a table', async () => {
    const found = await changed(
      "select section, sum(qty) as n from stock as s where section <> 'x' group by section",
      `create table sections (id integer primary key, name text not null);
       insert into sections select id, section from stock;
       alter table stock add column section_id integer references sections (id);
       update stock set section_id = id;
       alter table stock drop column section`,
    )
    expect(found.renamings.map(({ sql }) => sql)).toContain(
      "select sections.name, sum(qty) as n from stock as s left join sections on sections.id = s.section_id where sections.name <> 'x' group by sections.name",
    )
  })

  it('are not guessed where nothing is like them', async () => {
    const found = await changed('select city from stock', 'alter table stock drop column city')
    expect(found).toMatchObject({ gone: ['the column stock.city'], renamings: [] })
  })

  it('never become a column that was there before, or one column for two', async () => {
    const found = await changed(
      'select section, city from stock',
      'alter table stock drop column city; alter table stock rename column section to section_city',
    )
    for (const { sql } of found.renamings) expect(sql).not.toMatch(/seen|qty|section_city, section_city/)
  })

  it('are left alone where they are aliases, texts or names that the statement gives', async () => {
    const found = await changed(
      "with city as (select qty as section from stock) select section, 'city' as city from city order by city",
      'alter table stock rename column city to town',
    )
    expect(found).toMatchObject({ gone: [], renamings: [] })
  })
})
