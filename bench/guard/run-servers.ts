import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from 'pg'
import { createMysqlDatabase } from '../../test/helpers/services/mysql-database.ts'
import { openBenchDatabase } from '../overhead/open-bench-database.ts'
import type { SuiteName } from './suite-statements.ts'

/** A database that was made for some files of a suite, and is looked at from outside while queries run in it. */
export interface RunWorld {
  /** For a connector, as a user who may do everything. */
  readonly location: string
  /** Everything that a query could have changed, as one text. */
  readonly look: () => Promise<string>
  readonly remove: () => Promise<void>
}

/** Makes a world out of the statements of a suite. Those that fail are left out, and those that take long are stopped. */
export type MakeRunWorld = (made: readonly string[]) => Promise<RunWorld>

/** What the connection that ran the queries is asked afterwards: it must be as a fresh one is. */
export const sessionProbes: Readonly<Record<SuiteName, string>> = {
  postgres: `select (select md5(string_agg(name || '=' || setting, ',' order by name)) from pg_settings
      where name not in ('application_name', 'transaction_deferrable', 'temp_file_limit')) || ' ' ||
    (select count(*) from pg_prepared_statements where statement !~ 'pg_prepared_statements') || ' ' ||
    (select count(*) from pg_cursors where statement !~ 'pg_cursors') || ' ' ||
    (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) || ' ' ||
    (select count(*) from pg_class where relpersistence = 't' and pg_table_is_visible(oid)) || ' ' || current_user`,
  mysql: `select group_concat(concat(variable_name, '=', variable_value) order by variable_name)
    from information_schema.session_variables
    where variable_name in ('SQL_MODE', 'TRANSACTION_READ_ONLY', 'TX_READ_ONLY', 'AUTOCOMMIT', 'TIME_ZONE', 'MAX_STATEMENT_TIME',
      'SQL_SAFE_UPDATES', 'FOREIGN_KEY_CHECKS', 'UNIQUE_CHECKS', 'CHARACTER_SET_CLIENT', 'COLLATION_CONNECTION',
      'GROUP_CONCAT_MAX_LEN', 'OPTIMIZER_SWITCH', 'DEFAULT_STORAGE_ENGINE')`,
  sqlite: `select group_concat(file || ' ' || name) from pragma_database_list where name <> 'main'
    union all select count(*) from sqlite_temp_master`,
  duckdb: `select (select string_agg(name || '=' || value, ',' order by name) from duckdb_settings() where name <> 'duckdb_api')
    || (select string_agg(database_name, ',' order by database_name) from duckdb_databases())
    || (select count(*) from duckdb_tables() where temporary)`,
}

const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const statementMs = 2_000

