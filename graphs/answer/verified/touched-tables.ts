import type { Table } from '../../../src/core/catalog.ts'
import type { ReferencedTable, StatementSchema } from '../../../src/core/touched-table.ts'
import { sqlReferences, type TableReference } from '../../../src/sql/sql-references.ts'

/**
 * The tables and columns of a catalog that a statement reads, with their types: the part of the schema that it stands
 * on. A name without a table goes to every table of the statement that has it. Null where it cannot be parsed.
 */
export const touchedTables = (
  sql: string,
  { catalog, dialect }: StatementSchema,
): readonly ReferencedTable[] | null => {
  const references = sqlReferences(sql, dialect)
  if (references === null) return null
  const read = new Set(references.tables.flatMap(reference => tablesOf(reference, catalog.tables)))
  return [...read].map(table => {
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

/**
 * Which tables a name may mean: one in the schema that it names, else one that is found without a schema, else any. A
 * table that is found without a schema does not always say which one it is in.
 */
const tablesOf = ({ schema, name }: TableReference, tables: readonly Table[]): readonly Table[] => {
  const named = tables.filter(table => same(table.name, name))
  const inSchema = named.filter(table => schema !== null && same(table.schema ?? table.home ?? '', schema))
  if (inSchema.length > 0) return inSchema
  const unqualified = named.filter(table => table.schema === null)
  return schema !== null || unqualified.length > 0 ? unqualified : named
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
