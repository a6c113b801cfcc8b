import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../src/databases/open-database.ts'
import type { MetricReading } from '../../../src/domain/metrics/metric-reading.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { readMetricQuestion } from '../../../src/semantic-layer/read-metric-question.ts'

/** Friday, November 20, 2026. */
export const clock = { now: () => new Date('2026-11-20T09:00:00Z'), timeZone: 'UTC' }

const ddl = `
create table shops (id integer primary key, name text not null, city text not null, opened_on date not null);
create table bakers (id integer primary key, first_name text not null, last_name text not null, shop_id integer not null references shops (id),
  manager_id integer references bakers (id), salary integer not null, hired_on date not null, left_on date);
create table clients (id integer primary key, name text not null, country text not null, segment text not null, created_at text not null, newsletter boolean not null);
create table products (id integer primary key, name text not null, category text not null, list_price_cents integer not null, is_vegan boolean not null);
create table orders (id integer primary key, client_id integer not null references clients (id), shop_id integer not null references shops (id),
  channel text not null, status text not null, placed_at text not null, promised_on date not null, delivered_on date);
create table order_lines (order_id integer not null references orders (id), product_id integer not null references products (id),
  quantity integer not null, unit_price_cents integer not null, primary key (order_id, product_id));
`

const cities = ['Lund', 'Oslo', 'Turku']
const countries = ['Sweden', 'Norway', 'Finland', 'Germany']
const categories = ['Bread', 'Cake', 'Pastry']
const channels = ['web', 'counter', 'phone']

/** A chain of bakeries: two years of orders, made by arithmetic so that everybody can follow them. */
const fill = (database: DatabaseSync): void => {
  const insert = (table: string, rows: readonly (readonly (string | number | null)[])[]): void => {
    const statement = database.prepare(`insert into ${table} values (${rows[0]!.map(() => '?').join(', ')})`)
    for (const row of rows) statement.run(...row)
  }
  insert(
    'shops',
    cities.map((city, at) => [at + 1, `${city} Bakery`, city, `2024-0${at + 1}-15`]),
  )
  insert(
    'bakers',
    Array.from({ length: 9 }, (_, at) => [
      at + 1,
      ['Ada', 'Bo', 'Cleo', 'Dan', 'Eli', 'Fay', 'Gus', 'Hal', 'Ivy'][at]!,
      ['Alm', 'Berg', 'Crona', 'Dahl', 'Ek', 'Falk', 'Gren', 'Holm', 'Iversen'][at]!,
      (at % 3) + 1,
      at < 3 ? null : (at % 3) + 1,
      at === 5 ? 61_000 : 40_000 + ((at * 7) % 9) * 1_500,
      `202${4 + (at % 3)}-0${at + 1}-01`,
      at === 8 ? '2026-10-15' : null,
    ]),
  )
  insert(
    'clients',
    Array.from({ length: 40 }, (_, at) => [
      at + 1,
      `Client ${String.fromCharCode(65 + (at % 26))}${at + 1}`,
      countries[at % 4]!,
      at % 5 === 0 ? 'cafe' : 'household',
      `202${at < 20 ? 5 : 6}-${String((at % 11) + 1).padStart(2, '0')}-10 08:00:00`,
      at % 3 === 0 ? 1 : 0,
    ]),
  )
  insert(
    'products',
    Array.from({ length: 12 }, (_, at) => [
      at + 1,
      [
        'Rye loaf',
        'Sourdough',
        'Baguette',
        'Carrot cake',
        'Cheesecake',
        'Brownie',
        'Croissant',
        'Cinnamon roll',
        'Danish',
        'Pretzel',
        'Scone',
        'Tart',
      ][at]!,
      categories[Math.floor(at / 4)]!,
      300 + at * 85,
      at % 4 === 0 ? 1 : 0,
    ]),
  )
  const orders = Array.from({ length: 600 }, (_, at) => {
    const day = new Date(Date.UTC(2025, 0, 5) + at * 1.14 * 86_400_000)
    const iso = (offset: number): string =>
      new Date(day.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
    const isOpen = at > 590
    return [
      at + 1,
      ((at * 7) % 34) + 1,
      ((at * 5) % 3) + 1,
      channels[(at * 11) % 7 > 3 ? 0 : (at % 2) + 1]!,
      isOpen ? 'open' : at % 17 === 0 ? 'canceled' : 'delivered',
      `${iso(0)} ${String(7 + (at % 12)).padStart(2, '0')}:15:00`,
      iso(2),
      isOpen || at % 17 === 0 ? null : iso(at % 6 === 0 ? 4 : 1),
    ]
  })
  insert('orders', orders)
  insert(
    'order_lines',
    orders.flatMap((_, at) =>
      Array.from({ length: 1 + (at % 3) }, (__, line) => {
        const product = ((at * 3 + line * 5) % 11) + 1
        return [at + 1, product, 1 + ((at + line) % 4), 290 + product * 85]
      }),
    ),
  )
}

/** Opens a database as any of a user: indexed and profiled, with no layer of its own. */
export const openFilled = (
  name: string,
  fillDatabase: (database: DatabaseSync) => void,
): Promise<OpenDatabase> => {
  const file = join(mkdtempSync(join(tmpdir(), `querent-${name}-`)), `${name}.sqlite`)
  const database = new DatabaseSync(file)
  fillDatabase(database)
  database.close()
  return openDatabase(parseDatabaseReference(`sqlite:${file}`, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: makeGuard(),
    limits: { timeoutMs: 10_000, maxRows: 10_000, maxBytes: 10_000_000 },
  })
}

export const openBakery = (): Promise<OpenDatabase> =>
  openFilled('bakery', database => {
    database.exec(ddl)
    fill(database)
  })

/** Opens a database for a suite, and reads questions about it. */
export const readingSuite = (openIt: () => Promise<OpenDatabase>) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openIt()
  })
  afterAll(() => open.close())
  const readAll = (question: string): readonly MetricReading[] =>
    readMetricQuestion({ understanding: understandQuestion(question, clock), database: open.database })
  const readFirst = (question: string): MetricReading => {
    const [first] = readAll(question)
    if (first === undefined) throw new Error(`not read: ${question}`)
    return first
  }
  return { database: () => open.database, readAll, readFirst }
}

export const bakerySuite = () => {
  const { database, ...suite } = readingSuite(openBakery)
  return { bakery: database, ...suite }
}
