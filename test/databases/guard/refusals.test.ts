import { expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeScopedGuard } from '../../../src/databases/guard/scope/apply-scope.ts'
import { scopedDatabase } from '../../../src/databases/guard/scope/scoped-database.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { fullScope, scopedCatalog } from './scope-catalog.ts'

// What people and models read when a statement is refused. Each should name the part at fault, and say what to do
// about it where something can be done.

const scope = fullScope({
  tables: { exclude: ['salaries'] },
  columns: { exclude: ['customers.email'], mask: ['*.ssn'] },
})

const statements: readonly (readonly [Dialect, string])[] = [
  ['postgres', ''],
  ['postgres', 'SELECT name FROM customers; SELECT 1'],
  ['postgres', 'DELETE FROM customers'],
  ['postgres', 'UPDATE customers SET name = NULL'],
  ['postgres', 'WITH d AS (DELETE FROM orders RETURNING id) SELECT id FROM d'],
  ['postgres', 'SELECT name INTO copy FROM customers'],
  ['postgres', 'SELECT name FROM customers FOR UPDATE'],
  ['postgres', 'SELECT pg_sleep(10)'],
  ['postgres', "SELECT query_to_xml('SELECT 1', true, true, '')"],
  ['postgres', 'SELECT rolname FROM pg_authid'],
  ['postgres', 'SELECT table_name FROM information_schema.tables'],
  ['postgres', "COPY customers TO PROGRAM 'cat'"],
  ['postgres', 'SELECT nme FROM'],
  ['postgres', 'SELECT name FROM customers WHERE id = $1'],
  ['mysql', 'SELECT @a := 1'],
  ['mysql', 'SELECT /*! sleep(5) */ 1'],
  ['mysql', "SELECT load_file('/etc/passwd')"],
  ['mysql', "SELECT name FROM customers INTO OUTFILE '/tmp/x'"],
  ['sqlite', "ATTACH 'other.db' AS other"],
  ['sqlite', 'PRAGMA table_info(customers)'],
  ['sqlite', "SELECT load_extension('x')"],
  ['sqlite', 'SELECT name FROM sqlite_master'],
  ['duckdb', "SELECT * FROM read_csv('/etc/passwd')"],
  ['duckdb', "SELECT * FROM '/etc/passwd.csv'"],
  ['duckdb', "INSTALL 'httpfs'"],
  ['postgres', 'SELECT amount FROM salaries'],
  ['postgres', 'SELECT name FROM custmers'],
  ['postgres', 'SELECT name FROM warehouse_of_nothing'],
  ['postgres', 'SELECT email FROM customers'],
  ['postgres', 'SELECT * FROM customers'],
  ['postgres', 'SELECT row_to_json(c) FROM customers c'],
  ['postgres', "SELECT name FROM people WHERE ssn = '078-05-1120'"],
  ['postgres', 'SELECT count(*) FROM orders NATURAL JOIN customers'],
  ['postgres', 'SELECT d FROM customers AS t(a, b, c, d)'],
  ['postgres', 'SELECT ctid FROM customers'],
  ['postgres', 'SELECT e FROM customer_contacts'],
  ['postgres', 'SELECT shoe_size FROM customers'],
  ['sqlite', 'SELECT rowid FROM customers'],
  ['duckdb', 'SELECT #4 FROM customers'],
  ['duckdb', "SELECT COLUMNS('e.*') FROM customers"],
  ['duckdb', 'SELECT v FROM customers UNPIVOT (v FOR n IN (name, email))'],
]

test('refusals say what is wrong in words', () => {
  const guard = makeGuard()
  const table = statements.map(([dialect, sql]) => {
    const { find } = scopedDatabase(scopedCatalog(dialect), scope)
    const verdict = makeScopedGuard(guard, { dialect, find })(sql, dialect)
    return `${dialect}: ${sql}\n  ${verdict.verdict === 'refuse' ? verdict.reason : 'ALLOWED'}`
  })
  expect(table.filter(line => line.endsWith('ALLOWED'))).toEqual([])
  expect(table.join('\n')).toMatchSnapshot()
})
