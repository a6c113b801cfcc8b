import type { Catalog, Column, ForeignKey, Table } from '../../../core/catalog.ts'
import type { ReadScope } from '../../../core/read-scope.ts'
import { foldName } from './fold-name.ts'
import { type ScopedDatabase, scopedDatabase } from './scoped-database.ts'

/**
 * The catalog that everything but the guard sees: closed tables and hidden columns are not in it, nor keys over them.
 * Masked columns stay by name and type, with a mark, without a profile. Views have no definition any more, because
 * it may name what is hidden.
 */
export const scopeCatalog = (
  catalog: Catalog,
  scope: ReadScope,
  database: ScopedDatabase = scopedDatabase(catalog, scope),
): Catalog => {
  const open = database.tables.filter(({ table }) => database.closedBecause(table) === null)
  const tables = open.map(({ table, columns }): Table => {
    const seen = table.columns.flatMap((column): Column[] => {
      switch (columns.get(foldName(column.name, catalog.dialect))) {
        case 'open':
          return [column]
        case 'masked':
          return [{ ...column, profile: null, masked: true }]
        default:
          return []
      }
    })
    const { definition: _definition, ...rest } = table
    const isWhole = table.primaryKey.every(name => seen.some(column => column.name === name))
    return { ...rest, columns: seen, primaryKey: isWhole ? table.primaryKey : [] }
  })
  const named = new Map(open.map(({ table }, index) => [table, tables[index] as Table]))
  const isSeen = (side: ForeignKey['from']): boolean => {
    const meant = catalog.tables.filter(table => isCalled(table, side.table))
    return meant.every(table => {
      const columns = named.get(table)?.columns ?? []
      return side.columns.every(name => columns.some(column => column.name === name))
    })
  }
  return {
    ...catalog,
    tables: tables.filter(table => table.columns.length > 0),
    foreignKeys: catalog.foreignKeys.filter(key => isSeen(key.from) && isSeen(key.to)),
  }
}

const isCalled = ({ schema, name }: Table, called: string): boolean =>
  called === name || called === `${schema}.${name}`
