import type { PoolClient } from 'pg'
import { readSchemas } from './catalog-queries.ts'

/** What has to be known of a server before the first statement. */
export interface ServerFacts {
  readonly checksConnection: boolean
  readonly searchPath: readonly string[]
}

/**
 * The setting came with PostgreSQL 14, and is refused where the operating system has no means for it. Tried in a
 * savepoint, so that a refusal does not end the transaction.
 */
const canCheckConnection = async (client: PoolClient): Promise<boolean> => {
  await client.query('savepoint probe')
  try {
    await client.query('set local client_connection_check_interval = 2000')
    return true
  } catch {
    await client.query('rollback to savepoint probe')
    return false
  }
}

export const probeServer = async (client: PoolClient): Promise<ServerFacts> => ({
  checksConnection: await canCheckConnection(client),
  searchPath: (await readSchemas(client)).all,
})
