import type { Table } from '../../../src/core/catalog.ts'
import type { TouchableSchema, TouchedTable } from '../../../src/core/touched-table.ts'
import { sqlReferences, type TableReference } from '../../../src/sql/sql-references.ts'

/**
 * The tables and columns of a catalog that a statement reads, with their types: the part of the schema that it stands
 * on. A name without a table goes to every table of the statement that has it. Null where it cannot be parsed.
 */
export const touchedTables = (
  sql: string,
  { catalog, dialect }: TouchableSchema,
): readonly TouchedTable[] | null => {
  const references = sqlReferences(sql, dialect)
  if (references === null) return null
  const read = catalog.tables.filter(table => references.tables.some(reference => isNamed(table, reference)))
  return read.map(table => {
    const named = references.columns.filter(column => column.table === null || same(column.table, table.name))
    const whole = named.some(({ column }) => column === '*')
    return {
      schema: table.schema,
      name: table.name,
      whole,
      columns: table.columns
        .filter(({ name }) => whole || named.some(({ column }) => same(column, name)))
        .map(({ name, type }) => ({ name, type })),
      definition: table.definition ?? null,
    }
  })
}

const isNamed = (table: Table, { schema, name }: TableReference): boolean => {
  const home = table.schema ?? table.home ?? null
  return same(table.name, name) && (schema === null || home === null || same(home, schema))
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
