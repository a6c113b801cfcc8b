import type { RequestedName } from '../../../src/domain/question-context.ts'
import { resolveColumn } from '../../../src/sql/analyze/sql-scopes.ts'
import { type Statement, tableNamed } from './statement.ts'

/** What a statement names of the schema: its columns, and tables whole of which no column is named. */
export const namesIn = (statement: Statement): readonly RequestedName[] => {
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
