import type { DataRights } from '../../../../src/domain/access/data-rights.ts'
import { plainSession } from '../../../../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../../../../src/domain/database.ts'

/** `hidden` marks what nobody may see: rows of tenant b, and values behind masks. `copy` has only what can be seen. */
export type World = 'first' | 'second' | 'copy'

/** A shop of two tenants. The worlds differ in the hidden rows and in the values behind masks alone. */
export const worldStatements = (world: World): readonly string[] => {
  const mark = world === 'second' ? 'quartz' : 'zinc'
  const hidden = world === 'copy' ? [] : world === 'first' ? [51, 52, 53] : [61, 62]
  const email = (name: string): string => (world === 'copy' ? `****.org` : `${name}.${mark}@x.org`)
  const customers = [
    ...[1, 2, 3, 4].map(id => `(${id}, 'Ada ${id}', '${email(`a${id}`)}', 'a', ${id * 100})`),
    ...hidden.map(id => `(${id}, '${mark} ${id}', '${email(mark)}', 'b', 100)`),
  ]
  const orders = [
    ...[1, 2, 3, 4, 5, 6, 7].map(
      id =>
        `(${id}, ${(id % 3) + 1}, ${id * 37}, 'a', '2026-0${id}-11', ${id % 2 === 0 ? `'note ${id}'` : 'null'})`,
    ),
    ...hidden.map(id => `(${id}, ${id}, ${id * 1_009}, 'b', '2026-08-01', '${mark}')`),
  ]
  return [
    'CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40), email VARCHAR(60), tenant VARCHAR(5), credit INTEGER)',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total INTEGER, tenant VARCHAR(5), placed_on DATE, note VARCHAR(40))',
    'CREATE TABLE regions (id INTEGER PRIMARY KEY, name VARCHAR(20))',
    'CREATE TABLE tenants (name VARCHAR(5), is_open INTEGER)',
    `INSERT INTO customers VALUES ${customers.join(', ')}`,
    `INSERT INTO orders VALUES ${orders.join(', ')}`,
    "INSERT INTO regions VALUES (1, 'North'), (2, 'South')",
    "INSERT INTO tenants VALUES ('a', 1), ('b', 0)",
    'CREATE VIEW order_notes AS SELECT note FROM orders',
    'CREATE VIEW deep_notes AS SELECT note FROM order_notes',
    'CREATE VIEW region_names AS SELECT name FROM regions',
  ]
}

/** Rows of tenant a alone, and of addresses the last four characters; `schema` is where the tables are. */
export const worldRights = (schema: string): DataRights => ({
  key: '0123456789abcdef',
  group: 'tenant-a',
  scope: unrestrictedScope,
  rowRules: [
    { table: 'customers', condition: "tenant = 'a'" },
    { table: 'orders', condition: `tenant IN (SELECT t.name FROM ${schema}.tenants t WHERE t.is_open = 1)` },
  ],
  columnMasks: [{ column: 'customers.email', mask: 'last-four' }],
  mayExport: true,
  session: plainSession,
})

/** Statements that must give what they give over a copy of what can be seen. */
export const equalStatements = (schema: string): readonly string[] => [
  'SELECT * FROM orders ORDER BY id',
  'SELECT count(*), sum(total) FROM orders',
  `SELECT count(*) FROM ${schema}.orders`,
  `SELECT o.id FROM ${schema}.orders AS o ORDER BY 1`,
  'SELECT name, email FROM customers ORDER BY id',
  'SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name ORDER BY 1',
  'SELECT c.name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 100) ORDER BY 1',
  'SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 90) ORDER BY name',
  'SELECT name, (SELECT max(total) FROM orders WHERE customer_id = customers.id) AS top FROM customers ORDER BY name',
  'WITH big AS (SELECT * FROM orders WHERE total > 80) SELECT count(*) FROM big',
  'WITH big AS (SELECT * FROM orders), small AS (SELECT * FROM big WHERE total < 100) SELECT a.id FROM big a JOIN small b ON a.id = b.id ORDER BY 1',
  'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT n.i, o.total FROM n JOIN orders o ON o.id = n.i ORDER BY 1',
  'SELECT id FROM orders UNION SELECT id FROM customers ORDER BY 1',
  'SELECT id FROM customers EXCEPT SELECT customer_id FROM orders ORDER BY 1',
  'SELECT x.total FROM (SELECT total FROM orders ORDER BY total DESC LIMIT 3) x ORDER BY 1',
  'SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY total) AS place FROM orders ORDER BY id',
  'SELECT a.id, b.id FROM orders a, orders b WHERE a.total < b.total AND a.customer_id = b.customer_id ORDER BY 1, 2',
  'SELECT orders.id, customers.name FROM orders LEFT JOIN customers ON customers.id = orders.customer_id ORDER BY 1',
  'SELECT customer_id, count(*) FROM orders GROUP BY customer_id HAVING count(*) > 2 ORDER BY 1',
  'SELECT name FROM region_names ORDER BY 1',
  'SELECT regions.name, count(*) FROM regions CROSS JOIN orders GROUP BY regions.name ORDER BY 1',
  'SELECT count(DISTINCT email) FROM customers',
  'SELECT max(total) FROM orders WHERE note IS NOT NULL',
  'SELECT Held.id FROM orders Held ORDER BY 1',
]

