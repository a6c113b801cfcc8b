import { Client, escapeIdentifier } from 'pg'
import { QuerentError } from '../../core/errors.ts'

/** Drops a database of the embedded server, whoever is connected to it. Does nothing when there is none. */
export const dropDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new QuerentError('store-unavailable', `the database ${name} could not be dropped: ${reason}`, {
      cause,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
