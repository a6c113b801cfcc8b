import type { PoolClient } from 'pg'

/**
 * Whether the role could change something without our read-only transactions: as a superuser or one who creates
 * roles or databases, as the owner of a table, by a privilege on any table or column, by creating in any schema or
 * in the database, or by one of the server's own roles that write or run programs. The server's own catalogs are
 * left out, and so are temporary tables, which a database grants to everyone.
 */
const writePrivilegesQuery = `
  select
    exists (
      select from pg_catalog.pg_roles r
      where r.rolname = current_user and (r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication)
    )
    or exists (
      select from pg_catalog.pg_roles r
      where r.rolname in ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_maintain')
        and pg_catalog.pg_has_role(r.oid, 'USAGE')
    )
    or pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
    or exists (
      select from pg_catalog.pg_namespace n
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and pg_catalog.has_schema_privilege(n.oid, 'CREATE')
    )
    or exists (
      select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and (
          pg_catalog.pg_has_role(c.relowner, 'USAGE')
          or pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
          or pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE')
        )
    ) as writes`

export const roleCanWrite = async (client: PoolClient): Promise<boolean> =>
  (await client.query<{ writes: boolean }>(writePrivilegesQuery)).rows[0]!.writes
