import { afterAll, describe, expect, test } from 'vitest'
import { type DataRights, plainSession } from '../../../../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../../../../src/domain/database.ts'
import { requireService } from '../../../helpers/services/require-service.ts'
import { fullScope } from '../scope-catalog.ts'
import { makeServers, type ServerName } from './servers.ts'
import { openUnder, tryStatement } from './try-rights.ts'

// Views, functions, generated columns, keys and tables that inherit show what others hold.

const mysqlUrl = requireService('MYSQL_URL', 'copies of what is kept, on MariaDB and MySQL')

const undo: (() => unknown)[] = []

afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const generated = (server: ServerName): string => (server === 'DuckDB' ? 'VIRTUAL' : 'STORED')

/** What only one kind of database has. Each shows values of `orders` or `people`. */
const special: Readonly<Record<ServerName, readonly string[]>> = {
  Postgres: [
    'CREATE MATERIALIZED VIEW stored_notes AS SELECT note FROM orders',
    "CREATE FUNCTION st_latitude(i integer) RETURNS text LANGUAGE sql AS 'SELECT max(note) FROM orders'",
    'CREATE VIEW called_notes AS SELECT st_latitude(id) AS n FROM regions',
    'CREATE OPERATOR !! (rightarg = integer, function = st_latitude)',
    'CREATE TABLE vips (perk text) INHERITS (people)',
    "INSERT INTO vips (id, email, phone, perk) VALUES (9, 'vip.zinc@x.org', '1', 'car')",
  ],
  SQLite: ['CREATE VIRTUAL TABLE words USING fts5(note, content=orders, content_rowid=id)'],
  DuckDB: [
    'CREATE MACRO st_latitude(i) AS (SELECT max(note) FROM orders)',
    'CREATE MACRO all_notes() AS TABLE SELECT note FROM orders',
    'CREATE VIEW called_notes AS SELECT st_latitude(id) AS n FROM regions',
    'CREATE VIEW table_notes AS SELECT note FROM all_notes()',
  ],
  MariaDB: [
    'CREATE FUNCTION st_latitude(i INTEGER) RETURNS VARCHAR(40) READS SQL DATA RETURN (SELECT max(note) FROM orders)',
    'CREATE VIEW called_notes AS SELECT st_latitude(id) AS n FROM regions',
    'ALTER TABLE people ADD COLUMN copied VARCHAR(60) DEFAULT (email)',
    'UPDATE people SET copied = email',
  ],
}

const statements = (server: ServerName): readonly string[] => [
  `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(60) UNIQUE, phone VARCHAR(20),
     shout VARCHAR(60) GENERATED ALWAYS AS (upper(email)) ${generated(server)})`,
  'CREATE TABLE logins (id INTEGER PRIMARY KEY, person VARCHAR(60), FOREIGN KEY (person) REFERENCES people (email))',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, note VARCHAR(40), tenant VARCHAR(5))',
  'CREATE TABLE regions (id INTEGER PRIMARY KEY, name VARCHAR(20))',
  "INSERT INTO people (id, email, phone) VALUES (1, 'ada.zinc@x.org', '1'), (2, 'bob.zinc@x.org', '2'), (3, null, '3')",
  "INSERT INTO logins VALUES (1, 'ada.zinc@x.org'), (2, 'bob.zinc@x.org'), (3, 'ada.zinc@x.org')",
  "INSERT INTO orders VALUES (1, 'zinc', 'b'), (2, 'tin', 'a')",
  "INSERT INTO regions VALUES (1, 'North'), (2, 'South')",
  'CREATE VIEW order_notes AS SELECT note FROM orders',
  'CREATE VIEW mail_list AS SELECT email AS address FROM people',
  'CREATE VIEW region_names AS SELECT name FROM regions',
  ...special[server],
]

const rights = (changes: Partial<DataRights> = {}): DataRights => ({
  key: '0123456789abcdef',
  group: 'tenant-a',
  scope: unrestrictedScope,
  rowRules: [{ table: 'orders', condition: "tenant = 'a'" }],
  columnMasks: [{ column: 'people.email', mask: 'last-four' }],
  mayExport: true,
  session: plainSession,
  ...changes,
})

