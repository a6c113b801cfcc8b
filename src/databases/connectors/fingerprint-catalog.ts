import { createHash } from 'node:crypto'
import type { Catalog } from '../../core/catalog.ts'

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * SHA-256 (hex) of a canonical listing: schemas, tables, columns in their order, types, nullability and keys.
 * Neither rows, counts nor comments enter it, nor the order in which the server lists tables.
 */
export const fingerprintCatalog = (catalog: Omit<Catalog, 'fingerprint'>): string => {
  const tables = catalog.tables
    .map(table =>
      JSON.stringify([
        table.schema,
        table.name,
        table.type,
        table.columns.map(column => [column.name, column.type, column.kind, column.nullable]),
        table.primaryKey,
      ]),
    )
    .sort(compareText)
  const keys = catalog.foreignKeys
    .map(key => JSON.stringify([key.from.table, key.from.columns, key.to.table, key.to.columns, key.source]))
    .sort(compareText)
  return createHash('sha256')
    .update(JSON.stringify([catalog.dialect, tables, keys]))
    .digest('hex')
}
