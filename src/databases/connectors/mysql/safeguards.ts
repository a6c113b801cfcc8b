import type { PoolConnection } from 'mysql2'
import { runInternalQuery } from './server.ts'

/** Rights that change no data, no schema, no file and no other user. */
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
 * Whether the user, were it not for our read-only transactions, could change something: by any right, on the server,
 * a schema, a table or a column, that is not known to be harmless. Null when rights come by a role too: which ones is
 * not told to a user everywhere.
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
 * How a query may begin, behind white space, comments and parentheses. Executable comments are not passed over: what
 * stands in them is run.
 */
const beginning =
  /^(?:\s|\(|#[^\n]*\n|--\s[^\n]*\n|\/\*(?!!|M!)[\s\S]*?\*\/)*(?:select|with|values|table|explain)\b/i

/**
 * True for a statement that is a query by its first word. A read-only transaction does not stop ANALYZE, OPTIMIZE and
 * CHECK TABLE, which give rows, nor SET STATEMENT, which takes our time limit away.
 */
export const startsWithQueryKeyword = (sql: string): boolean => beginning.test(sql)
