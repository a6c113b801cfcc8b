import { Client, escapeIdentifier } from 'pg'
import { QuerentError } from '../../core/errors.ts'

/** Advisory lock of whoever makes a database: two who revoke the same right at once would fail one of them. */
const DATABASE_LOCK = 7_203_115_003

/** Creates a database of this name on the server when there is none. Throws `store-unavailable` when it cannot. */
export const ensureDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    // Held until the connection ends.
    await client.query('select pg_advisory_lock($1)', [DATABASE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
    // A new database is open to every role of the server, the sample company's reader among them.
    await client.query(`revoke all on database ${escapeIdentifier(name)} from public`)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new QuerentError('store-unavailable', `the database ${name} could not be made: ${reason}`, {
      cause,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
