import type { DatabaseReference } from '../../databases/database-reference.ts'
import type { Catalog } from '../../domain/catalog.ts'
import type { SafeguardResults } from '../../domain/database.ts'
import type { Check } from './checks.ts'

/** What the walls of a database that were tried come to. `roleStatements`: how to make a user who can only read. */
export const summarizeSafeguards = (
  trials: SafeguardResults,
  roleStatements: readonly string[] | null,
): Pick<Check, 'status' | 'finding' | 'todo'> => {
  const findings = [
    trials.refusesWrites ? 'a write was refused' : 'A WRITE WAS NOT REFUSED',
    trials.stopsAtTimeout
      ? 'a statement without end was stopped by its time limit'
      : 'A STATEMENT WITHOUT END WAS NOT STOPPED BY ITS TIME LIMIT',
    trials.cancelFreesServer
      ? 'a cancelled one was gone from the database'
      : 'A CANCELLED STATEMENT WAS NOT SEEN TO LEAVE THE DATABASE',
    ...(trials.roleCanWrite === null
      ? []
      : [
          trials.roleCanWrite
            ? 'its user has rights to write, which only our read-only transactions hold back'
            : 'its user has no right to write',
        ]),
  ]
  const role =
    roleStatements === null
      ? 'Open the file where this process may only read it.'
      : `Give Querent a user who can only read. An administrator runs:\n${roleStatements.join('\n')}`
  const todos = [
    ...(trials.refusesWrites && trials.roleCanWrite !== true ? [] : [role]),
    ...(trials.stopsAtTimeout && trials.cancelFreesServer
      ? []
      : [
          'Use no pooler between Querent and the database that drops settings or cancel requests, let this user see its own sessions, and look again when the database is less busy.',
        ]),
  ]
  const stands = trials.refusesWrites && trials.stopsAtTimeout && trials.cancelFreesServer
  return {
    status: !stands ? 'broken' : trials.roleCanWrite === true ? 'weak' : 'ok',
    finding: findings.join('; '),
    ...(todos.length > 0 && { todo: todos.join('\n') }),
  }
}

const inPostgres = (name: string): string => `"${name.replaceAll('"', '""')}"`

const inMysql = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** The user whom these statements make. */
export const readerName = 'querent_reader'

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

/** A table without a schema is one that the role finds by its plain name: most often in `public`. */
const schemasOf = (catalog: Catalog): readonly string[] => [
  ...new Set(catalog.tables.map(table => table.schema ?? 'public')),
]

/**
 * The statements that make a user who can read a database and do nothing else in it, for an administrator to run, who
 * chooses a password where none is given. Null where a database knows no users.
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
