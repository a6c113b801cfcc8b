import type { Catalog } from '../../../src/core/catalog.ts'
import type { Dialect } from '../../../src/core/dialect.ts'
import type { SchemaSnapshot } from '../../../src/core/known-schema.ts'
import type { ResultTable } from '../../../src/core/result.ts'
import { touchedTables } from '../verified/touched-tables.ts'
import { knownColumn } from './past-tables.ts'

/** Other tables whose names are kept; of more it is not known later which are new. */
const MOST_OTHERS = 500
/** Wider tables are kept up to here: what a statement stands on must stay small. */
const MOST_COLUMNS = 300

/** What of a schema a statement stands on while it runs, and what it gives; null where it cannot be parsed. */
export const takeSchemaSnapshot = (
  sql: string,
  { catalog, dialect }: { readonly catalog: Catalog; readonly dialect: Dialect },
  result: Pick<ResultTable, 'columns' | 'rows'> | null,
): SchemaSnapshot | null => {
  const touched = touchedTables(sql, { catalog, dialect })
  if (touched === null) return null
  const isRead = ({ schema, name }: { readonly schema: string | null; readonly name: string }): boolean =>
    touched.some(table => table.schema === schema && table.name === name)
  const read = catalog.tables.filter(isRead)
  const names = new Set(read.map(({ name }) => name))
  const others = catalog.tables.filter(table => !isRead(table)).map(({ name }) => name)
  return {
    tables: read.map(({ schema, name, columns }) => ({
      ...{ schema, name },
      columns: columns.slice(0, MOST_COLUMNS).map(knownColumn),
    })),
    foreignKeys: catalog.foreignKeys
      .filter(({ from, to }) => names.has(from.table) || names.has(to.table))
      .map(({ from, to }) => ({ from, to })),
    others: others.length > MOST_OTHERS ? null : others,
    result: result && { columns: result.columns, rows: result.rows.length },
  }
}
