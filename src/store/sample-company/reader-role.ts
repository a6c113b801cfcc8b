import { type Client, escapeIdentifier, escapeLiteral } from 'pg'

/** The role that reads the sample company. */
interface Reader {
  readonly role: string
  readonly password: string
}

/**
 * Session defaults of the reader. The reader can change them: they limit ordinary work, while permissions forbid the
 * rest. Only a superuser can change `temp_file_limit`.
 */
const settings = {
  default_transaction_read_only: 'on',
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '60s',
  temp_file_limit: '1GB',
  search_path: 'public',
} as const

/** Creates the role, or resets an existing one, with this password. */
export const ensureReader = async (admin: Client, { role, password }: Reader): Promise<void> => {
  const name = escapeIdentifier(role)
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) await admin.query(`create role ${name}`)
  await admin.query(
    [
      `alter role ${name} login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls` +
        ` password ${escapeLiteral(password)}`,
      ...Object.entries(settings).map(
        ([key, value]) => `alter role ${name} set ${key} = ${escapeLiteral(value)}`,
      ),
    ].join('; '),
  )
}

/**
 * Closes the server's other databases to the reader. Postgres opens every new database to everyone, so repeat this
 * whenever databases may have been added.
 */
export const closeOtherDatabases = async (admin: Client, role: string, database: string): Promise<void> => {
  for (let pass = 1; pass <= PASSES; pass++) {
    const open = await admin.query<{ datname: string }>(
      `select datname from pg_database
       where datallowconn and datname <> $2
         and (has_database_privilege($1, oid, 'CONNECT') or has_database_privilege($1, oid, 'TEMPORARY'))`,
      [role, database],
    )
    if (open.rows.length === 0) return
    for (const { datname } of open.rows) {
      const closing = `revoke connect, temporary on database ${escapeIdentifier(datname)} from public, ${escapeIdentifier(role)}`
      await admin.query(closing).catch(error => {
        if (pass === PASSES) throw error
      })
    }
  }
}

/** Another session may drop a database or change its permissions meanwhile; then try again. */
const PASSES = 3

/** Statements, for a session in the sample's database, that leave the reader only SELECT on `schema`. */
export const renderReaderGrants = (role: string, schema: string): readonly string[] => {
  const [reader, place] = [escapeIdentifier(role), escapeIdentifier(schema)]
  return [
    `revoke all on schema ${place} from public`,
    `grant usage on schema ${place} to ${reader}`,
    `grant select on all tables in schema ${place} to ${reader}`,
    'revoke usage on language plpgsql from public',
    // Anyone who can call these can write large objects; no table permission prevents it.
    `do $$
     declare writer regprocedure;
     begin
       for writer in
         select oid::regprocedure from pg_proc
         where pronamespace = 'pg_catalog'::regnamespace
           and (proname like 'lo\\_%' or proname in ('lowrite', 'loread'))
       loop
         execute format('revoke execute on function %s from public', writer);
       end loop;
     end $$`,
  ]
}
