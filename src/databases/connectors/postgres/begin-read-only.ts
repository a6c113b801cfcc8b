import { escapeIdentifier, escapeLiteral, type PoolClient, type QueryResult } from 'pg'

export interface TransactionSettings {
  readonly timeoutMs: number
  readonly timeZone: string | null
  /** Schemas in which plain names are looked up; empty leaves the role's own. */
  readonly searchPath: readonly string[]
  /** Whether the server can notice by itself that we are gone (PostgreSQL 14 and later, on Linux). */
  readonly checksConnection: boolean
}

/**
 * Opens a read-only transaction with everything set that a statement depends on, and returns the backend's pid.
 * All of it is LOCAL: a session keeps nothing, so a pooler in front of the server (PgBouncer) does no harm.
 */
export const beginReadOnly = async (client: PoolClient, settings: TransactionSettings): Promise<number> => {
  const milliseconds = Math.max(1, Math.ceil(settings.timeoutMs))
  const locals = [
    `statement_timeout = ${milliseconds}`,
    `lock_timeout = ${milliseconds}`,
    `idle_in_transaction_session_timeout = ${milliseconds + 30_000}`,
    // The guard reads backslashes in strings as the standard says; so must the server.
    'standard_conforming_strings = on',
    // What values.ts expects.
    "datestyle = 'ISO, YMD'",
    "intervalstyle = 'postgres'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    ...(settings.checksConnection ? ['client_connection_check_interval = 2000'] : []),
    ...(settings.timeZone === null ? [] : [`timezone = ${escapeLiteral(settings.timeZone)}`]),
    ...(settings.searchPath.length === 0
      ? []
      : [`search_path = ${settings.searchPath.map(escapeIdentifier).join(', ')}`]),
  ]
  const statements = [
    'begin read only',
    ...locals.map(local => `set local ${local}`),
    'select pg_catalog.pg_backend_pid() as pid',
  ]
  // One round trip. pg answers a text of several statements with a result for each; its types do not say so.
  const results = (await client.query(statements.join('; '))) as unknown as QueryResult<{ pid: number }>[]
  return results.at(-1)!.rows[0]!.pid
}
