import type { Catalog } from '../../core/catalog.ts'
import type { DatabaseReference } from '../../databases/database-reference.ts'

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
