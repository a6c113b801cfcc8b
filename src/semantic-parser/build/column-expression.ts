import type { Expression, MomentType } from '../../sql/render/expression.ts'
import type { TableSource } from '../../sql/render/select-query.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

/** A column by its table's name; bare in a query over one table. */
export const columnExpression = (column: ColumnEntry, qualified: boolean): Expression => ({
  kind: 'column',
  table: qualified ? column.table.table.name : null,
  name: column.column.name,
})

export const tableSource = (table: TableEntry): TableSource => ({
  schema: table.table.schema,
  name: table.table.name,
  alias: null,
})

/** How a column keeps its moments, from its kind and the words of its declared type. */
export const momentType = (column: ColumnEntry): MomentType => {
  if (column.column.kind === 'date') return 'date'
  if (column.column.kind !== 'timestamp') return 'text'
  return /with time zone|timestamptz|\btz\b/i.test(column.column.type) ? 'instant' : 'local'
}
