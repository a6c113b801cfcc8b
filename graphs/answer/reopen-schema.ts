import type { Database } from '../../src/core/database.ts'
import type { LinkedSchema } from '../../src/core/linked-schema.ts'
import type { SqlErrorClass } from '../../src/core/sql-error.ts'
import type { AnswerDeps } from './deps.ts'
import { readStatement } from './fixes/statement.ts'
import { intendedNames } from './fixes/wanted-names.ts'

const forNames: ReadonlySet<SqlErrorClass> = new Set(['unknown-table', 'unknown-column'])

/**
 * The linked schema as a fixer should see it: after a statement named what does not exist, with what it may have
 * meant among all that was dropped (ReCAP 3.3). A copy for this candidate, since the brief is everybody's: branches
 * that run at once cannot undo one another's.
 */
export const widenSchemaForRepair = (
  input: {
    readonly sql: string
    readonly errorClass: SqlErrorClass
    readonly linked: LinkedSchema
    readonly database: Database
  },
  { widenSchema }: Pick<AnswerDeps, 'widenSchema'>,
): LinkedSchema => {
  const { sql, errorClass, linked, database } = input
  if (!forNames.has(errorClass)) return linked
  const statement = readStatement(sql, database)
  if (statement === null) return linked
  return widenSchema({ catalog: database.catalog, linked, wanted: intendedNames(statement) })
}
