import { Client, escapeIdentifier } from 'pg'

/** Postgres's code for "there is one of this name already": another process was faster. */
const DUPLICATE_DATABASE = '42P04'

/** Creates a database of this name on the server when there is none. */
export const ensureDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
    // A new database is open to every role of the server, the sample company's reader among them.
    await client.query(`revoke all on database ${escapeIdentifier(name)} from public`)
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error
  } finally {
    await client.end()
  }
}
