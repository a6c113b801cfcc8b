import { escapeIdentifier, escapeLiteral, type PoolClient, type QueryResult } from 'pg'
import { plainSession, type SessionRights } from '../../../domain/access/data-rights.ts'
import { makePgPool } from '../pg-protocol/pool.ts'
import type { ReadOnlyPool } from '../read-only-pool.ts'
import { connectionError, toSqlError } from './errors.ts'

/** Connections to a Postgres server, with the settings that our statements depend on. */
export const makePostgresPool = ({
  settings,
  ...options
}: Pick<Parameters<typeof makePgPool>[0], 'config' | 'place' | 'size' | 'connectMilliseconds'> & {
  readonly settings: () => Omit<TransactionSettings, 'timeoutMs'>
}): ReadOnlyPool<PoolClient> =>
  makePgPool({
    ...options,
    begin: (client, { timeoutMs, session }) => beginReadOnly(client, { ...settings(), timeoutMs, session }),
    // In one message, so that a pooler in front of the server does both on the same connection. A lock of this kind
    // does not belong to the transaction: without the second statement it would be held until the connection ends.
    rollBack: 'rollback; select pg_catalog.pg_advisory_unlock_all()',
    toSqlError,
    connectionError,
  })

interface TransactionSettings {
  readonly timeoutMs: number
  readonly timeZone: string | null
  /** Schemas in which plain names are looked up; empty keeps the role's own. */
  readonly searchPath: readonly string[]
  /** Whether the server notices that our connection is gone (PostgreSQL 14 and later, on Linux). */
  readonly checksConnection: boolean
  /** Settings that limit memory and temporary files, as `name = value`. */
  readonly limits: readonly string[]
}

/** The variables first: the role may not be allowed to set them. */
const sessionStatements = ({ role, variables }: SessionRights): readonly string[] => [
  ...Object.entries(variables).map(
    ([name, value]) => `select pg_catalog.set_config(${escapeLiteral(name)}, ${escapeLiteral(value)}, true)`,
  ),
  ...(role === null ? [] : [`set local role ${escapeIdentifier(role)}`]),
]

/**
 * Opens a read-only transaction with everything set that a statement depends on, and returns the backend's pid.
 * All settings are LOCAL: a session keeps nothing, so a pooler in front of the server (PgBouncer) does no harm.
 */
const beginReadOnly = async (
  client: PoolClient,
  settings: TransactionSettings & { readonly session: SessionRights | undefined },
): Promise<number> => {
  const milliseconds = Math.max(1, Math.ceil(settings.timeoutMs))
  const locals = [
    `statement_timeout = ${milliseconds}`,
    `lock_timeout = ${milliseconds}`,
    `idle_in_transaction_session_timeout = ${milliseconds + 30_000}`,
    // The guard reads backslashes in strings as the standard says, and so must the server.
    'standard_conforming_strings = on',
    // What values.ts expects.
    "datestyle = 'ISO, YMD'",
    "intervalstyle = 'postgres'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    ...settings.limits,
    ...(settings.checksConnection ? ['client_connection_check_interval = 2000'] : []),
    ...(settings.timeZone === null ? [] : [`timezone = ${escapeLiteral(settings.timeZone)}`]),
    ...(settings.searchPath.length === 0
      ? []
      : [`search_path = ${settings.searchPath.map(escapeIdentifier).join(', ')}`]),
  ]
  const statements = [
    'begin read only',
    ...locals.map(local => `set local ${local}`),
    ...sessionStatements(settings.session ?? plainSession),
    'select pg_catalog.pg_backend_pid() as pid',
  ]
  // One round trip. For several statements pg returns a result for each, which its types do not say.
  const results = (await client.query(statements.join('; '))) as unknown as QueryResult<{ pid: number }>[]
  return results.at(-1)!.rows[0]!.pid
}
