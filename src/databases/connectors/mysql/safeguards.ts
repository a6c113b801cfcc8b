import type { PoolConnection } from 'mysql2'
import { runInternalQuery } from './server.ts'

/** Privileges that change no data, schema, file or other user. */
const harmless = [
  'USAGE',
  'SELECT',
  'SHOW DATABASES',
  'SHOW VIEW',
  'SHOW CREATE ROUTINE',
  'PROCESS',
  'REFERENCES',
  'CREATE TEMPORARY TABLES',
  'LOCK TABLES',
]

/**
 * Whether the user could change something without our read-only transactions: by any privilege on the server, a
 * schema, a table or a column that is not known to be harmless. Null if privileges also come from a role: not
 * every server shows a user which ones.
 */
export const roleCanWrite = async (connection: PoolConnection): Promise<boolean | null> => {
  const from = ['user', 'schema', 'table', 'column'].map(
    level => `select grantee, privilege_type from information_schema.${level}_privileges`,
  )
  const [row] = await runInternalQuery<[number, string | null]>(
    connection,
    `select
       exists (
         select 1 from (${from.join(' union all ')}) granted
         where granted.grantee = concat(
             quote(substring_index(current_user(), '@', char_length(current_user()) - char_length(replace(current_user(), '@', '')))),
             '@', quote(substring_index(current_user(), '@', -1)))
           and upper(granted.privilege_type) not in (${harmless.map(right => `'${right}'`).join(', ')})
       ),
       current_role()`,
  )
  const [writes, role] = row ?? [0, null]
  if (Number(writes) === 1) return true
  return role === null || role === 'NONE' ? false : null
}

/**
 * How a query can begin, after white space, comments and parentheses. Executable comments are not skipped, because
 * their text is run.
 */
const beginning =
  /^(?:\s|\(|#[^\n]*\n|--\s[^\n]*\n|\/\*(?!!|M!)[\s\S]*?\*\/)*(?:select|with|values|table|explain)\b/i

/**
 * True if the first word makes a statement a query. A read-only transaction does not stop ANALYZE, OPTIMIZE and
 * CHECK TABLE, which return rows, nor SET STATEMENT, which removes our time limit.
 */
export const startsWithQueryKeyword = (sql: string): boolean => beginning.test(sql)
