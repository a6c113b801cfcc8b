import type { Database } from '../../../src/core/database.ts'
import type { LinkedSchema, RequestedName, WidenSchema } from '../../../src/core/linked-schema.ts'
import { resolveColumn } from '../../../src/sql/resolve-column.ts'
import { readStatement, type Statement, tableNamed } from '../fixes/statement.ts'

/**
 * The union of the schema that two statements use (CHASE-SQL 3.5): the columns that either of them names, tables whole
 * of which none is named, and the keys that join them. What the question was linked to where a statement cannot be
 * read, or names nothing.
 */
export const schemaOfPair = (
  input: {
    readonly statements: readonly [string, string]
    readonly database: Database
    readonly linked: LinkedSchema
  },
  widenSchema: WidenSchema,
): LinkedSchema => {
  const read = input.statements.map(sql => readStatement(sql, input.database))
  if (read.some(statement => statement === null || statement.scopes.length === 0)) return input.linked
  const wanted = read.flatMap(statement => (statement === null ? [] : namesIn(statement)))
  const used = widenSchema({ catalog: input.database.catalog, linked: { tables: [] }, wanted })
  return used.tables.length === 0 ? input.linked : used
}

const namesIn = (statement: Statement): readonly RequestedName[] => {
  const tables = new Set(
    statement.scopes
      .flatMap(({ sources }) => sources)
      .flatMap(
        ({ kind, name }) => (kind === 'table' && name !== null ? tableNamed(name, statement) : null) ?? [],
      ),
  )
  const columns = statement.scopes
    .flatMap(scope => scope.columns.flatMap(use => resolveColumn(use, scope)))
    .filter(({ column }) => column !== '*')
    .flatMap(({ table, column }): readonly RequestedName[] => {
      if (table !== null) return [{ table, column }]
      // A bare name of one of several tables: whichever of them has it.
      return [...tables]
        .filter(({ columns }) => columns.some(({ name }) => name.toLowerCase() === column.toLowerCase()))
        .map(({ name }) => ({ table: name, column }))
    })
  const whole = [...tables]
    .filter(({ name }) => !columns.some(({ table }) => table?.toLowerCase() === name.toLowerCase()))
    .map(({ name }) => ({ table: name, column: null }))
  return [...columns, ...whole]
}
