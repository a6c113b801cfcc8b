import type { Catalog, Table } from '../../domain/catalog.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { looksLikeKey } from './infer-foreign-keys.ts'

/**
 * The same tables with primary keys that their values show, for engines that declare none (Trino, Spark, ClickHouse): the
 * first column that is named like a key and has another value in every row that was read.
 */
export const inferPrimaryKeys = <Described extends Pick<Catalog, 'dialect' | 'tables'>>(
  catalog: Described,
): Described =>
  databaseDialect(catalog.dialect).typing.declaresKeys
    ? catalog
    : { ...catalog, tables: catalog.tables.map(withKey) }

const withKey = (table: Table): Table => {
  if (table.type === 'view' || table.primaryKey.length > 0) return table
  const key = table.columns.find(looksLikeKey)
  return key === undefined ? table : { ...table, primaryKey: [key.name] }
}