const postgres = async (): Promise<{ readonly make: MakeRunWorld; readonly close: () => Promise<void> }> => {
  const { url, drop } = await openBenchDatabase()
  const admin = new Client({ connectionString: url })
  await admin.connect()
  admin.on('error', () => {})
  const texts = async (sql: string): Promise<string> =>
    JSON.stringify((await admin.query({ text: sql, rowMode: 'array' })).rows)
  const look = async (): Promise<string> => {
    const { rows } = await admin.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace order by 1`,
    )
    const contents: string[] = []
    for (const { name } of rows)
      contents.push(
        name +
          (await texts(
            `select count(*), md5(string_agg(t::text, ',' order by t::text)) from only ${name} t`,
          ).catch(() => '?')),
      )
    const sequences = await texts(
      "select schemaname, sequencename, last_value from pg_sequences where schemaname = 'public' order by 1, 2",
    )
    const rest = await texts(`select
      (select md5(string_agg(oid || relname || relfilenode, ',' order by oid)) from pg_class where relpersistence <> 't' and relnamespace <> 'pg_toast'::regnamespace),
      (select count(*) from pg_proc), (select md5(string_agg(rolname || rolsuper, ',' order by rolname)) from pg_roles),
      (select count(*) from pg_largeobject_metadata), (select count(*) from pg_prepared_xacts),
      (select md5(string_agg(s::text, ',')) from pg_db_role_setting s), (select count(*) from pg_file_settings),
      (select count(*) from pg_database), (select count(*) from pg_locks where locktype = 'advisory'),
      (select count(*) from pg_stat_activity where state like 'idle in transaction%'),
      (select string_agg(f, ',' order by f) from pg_ls_dir('.') f where f !~ '^postmaster|pid$'),
      (select count(*) from pg_replication_slots)`)
    return [...contents, sequences, rest].join('\n')
  }
  return {
    make: async made => {
      await admin.query('drop schema public cascade; create schema public; set search_path to public')
      await admin.query(`set statement_timeout = ${statementMs}`)
      for (const statement of made) await admin.query(statement).catch(() => {})
      await admin.query('reset statement_timeout')
      return { location: url, look, remove: async () => {} }
    },
    close: async () => {
      await admin.end()
      await drop()
    },
  }
}

const mysql = async (): Promise<{ readonly make: MakeRunWorld; readonly close: () => Promise<void> }> => {
  const server = process.env.MYSQL_URL
  if (server === undefined) throw new Error('set MYSQL_URL to a MariaDB server, or leave --mysql out')
  return {
    make: async made => {
      const { url, name, admin, drop } = await createMysqlDatabase(server)
      await admin(`set session max_statement_time = ${statementMs / 1_000}, session lock_wait_timeout = 2`)
      for (const statement of made)
        if (
          !/\b(?:mysql|information_schema|performance_schema|sys)\s*\.|\bdirectory\b|engine\s*=?\s*connect/i.test(
            statement,
          )
        )
          await admin(statement).catch(() => {})
      await admin(`use ${name}`)
      await admin('set session max_statement_time = 0')
      const look = async (): Promise<string> => {
        const tables = await admin(
          `select table_name as name from information_schema.tables where table_schema = '${name}' and table_type = 'BASE TABLE' order by binary table_name`,
        )
        const sums: string[] = []
        for (const table of tables)
          sums.push(
            JSON.stringify(
              await admin(`checksum table \`${String(table.name).replaceAll('`', '``')}\``).catch(() => '?'),
            ),
          )
        const rest = await admin(`select (select count(*) from mysql.global_priv) as users,
          (select group_concat(schema_name order by 1) from information_schema.schemata where schema_name not like 'querent%') as bases,
          (select md5(group_concat(concat(variable_name, variable_value) order by variable_name)) from information_schema.global_variables
            where variable_name not regexp 'GTID|TIMESTAMP|RAND|LAST_INSERT|ERROR_COUNT|WARNING_COUNT|IDENTITY|PSEUDO|BINLOG') as settings,
          (select count(*) from information_schema.routines where routine_schema = '${name}') as routines`)
        return JSON.stringify([sums, rest])
      }
      return { location: url, look, remove: drop }
    },
    close: async () => {},
  }
}

/** A file in a folder of its own: all of its bytes, and what lies beside it. */
const inFolder =
  (ending: string, fill: (file: string, made: readonly string[]) => Promise<void>): MakeRunWorld =>
  async made => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-bench-'))
    const file = join(folder, `world.${ending}`)
    await fill(file, made)
    const filesIn = (at: string): readonly string[] => readdirSync(at).toSorted()
    return {
      location: file,
      look: async () =>
        JSON.stringify([
          filesIn(folder).map(name => [name, hash(readFileSync(join(folder, name)))]),
          filesIn('.'),
        ]),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    }
  }

const fillSqlite = async (file: string, made: readonly string[]): Promise<void> => {
  const database = new DatabaseSync(file)
  // Without a table the file stays empty, and is no database.
  database.exec('create table first_of_all (x integer)')
  for (const statement of made) {
    // Nothing can stop one that takes for ever.
    if (/recursive|generate_series|zeroblob|randomblob/i.test(statement)) continue
    try {
      database.exec(statement)
    } catch {}
  }
  database.close()
}

const fillDuckdb = async (file: string, made: readonly string[]): Promise<void> => {
  const instance = await DuckDBInstance.create(file, { memory_limit: '500MB', threads: '1' })
  const connection = await instance.connect()
  await connection.run('set enable_external_access = false')
  for (const statement of made) {
    const timer = setTimeout(() => connection.interrupt(), statementMs)
    await connection.run(statement).catch(() => {})
    clearTimeout(timer)
  }
  connection.closeSync()
  instance.closeSync()
}

/** How the worlds of each server are made. */
export const runServers: Readonly<
  Record<SuiteName, () => Promise<{ readonly make: MakeRunWorld; readonly close: () => Promise<void> }>>
> = {
  postgres,
  mysql,
  sqlite: async () => ({ make: inFolder('sqlite', fillSqlite), close: async () => {} }),
  duckdb: async () => ({ make: inFolder('duckdb', fillDuckdb), close: async () => {} }),
}
