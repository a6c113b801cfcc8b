/** Statements that once showed what was hidden, by dialect, over the tables of the worlds. */
export const knownTricks: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    'WITH "Customers" AS (SELECT 1 AS id) SELECT * FROM customers',
    'WITH "Orders" AS (SELECT 1 AS id) SELECT * FROM orders',
    'WITH "Salaries" AS (SELECT 1 AS id, 2 AS bank) SELECT * FROM salaries',
    'WITH "Salaries" AS (SELECT 1 AS id, 2 AS bank) SELECT bank FROM salaries',
    'WITH "SALARIES" AS (SELECT 1 AS bank) SELECT bank FROM SALARIES',
    'WITH "TICKETS" AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'WITH "tic\u212aets" AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'WITH tic\u212aets AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'WITH "PG_SHADOW" AS (SELECT 1) SELECT usename, passwd FROM pg_shadow',
    'WITH "Pg_Shadow" AS (SELECT 1 AS usename) SELECT usename FROM pg_shadow',
    'WITH "PG_AUTHID" AS (SELECT 1 AS rolname) SELECT rolname FROM pg_authid',
    'SELECT (SELECT c.email FROM (SELECT 1 AS email) "C" LIMIT 1) FROM customers c',
  ],
  duckdb: [
    'WITH RECURSIVE salaries AS (SELECT * FROM salaries) SELECT * FROM salaries',
    'WITH RECURSIVE orders AS (SELECT * FROM orders) SELECT * FROM orders',
    'WITH RECURSIVE customers AS (SELECT email FROM customers) SELECT email FROM customers',
    'WITH "tic\u212aets" AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'WITH tic\u212aets AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'WITH "TIC\u212aETS" AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'WITH "duc\u212adb_tables" AS (SELECT 1 AS sql) SELECT sql FROM duckdb_tables',
  ],
  sqlite: [
    'WITH "tic\u212aets" AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'WITH tic\u212aets AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
    'SELECT (SELECT tickets.bank_key FROM (SELECT 1 AS bank_key) AS "tic\u212aets") FROM tickets',
    'SELECT (SELECT main.customers.email FROM (SELECT 1 AS email) AS customers) FROM customers',
  ],
  mysql: [
    'WITH `salariés` AS (SELECT 1 AS bank) SELECT bank FROM salaries',
    'WITH `SALARIES` AS (SELECT 1 AS bank) SELECT bank FROM salaries',
    'WITH `tic\u212aets` AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
  ],
  clickhouse: [
    'WITH (SELECT 1 AS email) AS customers SELECT email FROM customers',
    'WITH (SELECT 1 AS bank) AS salaries SELECT bank FROM salaries',
    'WITH (SELECT 1 AS note) AS orders SELECT note FROM orders',
    'WITH (SELECT 1 AS bank_key) AS tickets SELECT bank_key FROM tickets',
  ],
  trino: [
    'WITH "Salaries" AS (SELECT 1 AS bank) SELECT bank FROM salaries',
    'WITH "tic\u212aets" AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
  ],
  spark: [
    'WITH `Salaries` AS (SELECT 1 AS bank) SELECT bank FROM salaries',
    'WITH `tic\u212aets` AS (SELECT 1 AS bank_key) SELECT bank_key FROM tickets',
  ],
}
