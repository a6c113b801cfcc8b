import pg from 'pg'

/**
 * Asks the server, over a connection of its own, to stop what a backend is doing. False when that could not be
 * done: then the caller drops its connection, and the server ends the statement when it notices.
 */
export const cancelBackend = async (config: pg.ClientConfig, pid: number): Promise<boolean> => {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 3000, query_timeout: 3000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ sent: boolean }>(
      'select pg_catalog.pg_cancel_backend($1) as sent',
      [pid],
    )
    return rows[0]?.sent ?? false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
