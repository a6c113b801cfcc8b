import type { RequestedName } from '../../../src/core/linked-schema.ts'
import { resolveColumn } from '../../../src/sql/resolve-column.ts'
import { nearestName } from './near-name.ts'
import { type Statement, sameName, tableNamed } from './statement.ts'

/**
 * What a statement that named unknown things may have meant, anywhere in the catalog: the tables and columns that it
 * names, those of other tables that are called as its unknown columns are, and the one near name of each unknown one.
 */
export const intendedNames = (statement: Statement): readonly RequestedName[] => [
  ...intendedTables(statement),
  ...intendedColumns(statement),
]

const intendedTables = (statement: Statement): readonly RequestedName[] => {
  const { tables } = statement.database.catalog
  return statement.scopes
    .flatMap(scope => scope.sources)
    .flatMap(({ kind, name }) => {
      if (kind !== 'table' || name === null || tableNamed(name, statement)) return []
      const near = nearestName(
        name,
        tables.map(table => table.name),
      )
      return near === null ? [] : [{ table: near, column: null }]
    })
}

const intendedColumns = (statement: Statement): readonly RequestedName[] => {
  const { tables } = statement.database.catalog
  const names = [...new Set(tables.flatMap(table => table.columns.map(column => column.name)))]
  return statement.scopes.flatMap(scope =>
    scope.columns
      .filter(({ column }) => column !== '*')
      .flatMap(use => resolveColumn(use, scope))
      .flatMap(({ table: owner, column }): readonly RequestedName[] => {
        const table = owner === null ? null : tableNamed(owner, statement)
        if (table?.columns.some(({ name }) => sameName(name, column, statement)))
          return [{ table: table.name, column }]
        const near = nearestName(column, names)
        return [{ table: null, column }, ...(near === null ? [] : [{ table: null, column: near }])]
      }),
  )
}
