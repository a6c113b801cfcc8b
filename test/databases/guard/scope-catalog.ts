import type { Catalog, Column, Table } from '../../../src/domain/catalog.ts'
import type { ReadScope } from '../../../src/domain/database.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { makeColumn } from '../../helpers/make-column.ts'

/** The tables and views that `fixtures/guard/scoped.jsonl` speaks of: names, columns, and the views' queries. */
export const scopedTables: readonly { name: string; columns: readonly string[]; query?: string }[] = [
  { name: 'customers', columns: ['id', 'name', 'city', 'email', 'ssn', 'manager_id'] },
  { name: 'orders', columns: ['id', 'customer_id', 'amount', 'note', 'email', 'placed_on'] },
  { name: 'people', columns: ['id', 'name', 'ssn'] },
  { name: 'salaries', columns: ['id', 'person_id', 'amount'] },
  { name: 'customer_names', columns: ['id', 'name'], query: 'SELECT id, name FROM customers' },
  { name: 'customer_contacts', columns: ['id', 'e'], query: 'SELECT id, email AS e FROM customers' },
  { name: 'pay', columns: ['id', 'amount'], query: 'SELECT person_id AS id, amount FROM salaries' },
]

const isNumber = (name: string): boolean => /(?:^|_)id$|^amount$/.test(name)

/** CREATE statements for all of it, the same in every dialect. */
export const scopedSchema: readonly string[] = scopedTables.map(({ name, columns, query }) =>
  query === undefined
    ? `CREATE TABLE ${name} (${columns.map(column => `${column} ${isNumber(column) ? 'integer' : 'varchar(100)'}`).join(', ')})`
    : `CREATE VIEW ${name} AS ${query}`,
)

const column = (name: string): Column =>
  isNumber(name) ? makeColumn(name, { kind: 'integer' }) : makeColumn(name, { type: 'varchar(100)' })

/** The same as a catalog. */
export const scopedCatalog = (dialect: Dialect): Catalog => ({
  dialect,
  tables: scopedTables.map(
    ({ name, columns, query }): Table => ({
      schema: null,
      name,
      type: query === undefined ? 'table' : 'view',
      comment: null,
      rowCount: null,
      columns: columns.map(column),
      primaryKey: [],
      ...(query !== undefined && { definition: query }),
    }),
  ),
  foreignKeys: [
    {
      from: { table: 'orders', columns: ['customer_id'] },
      to: { table: 'customers', columns: ['id'] },
      source: 'declared',
      inclusion: null,
    },
    {
      from: { table: 'orders', columns: ['email'] },
      to: { table: 'customers', columns: ['email'] },
      source: 'declared',
      inclusion: null,
    },
  ],
  fingerprint: 'test',
})

/** A scope with what is left out of it. */
export const fullScope = (scope: {
  tables?: Partial<ReadScope['tables']>
  columns?: Partial<ReadScope['columns']>
}): ReadScope => ({
  tables: { include: [], exclude: [], ...scope.tables },
  columns: { exclude: [], mask: [], ...scope.columns },
})
