import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { type LogFields, silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeParseQuestion } from '../../src/parser/interpret-question.ts'
import { trainedModel } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { makeDuckdbFile } from '../helpers/duckdb-file.ts'

const root = mkdtempSync(join(tmpdir(), 'querent-ask-files-'))

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** What a bakery exports from its till: names with accents, a Parquet file, booleans, amounts and days. */
const bakery = `
  create table shops as select * from (values (1, 'Old Town', 'Zürich'), (2, 'Station', 'Basel'), (3, 'Harbour', 'Basel'))
    s(id, name, city);
  create table cakes as select * from (values (1, 'Carrot Cake', 'cake', 4.50::decimal(6, 2), true),
    (2, 'Rye Bread', 'bread', 3.25, false), (3, 'Baguette', 'bread', 2.75, false), (4, 'Éclair', 'pastry', 3.80, true))
    c(id, name, sort, price, is_sweet);
  create table sales as select range as id, range % 2 + 1 as shop_id, range % 3 + 1 as cake_id, range % 4 + 1 as quantity,
    timestamp '2024-01-31 22:00:00' + to_hours((range * 3)::integer) as sold_at from range(40);`

const makeFolder = async (): Promise<string> => {
  const folder = mkdtempSync(join(root, 'exports-'))
  const to = (file: string): string => `'${join(folder, file)}'`
  await makeDuckdbFile(
    ':memory:',
    `${bakery} copy shops to ${to('shops.csv')}; copy cakes to ${to('cakes.csv')}; copy sales to ${to('sales.parquet')}`,
  )
  writeFileSync(join(folder, 'README.txt'), 'What the till wrote.')
  return folder
}

const makeDatabase = async (): Promise<string> => {
  const file = join(root, 'bakery.duckdb')
  await makeDuckdbFile(file, bakery)
  return file
}

describe.each([
  ['a folder of CSV and Parquet files', makeFolder],
  ['a DuckDB database', makeDatabase],
] as const)('questions on %s', (_, make) => {
  let path: string
  let opened: OpenDatabase
  const warnings: (LogFields & { readonly message: string })[] = []
  const parse = makeParseQuestion(trainedModel)
  const now = (): Date => new Date('2024-04-02T10:00:00Z')
  const open = (): Promise<OpenDatabase> =>
    openDatabase(parseDatabaseReference(`duckdb:${path}`, { baseFolder: '/' }), {
      audit: silentAudit,
      guard: makeGuard(),
      limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
      timeZone: 'Europe/Zurich',
      cacheFolder: join(root, 'cache'),
      log: { ...silentLog, warn: (fields, message) => void warnings.push({ ...fields, message }) },
    })

  beforeAll(async () => {
    path = await make()
    opened = await open()
  }, 30_000)
  afterAll(() => opened.close())

  const readingsOf = (question: string) =>
    parse({
      understanding: understandQuestion(question, { now, timeZone: 'Europe/Zurich' }),
      catalog: opened.database.catalog,
      findValues: opened.database.findValues,
    })

  const rowsOf = async (sql: string) => {
    const verdict = opened.database.guard(sql)
    if (verdict.verdict === 'refuse') return expect.fail(`${verdict.reason}: ${sql}`)
    return (await opened.database.run(verdict.guarded)).rows
  }

  /** Rows in the order of their text where the statement asks for none. */
  const inOrder = (sql: string, rows: readonly unknown[]): readonly string[] => {
    const texts = rows.map(row => JSON.stringify(row))
    return /ORDER BY/.test(sql) ? texts : texts.sort()
  }

  it('measures every table without complaint, and finds the keys that no file declares', () => {
    expect(warnings).toEqual([])
    const { catalog } = opened.database
    const cakes = catalog.tables.find(({ name }) => name === 'cakes')
    expect(cakes?.columns.map(({ name, kind, profile }) => [name, kind, profile?.distinctCount])).toEqual([
      ['id', 'integer', 4],
      ['name', 'text', 4],
      ['sort', 'text', 3],
      ['price', 'number', 4],
      ['is_sweet', 'boolean', 2],
    ])
    expect(
      catalog.foreignKeys.map(({ from, to, source }) => [from.columns, to.table, to.columns, source]).sort(),
    ).toEqual([
      [['cake_id'], 'cakes', ['id'], 'derived'],
      [['shop_id'], 'shops', ['id'], 'derived'],
    ])
  })

  it('finds values by their words, whatever the accents', () => {
    expect(opened.database.findValues('eclair')[0]).toMatchObject({ column: 'name', value: 'Éclair' })
    expect(opened.database.findValues('zurich')[0]).toMatchObject({ column: 'city', value: 'Zürich' })
  })

  it.each([
    ['How many cakes are there?', [[4]]],
    ['How many shops are in Basel?', [[2]]],
    ['What is the average price of bread?', [[3]]],
    ['Which cakes are in the sort pastry?', [['Éclair']]],
    ['What is the highest price of cakes?', [[4.5]]],
    ['Which cake has the highest price?', [['Carrot Cake']]],
    [
      'How many sales does each shop have?',
      [
        ['Old Town', 20],
        ['Station', 20],
      ],
    ],
    ['What was the total quantity of sales in January 2024?', [[1]]],
    [
      'How many sales per month in 2024?',
      [
        ['2024-01-01', 1],
        ['2024-02-01', 39],
      ],
    ],
    ['Which shops have no sales?', [['Harbour']]],
    ['Which cakes were never sold?', [['Éclair']]],
    ['How many cakes have a name that contains "bread"?', [[1]]],
    [
      'How many cakes of each sort?',
      [
        ['bread', 2],
        ['cake', 1],
        ['pastry', 1],
      ],
    ],
  ])('%s', async (question, expected) => {
    // Which reading comes first is not for this dialect to say; that one of them is right, and that all run, is.
    const found = await Promise.all(
      readingsOf(question).map(async ({ sql }) => ({ sql, rows: inOrder(sql, await rowsOf(sql)) })),
    )
    expect(found.map(({ rows }) => rows)).toContainEqual(inOrder(found[0]?.sql ?? '', expected))
  })

  it.each([
    `select * from '/etc/passwd'`,
    `select * from read_csv('/etc/passwd')`,
    `select * from "shops.csv"`,
    'select * from duckdb_tables()',
    'summarize shops',
    "copy shops to 'loot.csv'",
  ])('are not answered by %s', sql => {
    expect(opened.database.guard(sql).verdict).toBe('refuse')
  })

  it('take the index from where it is kept until a file changes', async () => {
    const again = await open()
    expect(again.report().isNew).toBe(false)
    await again.close()
  })
})

describe('the index of a folder', () => {
  it('is made again when a file was changed or added', async () => {
    const folder = mkdtempSync(join(root, 'changing-'))
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
    write('a.csv', 'name\nfirst\n')
    const open = () =>
      openDatabase(parseDatabaseReference(`duckdb:${folder}`, { baseFolder: '/' }), {
        audit: silentAudit,
        guard: makeGuard(),
        limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
        cacheFolder: join(root, 'cache'),
      })
    await (await open()).close()
    write('a.csv', 'name\nsecond thing\n')
    write('b.csv', 'x\n1\n')
    const changed = await open()
    expect(changed.report().isNew).toBe(true)
    expect(changed.database.catalog.tables.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(changed.database.findValues('second thing')[0]).toMatchObject({ value: 'second thing' })
    await changed.close()
    write('export.log', 'written all the time, and no table')
    write('.b.csv.part', 'x\n1\n')
    const same = await open()
    expect(same.report().isNew).toBe(false)
    await same.close()
  }, 20_000)
})
