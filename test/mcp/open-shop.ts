import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'

/** A shop whose emails and salaries are hidden and phone numbers masked, and whose orders have two countries. */
const tables = `
  pragma synchronous = off;
  create table customers (id integer primary key, name text, email text, country text, phone text);
  create table salaries (id integer primary key, person text, amount integer);
  create table orders (
    id integer primary key, customer_id integer references customers (id), billing_country text,
    shipping_country text, status text, placed_at timestamp, total_cents integer
  );
  insert into customers values (1, 'Ada', 'ada@example.com', 'Norway', '555-0101'), (2, 'Bo', 'bo@example.com', 'Germany', '555-0102');
  insert into salaries values (1, 'Ada', 1000);
  insert into orders values
    (1, 1, 'Norway', 'Germany', 'paid', '2026-10-01 10:00:00', 23000),
    (2, 2, 'Germany', 'Germany', 'cancelled', '2026-10-03 10:00:00', 3000),
    (3, 2, 'Germany', 'Norway', 'paid', '2026-11-03 10:00:00', 4000),
    (4, 1, 'Norway', 'Norway', 'paid', '2026-11-04 10:00:00', 5000),
    (5, 2, 'Germany', 'Norway', 'paid', '2026-11-05 10:00:00', 6000);
`

const layer = `
database: shop
semantic_models:
  - name: order
    table: orders
    agg_time_dimension: placed_at
    dimensions:
      - { name: status, label: Status }
      - { name: placed_at, type: time, label: Placed }
      - { name: billing_country, label: Billing country }
      - { name: shipping_country, label: Shipping country }
      - { name: total_cents, label: Order value, unit: { currency: EUR, scale: 0.01 } }
    metrics:
      - name: net_revenue
        label: Net revenue
        description: What orders brought in, without those that were cancelled.
        agg: sum
        expr: total_cents
        filter: status <> 'cancelled'
        unit: { currency: EUR, scale: 0.01 }
`

/** What a folder with querent.yml holds, and how to leave. */
export interface ShopFolder {
  readonly folder: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  remove(): void
}

/** The shop in a folder of its own, with more settings of querent.yml. The store is at `storeUrl`. */
export const openShopFolder = (
  storeUrl: string,
  settings: Readonly<Record<string, unknown>> = {},
): ShopFolder => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-mcp-'))
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec(tables)
  database.close()
  const pets = new DatabaseSync(join(folder, 'pets.sqlite'))
  pets.exec("create table pets (id integer primary key, name text); insert into pets values (1, 'Rex')")
  pets.close()
  mkdirSync(join(folder, 'semantic'))
  writeFileSync(join(folder, 'semantic/shop.yml'), layer)
  const hidden = {
    tables: { exclude: ['salaries'] },
    columns: { exclude: ['customers.email'], mask: ['customers.phone'] },
  }
  writeFileSync(
    join(folder, 'querent.yml'),
    stringify({
      defaultDatabase: 'shop',
      databases: { shop: { path: 'shop.sqlite', ...hidden }, pets: { path: 'pets.sqlite' } },
      timeZone: 'UTC',
      ...settings,
    }),
  )
  return {
    folder,
    home: join(folder, 'home'),
    env: { QUERENT_CONFIG: join(folder, 'querent.yml'), DATABASE_URL: storeUrl },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
