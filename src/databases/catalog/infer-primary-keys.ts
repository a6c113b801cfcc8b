import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { looksLikeKey } from './infer-foreign-keys.ts'

/**
 * The same tables with primary keys that their values show, for engines that declare none (Trino, Spark, ClickHouse): the
 * first column that is named like a key, has another value in every row that was read, and refers to no other table.
 */
export const inferPrimaryKeys = <Described extends Pick<Catalog, 'dialect' | 'tables' | 'foreignKeys'>>(
  catalog: Described,
): Described => {
  if (databaseDialect(catalog.dialect).typing.declaresKeys) return catalog
  const names = nameTables(catalog)
  const referring = new Set(
    catalog.foreignKeys.flatMap(({ from }) =>
      from.columns.map(column => JSON.stringify([from.table, column])),
    ),
  )
  const withKey = (table: Table): Table => {
    if (table.type === 'view' || table.primaryKey.length > 0) return table
    const key = table.columns.find(
      column => looksLikeKey(column) && !referring.has(JSON.stringify([names.get(table), column.name])),
    )
    return key === undefined ? table : { ...table, primaryKey: [key.name] }
  }
  return { ...catalog, tables: catalog.tables.map(withKey) }
}
