import type { DatabaseReference } from '../../databases/database-reference.ts'
import type { Catalog } from '../../domain/catalog.ts'
import type { SafeguardResults } from '../../domain/database.ts'
import { databaseFindings as copy } from '../copy/doctor.ts'
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

const inPostgres = (name: string): string => `"${name.replaceAll('"', '""')}"`

const inMysql = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** The user that the statements create. */
export const readerName = 'querent_reader'

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

/** A table without a schema is found by its plain name, so it is usually in `public`. */
const schemasOf = (catalog: Catalog): readonly string[] => [
  ...new Set(catalog.tables.map(table => table.schema ?? 'public')),
]

/**
 * The statements that create a user that can only read, for an administrator to run. Without a password, the administrator
 * chooses one. Null if the database has no users.
 */
export const readOnlyRoleStatements = (
  reference: DatabaseReference,
  catalog: Catalog,
  password = 'CHOOSE ONE',
): readonly string[] | null => {
  switch (reference.kind) {
    case 'postgres': {
      const database = databaseOf(reference.url)
      return [
        `create role ${readerName} login password '${password}';`,
        `alter role ${readerName} set default_transaction_read_only = on;`,
        ...(database === '' ? [] : [`grant connect on database ${inPostgres(database)} to ${readerName};`]),
        ...schemasOf(catalog).flatMap(name => {
          const schema = inPostgres(name)
          return [
            // Before PostgreSQL 15 everybody may create tables in public.
            ...(name === 'public' ? ['revoke create on schema "public" from public;'] : []),
            `grant usage on schema ${schema} to ${readerName};`,
            `grant select on all tables in schema ${schema} to ${readerName};`,
            `alter default privileges in schema ${schema} grant select on tables to ${readerName};`,
          ]
        }),
        '-- "alter default" covers what whoever runs it makes later: let whoever else makes tables run it too.',
      ]
    }
    case 'mysql':
      return [
        `create user '${readerName}'@'%' identified by '${password}';`,
        `grant select, show view on ${inMysql(databaseOf(reference.url))}.* to '${readerName}'@'%';`,
      ]
    case 'sqlite':
    case 'duckdb':
      return null
    default: {
      const never: never = reference
      return never
    }
  }
}