const open = async (address: string, under: DataRights) => {
  const opened = await openUnder(address, under)
  undo.push(opened.close)
  return opened
}

describe.each(makeServers(undo, mysqlUrl))('copies on %s', (server, make) => {
  test('of rows and of masked values are nowhere', async () => {
    const { address } = await make(statements(server))
    const opened = await open(address, rights())
    const { catalog, findValues } = opened.database
    const columns = new Map(catalog.tables.map(table => [table.name, table.columns.map(({ name }) => name)]))
    expect(Object.fromEntries(columns)).toEqual({
      logins: ['id', 'person'],
      orders: ['id', 'note', 'tenant'],
      people: ['id', 'email', 'phone'],
      region_names: ['name'],
      regions: ['id', 'name'],
      ...(server === 'Postgres' && { vips: ['id', 'email', 'phone', 'perk'] }),
    })
    expect(JSON.stringify(catalog)).not.toMatch(/zinc/i)
    expect(findValues('zinc')).toEqual([])
    for (const sql of [
      ...['order_notes', 'mail_list', 'stored_notes', 'called_notes', 'table_notes', 'words'].map(
        name => `SELECT * FROM ${name}`,
      ),
      'SELECT shout FROM people',
      'SELECT count(*) FROM people WHERE shout IS NULL',
      'SELECT copied FROM people',
      'SELECT st_latitude(1)',
      ...(server === 'Postgres'
        ? ['SELECT !! 1', 'SELECT id !! FROM regions', 'SELECT max(!! id) FROM regions']
        : []),
      'SELECT * FROM all_notes()',
      'SELECT * FROM order_note',
      'SELECT * FROM mail_lists',
      'SELECT shouts FROM people',
    ]) {
      const { status, shown } = await tryStatement(opened, sql)
      expect({ sql, status }).toEqual({ sql, status: 'refused' })
      expect(shown, sql).not.toMatch(/nearest|zinc/i)
    }
    expect((await tryStatement(opened, 'SELECT * FROM people ORDER BY id')).shown).toContain('****.org')
    const logins = await tryStatement(opened, 'SELECT person, count(*) FROM logins GROUP BY person')
    expect(logins.shown).toContain('[["****.org",3]]')
    if (server === 'Postgres')
      expect((await tryStatement(opened, 'SELECT email, perk FROM vips')).shown).toContain(
        '["****.org","car"]',
      )
  }, 60_000)

  test('stay closed under masks with patterns, and may be named in lists', async () => {
    const { address } = await make(statements(server))
    const opened = await open(
      address,
      rights({
        columnMasks: [{ column: '*.note', mask: 'last-four' }],
        scope: fullScope({
          tables: { exclude: ['order_notes'] },
          columns: { exclude: ['mail_list.address'] },
        }),
      }),
    )
    expect(opened.database.catalog.tables.map(({ name }) => name)).not.toContain('order_notes')
    expect((await tryStatement(opened, 'SELECT note FROM order_notes')).status).toBe('refused')
  }, 60_000)

  test('carry the masks of lists', async () => {
    const { address } = await make(statements(server))
    const listed = rights({
      rowRules: [],
      columnMasks: [],
      scope: fullScope({ columns: { mask: ['people.email'] } }),
    })
    const opened = await open(address, listed)
    expect(JSON.stringify(opened.database.catalog)).not.toMatch(/zinc\.?@?x|ada\.zinc/i)
    for (const sql of [
      'SELECT person FROM logins',
      'SELECT shout FROM people',
      'SELECT * FROM mail_list',
      ...(server === 'Postgres' ? ['SELECT email FROM vips'] : []),
      ...(server === 'MariaDB' ? ['SELECT copied FROM people'] : []),
    ])
      expect({ sql, ...(await tryStatement(opened, sql)) }).toMatchObject({ sql, status: 'refused' })
    const joined = 'SELECT count(*) FROM logins JOIN people ON people.email = logins.person'
    expect((await tryStatement(opened, joined)).shown).toContain('[[3]]')
  }, 60_000)
})
