import type { Catalog } from '../../core/catalog.ts'
import type { ColumnName } from './described-sql.ts'
import { findTable, fold } from './names.ts'

/** Whether a column is there to join by: part of a primary or foreign key, or called an id. Nobody asks for those. */
export const isKeyColumn = ({ table, column }: ColumnName, catalog: Catalog): boolean => {
  if (/(?:^|_)id$|[a-z]I[dD]$/i.test(column)) return true
  const found = table === null ? null : findTable(catalog, table)
  if (found === null) return false
  return (
    found.primaryKey.some(one => fold(one) === fold(column)) ||
    catalog.foreignKeys.some(
      ({ from }) =>
        fold(from.table) === fold(found.name) && from.columns.some(one => fold(one) === fold(column)),
    )
  )
}
