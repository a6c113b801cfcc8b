import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { type DataRights, plainSession } from '../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../src/domain/database.ts'
import { makeReleasers } from '../src/lib/releasers.ts'
import { makeDice, randomStatement } from '../test/databases/guard/random-statement.ts'
import { inAnyOrder, openUnder, tryStatement } from '../test/databases/guard/rights/try-rights.ts'
import { makeDuckdbFile } from '../test/helpers/duckdb-file.ts'
import { createMysqlDatabase } from '../test/helpers/services/mysql-database.ts'
import { makeSqliteFile } from '../test/helpers/sqlite-file.ts'
import { withClient } from '../test/helpers/with-client.ts'
import { openBenchDatabase } from './overhead/open-bench-database.ts'

/**
 * `npm run bench:row-rules [-- --statements N --only ENGINE --seed S --json]`: random statements under row rules and masks,
 * compared with the same statements over copies that hold only what the rules leave. Exits 1 if a result differs.
 */
const { values } = parseArgs({
  options: {
    statements: { type: 'string', default: '5000' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
})

const releasers = makeReleasers()

/** Rows with `hidden` are for the restricted database alone; the copy has the values behind masks as they are shown. */
const worldStatements = (isCopy: boolean): readonly string[] => {
  const text = (value: string): string => `'${value}'`
  const rows = (count: number, row: (id: number) => string): string =>
    Array.from({ length: count }, (_, at) => `(${row(at + 1)})`).join(', ')
  const hidden = (count: number, row: (id: number) => string): string =>
    isCopy ? '' : `, ${rows(count, id => row(id + 100))}`
  const digits = (id: number): string => `3${String(id % 5).padStart(3, '0')}`
  const ssn = (id: number): string => `12-${digits(id)}`
  const shownSsn = (id: number): string => (isCopy ? `****${digits(id)}` : ssn(id))
  return [
    'CREATE TABLE customers (id integer, name varchar(100), city varchar(100), email varchar(100), ssn varchar(100), manager_id integer)',
    'CREATE TABLE orders (id integer, customer_id integer, amount integer, note varchar(100), email varchar(100), placed_on varchar(100))',
    'CREATE TABLE people (id integer, name varchar(100), ssn varchar(100))',
    'CREATE TABLE salaries (id integer, person_id integer, amount integer)',
    `INSERT INTO customers VALUES ${rows(9, id => `${id}, ${text(`n${id % 4}`)}, 'north', ${text(`e${id % 3}`)}, ${text(shownSsn(id))}, ${id % 3 === 0 ? 'null' : id % 5}`)}${hidden(6, id => `${id}, ${text(`n${id % 4}`)}, 'south', ${text(`e${id % 3}`)}, ${text(ssn(id))}, ${id % 5}`)}`,
    `INSERT INTO orders VALUES ${rows(14, id => `${id}, ${id % 9}, ${(id % 6) * 10}, ${id % 4 === 0 ? 'null' : text(`n${id % 4}`)}, ${text(`e${id % 3}`)}, ${text(`2026-0${(id % 6) + 1}-01`)}`)}${hidden(8, id => `${id}, ${id % 9}, 999, 'n1', 'e1', '2025-01-01'`)}`,
    `INSERT INTO people VALUES ${rows(7, id => `${id}, ${text(`n${id % 4}`)}, ${text(shownSsn(id))}`)}`,
    `INSERT INTO salaries VALUES ${rows(6, id => `${id}, ${id}, ${id * 10}`)}${hidden(5, id => `${id}, ${id % 7}, ${id * 10}`)}`,
  ]
}

const rights: DataRights = {
  key: '0123456789abcdef',
  group: 'bench',
  scope: unrestrictedScope,
  rowRules: [
    { table: 'customers', condition: "city = 'north'" },
    { table: 'orders', condition: "amount < 900 and placed_on > '2025-12-31'" },
    { table: 'salaries', condition: 'id < 100' },
  ],
  columnMasks: [
    { column: 'customers.ssn', mask: 'last-four' },
    { column: 'people.ssn', mask: 'last-four' },
  ],
  mayExport: true,
  session: plainSession,
}

type MakeWorld = (statements: readonly string[]) => Promise<string>

const engines: Readonly<Record<string, MakeWorld>> = {
  postgres: async statements => {
    const { url, drop } = await openBenchDatabase()
    releasers.push(drop)
    await withClient(url, async client => {
      for (const statement of statements) await client.query(statement)
    })
    return url
  },
  mysql: async statements => {
    const url = process.env.MYSQL_URL
    if (url === undefined)
      throw new Error('set MYSQL_URL to a MySQL or MariaDB server, or leave it out with --only')
    const made = await createMysqlDatabase(url)
    releasers.push(made.drop)
    for (const statement of statements) await made.admin(statement)
    return made.url
  },
  sqlite: async statements => {
    const { file, remove } = makeSqliteFile(statements.join(';\n'))
    releasers.push(async () => remove())
    return `sqlite:${file}`
  },
  duckdb: async statements => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-bench-'))
    releasers.push(async () => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'world.duckdb')
    await makeDuckdbFile(file, statements.join(';\n'))
    return `duckdb:${file}`
  },
}

/** SQLite and MariaDB take any row for a column beside a count. */
const isArbitrary = (sql: string): boolean => {
  const countsBesideOthers = (flat: string): boolean =>
    flat
      .split('SELECT ')
      .map(part => part.split(' FROM ')[0] ?? '')
      .some(list => list.includes('count[]') && list.includes(', '))
  // From the innermost brackets outwards, so that each query is seen without those inside it.
  for (let flat = sql; ; ) {
    const inner = /\([^()]*\)/.exec(flat)?.[0]
    if (countsBesideOthers(inner ?? flat)) return true
    if (inner === undefined) return false
    flat = flat.replace(inner, '[]')
  }
}

interface Counts {
  equal: number
  different: number
  /** Both are refused or fail: names that nothing has, subqueries of several rows. */
  neither: number
  /** Refused or failed under rules alone. */
  refused: number
}

/** What both statements come to. Ends after as many that ran on both. */
const compareOn = async (
  make: MakeWorld,
): Promise<{ readonly counts: Counts; readonly examples: readonly string[] }> => {
  const seen = await openUnder(await make(worldStatements(false)), rights)
  releasers.push(seen.close)
  const copy = await openUnder(await make(worldStatements(true)), null)
  releasers.push(copy.close)
  const isFree = ['postgres', 'duckdb'].includes(seen.database.dialect)
  const counts: Counts = { equal: 0, different: 0, neither: 0, refused: 0 }
  const examples: string[] = []
  const wanted = Number(values.statements)
  for (let seed = Number(values.seed) * 1_000_000; counts.equal + counts.different < wanted; seed += 1) {
    const sql = randomStatement(makeDice(seed), { lateral: isFree, rows: isFree })
    // Views over restricted tables are closed, which is no difference.
    if (/customer_names|customer_contacts|\bpay\b/.test(sql)) continue
    if (!isFree && isArbitrary(sql)) continue
    const expected = await tryStatement(copy, sql)
    // Which rows are left of a result that was cut is not said.
    if (expected.status !== 'rows' || expected.isCut) {
      counts.neither += 1
      continue
    }
    const result = await tryStatement(seen, sql)
    if (result.status !== 'rows') {
      counts.refused += 1
      if (examples.length < 5) examples.push(`${result.status}: ${result.shown}\n  ${sql}`)
    } else if (inAnyOrder(result.shown) === inAnyOrder(expected.shown)) counts.equal += 1
    else {
      counts.different += 1
      examples.push(`different\n  ${sql}\n  ${result.shown.slice(0, 300)}\n  ${expected.shown.slice(0, 300)}`)
    }
    if (!values.json && (counts.equal + counts.different) % 500 === 0)
      process.stderr.write(`\r${seen.database.dialect}: ${counts.equal + counts.different} of ${wanted}`)
  }
  return { counts, examples }
}

const results: Record<string, Counts> = {}
try {
  for (const [engine, make] of Object.entries(engines)) {
    if (values.only !== undefined && values.only !== engine) continue
    const { counts, examples } = await compareOn(make)
    results[engine] = counts
    if (!values.json) for (const example of examples.slice(0, 8)) process.stderr.write(`\n${example}\n`)
  }
} finally {
  await releasers.release()
}
if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`)
else {
  const table = new Table({
    head: ['engine', 'equal', 'different', 'refused under rules alone', 'fail without rules too'],
  })
  for (const [engine, { equal, different, refused, neither }] of Object.entries(results))
    table.push([engine, equal, different, refused, neither])
  process.stdout.write(`${table.toString()}\n`)
}
process.exitCode = Object.values(results).some(({ different }) => different > 0) ? 1 : 0
