import type { DatabaseReference } from '../../databases/database-reference.ts'
import type { Catalog } from '../../domain/catalog.ts'
import type { SafeguardResults } from '../../domain/database.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { databaseFindings as copy } from '../copy/operations.ts'
import type { Check } from './checks.ts'

/**
 * The status, finding and to-do for the safeguards of a database. `roleStatements` create a user that can only read; null if
 * the database has no users.
 */
export const summarizeSafeguards = (
  results: SafeguardResults,
  roleStatements: readonly string[] | null,
): Pick<Check, 'status' | 'finding' | 'todo'> => {
  const { refusesWrites, stopsAtTimeout, cancelFreesServer, roleCanWrite } = results
  const hold = refusesWrites && stopsAtTimeout && cancelFreesServer
  const findings = [
    hold ? copy.safeguardsHold : copy.safeguardsFail,
    copy.writesRefused(refusesWrites),
    copy.timeLimit(stopsAtTimeout),
    copy.cancelling(cancelFreesServer),
    ...(roleCanWrite === null ? [] : [copy.role(roleCanWrite)]),
  ]
  const todos = [
    ...(refusesWrites && roleCanWrite !== true
      ? []
      : [roleStatements === null ? copy.makeFileReadOnly : copy.makeReader(roleStatements)]),
    ...(stopsAtTimeout && cancelFreesServer ? [] : [copy.fixStopping]),
  ]
  return {
    status: !hold ? 'broken' : roleCanWrite === true ? 'weak' : 'ok',
    finding: findings.join('; '),
    ...(todos.length > 0 && { todo: todos.join('\n') }),
  }
}

/** The user that these statements create. */
export const readerName = 'querent_reader'

/**
 * SQL for an administrator that creates a user who can read a database and do nothing else in it. Without a password the
 * administrator chooses one. Null if the database has no users.
 */
export const readOnlyRoleStatements = (
  { dialect, location }: DatabaseReference,
  { tables }: Catalog,
  password = 'CHOOSE ONE',
): readonly string[] | null => {
  const { readOnlyRole, names } = databaseDialect(dialect)
  if (readOnlyRole === null) return null
  return readOnlyRole({
    role: readerName,
    password,
    database: decodeURIComponent(new URL(location).pathname.slice(1)),
    // A table without a schema is found by its plain name, most often in the default schema.
    schemas: [...new Set(tables.map(table => table.schema ?? names.defaultSchema))],
  })
}