/** Statements that try to get at what is hidden. Each must be refused, fail, or give the same in both worlds. */
export const tricks = (schema: string): readonly string[] => [
  'SELECT note FROM order_notes',
  'SELECT note FROM deep_notes',
  `SELECT note FROM ${schema}.order_notes`,
  'WITH orders AS (SELECT * FROM orders) SELECT * FROM orders',
  `WITH orders AS (SELECT * FROM ${schema}.orders) SELECT * FROM orders`,
  `WITH tenants AS (SELECT 'b' AS name, 1 AS is_open) SELECT * FROM orders`,
  `WITH RECURSIVE tenants AS (SELECT 'b' AS name, 1 AS is_open) SELECT * FROM orders`,
  `SELECT * FROM (WITH orders AS (SELECT * FROM ${schema}.orders) SELECT * FROM orders) x`,
  `SELECT * FROM orders o WHERE o.id IN (WITH orders AS (SELECT * FROM ${schema}.orders) SELECT id FROM orders)`,
  `SELECT * FROM ${schema}.orders, ${schema}.customers`,
  `SELECT * FROM ${schema} . orders`,
  `SELECT * FROM ${schema}/* */./* */orders`,
  `SELECT ${schema}.orders.note FROM ${schema}.orders`,
  'SELECT * FROM orders AS customers JOIN customers AS orders ON true',
  'SELECT customers.note FROM orders AS customers',
  "SELECT * FROM orders WHERE 1 = 1 OR tenant = 'b'",
  "SELECT * FROM orders WHERE tenant = 'a') OR (1 = 1",
  "SELECT * FROM orders -- ') OR 1 = 1",
  'SELECT count(*) FROM orders WHERE 1 / (CASE WHEN total > 5000 THEN 0 ELSE 1 END) = 1',
  'SELECT count(*) FROM orders WHERE CAST(note AS INTEGER) = 1',
  'SELECT CAST(note AS INTEGER) FROM orders',
  'SELECT CAST(email AS INTEGER) FROM customers',
  'SELECT email || name FROM customers',
  "SELECT count(*) FROM customers WHERE email LIKE '%zinc%'",
  "SELECT count(*) FROM customers WHERE email LIKE '%quartz%'",
  'SELECT max(email), min(email) FROM customers',
  'SELECT length(email) FROM customers',
  'SELECT c.email FROM customers c ORDER BY c.email',
  "SELECT id FROM customers GROUP BY id, email HAVING max(email) > 'm'",
  'SELECT * FROM customers JOIN orders USING (tenant)',
  'SELECT * FROM customers NATURAL JOIN orders',
  'SELECT o.* FROM customers c, LATERAL (SELECT * FROM orders WHERE customer_id = c.id) o',
  'SELECT (SELECT max(total) FROM orders)',
  'VALUES ((SELECT max(total) FROM orders))',
  'TABLE orders',
  'SELECT * FROM ONLY orders',
  'SELECT ctid, * FROM orders',
  'SELECT rowid, * FROM orders',
  'SELECT orders FROM orders',
  'SELECT to_json(orders) FROM orders',
  'SELECT row_to_json(o) FROM orders o',
  'SELECT to_jsonb(c) FROM customers c',
  'SELECT * FROM orders TABLESAMPLE SYSTEM (100)',
  'SELECT * FROM orders USING SAMPLE 100%',
  'FROM orders',
  'FROM orders SELECT note',
  'SELECT COLUMNS(*) FROM orders',
  "SELECT COLUMNS('note|email') FROM customers, orders",
  'SELECT * EXCLUDE (id) FROM orders',
  'SELECT * REPLACE (note AS id) FROM orders',
  'SUMMARIZE orders',
  'FROM (SUMMARIZE orders)',
  'DESCRIBE orders',
  'PIVOT orders ON tenant USING sum(total)',
  'SELECT * FROM (PIVOT orders ON tenant USING sum(total))',
  'UNPIVOT customers ON name, email INTO NAME what VALUE held',
  "SELECT * FROM query('SELECT * FROM orders')",
  "SELECT * FROM query_table('orders')",
  "SELECT query_to_xml('select * from orders', true, true, '')",
  'SELECT * FROM orders PARTITION (p0)',
  'SELECT * FROM orders INDEXED BY sqlite_autoindex_orders_1',
  'SELECT * FROM orders NOT INDEXED',
  'SELECT 1 WHERE 53 IN (SELECT id FROM orders)',
  'SELECT 51 IN orders',
  'SELECT count(*) FILTER (WHERE total > 5000) FROM orders',
  "SELECT string_agg(note, ',') FROM orders",
  'SELECT group_concat(note) FROM orders',
  'SELECT * FROM `orders`',
  'SELECT * FROM "orders"',
  'SELECT * FROM [orders]',
  'SELECT * FROM "Orders"',
  'SELECT * FROM OrDeRs',
  'SELECT * FROM pg_stats',
  'SELECT * FROM information_schema.tables',
  'SELECT * FROM (orders)',
  'SELECT * FROM (orders JOIN customers ON orders.customer_id = customers.id)',
  'SELECT * FROM orders FULL JOIN customers ON false',
  'SELECT lag(note) OVER (ORDER BY id), sum(total) OVER () FROM orders',
  '(SELECT * FROM orders) UNION ALL (SELECT * FROM orders)',
  'SELECT * FROM orders INTERSECT SELECT * FROM orders',
  'WITH a AS (SELECT * FROM orders), b AS (SELECT * FROM a) SELECT * FROM b',
  'SELECT * FROM regions WHERE (SELECT count(*) FROM orders) > 8',
  'SELECT CASE WHEN EXISTS (SELECT 1 FROM orders WHERE id > 50) THEN 1 END',
  'EXPLAIN SELECT * FROM orders',
]
