import type { Database } from '../../../src/domain/database.ts'
import type { SqlErrorClass } from '../../../src/domain/errors.ts'
import type { LinkedSchema, RequestedName } from '../../../src/domain/question-context.ts'
import { resolveColumn } from '../../../src/sql/analyze/sql-scopes.ts'
import type { LinkingDeps } from '../deps.ts'
import { nearestName } from './rename-tables.ts'
import { readStatement, type Statement, sameName, tableNamed } from './statement.ts'

const forNames: ReadonlySet<SqlErrorClass> = new Set(['unknown-table', 'unknown-column'])

/**
 * The linked schema as a fixer should see it: after a statement named what does not exist, with what it may have
 * meant among all that was dropped (ReCAP 3.3). A copy for this candidate, since all branches share the question context: branches
 * that run at once cannot undo one another's.
 */
export const widenSchemaForRepair = (
  input: {
    readonly sql: string
    readonly errorClass: SqlErrorClass
    readonly linked: LinkedSchema
    readonly database: Database
  },
  { widenSchema }: Pick<LinkingDeps, 'widenSchema'>,
): LinkedSchema => {
  const { sql, errorClass, linked, database } = input
  if (!forNames.has(errorClass)) return linked
  const statement = readStatement(sql, database)
  if (statement === null) return linked
  return widenSchema({ catalog: database.catalog, linked, wanted: intendedNames(statement) })
}

/**
 * What a statement that named unknown things may have meant, anywhere in the catalog: the tables and columns that it
 * names, those of other tables that are called as its unknown columns are, and the one near name of each unknown one.
 */
const intendedNames = (statement: Statement): readonly RequestedName[] => [
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
