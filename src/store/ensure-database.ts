import { Client } from 'pg'
import { QuerentError } from '../core/errors.ts'

/** SQLSTATEs of a database that is there already: seen by us, or made by another process at the same moment. */
const ALREADY_THERE = ['42P04', '23505']

/** Makes a database of a server when it is missing. `adminUrl` is of a role that may; throws `store-unavailable`. */
export const ensureDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const admin = new Client({ connectionString: adminUrl })
  admin.on('error', () => {})
  try {
    await admin.connect()
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await admin.query(`create database ${admin.escapeIdentifier(name)}`)
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string }
    if (code !== undefined && ALREADY_THERE.includes(code)) return
    throw new QuerentError('store-unavailable', `the database ${name} could not be made: ${message}`, {
      cause,
    })
  } finally {
    await admin.end().catch(() => {})
  }
}
