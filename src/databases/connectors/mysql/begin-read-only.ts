import type { Connection } from 'mysql2'
import { runInternalQuery } from './ask.ts'
import type { ServerFacts } from './probe-server.ts'

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/**
 * Sets everything that a statement depends on, and opens a read-only transaction. MySQL has no settings that end with a
 * transaction, so all of them are set anew in front of each: what a statement changed does not reach the next.
 */
export const beginReadOnly = async (
  connection: Connection,
  { facts, timeoutMs }: { readonly facts: ServerFacts; readonly timeoutMs: number },
): Promise<void> => {
  const milliseconds = Math.max(1, Math.ceil(timeoutMs))
  const settings = [
    // Without it CREATE TABLE, TRUNCATE and OPTIMIZE would end the transaction by committing it, and run.
    facts.flavour === 'mariadb' ? 'tx_read_only = 1' : 'transaction_read_only = 1',
    `sql_mode = ${literal(facts.sqlMode)}`,
    // Seconds with fractions in MariaDB, milliseconds in MySQL, which holds only statements that read to it.
    facts.flavour === 'mariadb'
      ? `max_statement_time = ${milliseconds / 1000}`
      : `max_execution_time = ${milliseconds}`,
    `lock_wait_timeout = ${Math.max(1, Math.ceil(milliseconds / 1000))}`,
    // A server may be set to give only so many rows: our own caps say so when they cut.
    'sql_select_limit = 18446744073709551615',
    'group_concat_max_len = 1048576',
    // Four digits make 0.0000 of one in a hundred thousand.
    'div_precision_increment = 8',
    ...(facts.timeZone === null ? [] : [`time_zone = ${literal(facts.timeZone)}`]),
    ...(facts.keepsStatistics ? ['information_schema_stats_expiry = 0'] : []),
  ]
  await runInternalQuery(connection, `set ${settings.map(setting => `session ${setting}`).join(', ')}`)
  await runInternalQuery(connection, 'start transaction read only')
}
