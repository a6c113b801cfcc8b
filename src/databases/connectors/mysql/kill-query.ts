import mysql, { type ConnectionOptions } from 'mysql2'
import { runInternalQuery } from './ask.ts'

/** How long it may take to reach the server for this. */
const connectMilliseconds = 3000

/**
 * Asks the server, over a connection of its own, to stop what another one is doing. False when that could not be done:
 * then the caller drops its connection, and the server ends the statement when it notices or at its own time limit.
 */
export const killQuery = async (options: ConnectionOptions, threadId: number): Promise<boolean> => {
  const connection = mysql.createConnection({ ...options, connectTimeout: connectMilliseconds })
  connection.on('error', () => {})
  const tooLate = setTimeout(() => connection.destroy(), 2 * connectMilliseconds)
  try {
    await runInternalQuery(connection, `kill query ${threadId}`)
    return true
  } catch {
    return false
  } finally {
    clearTimeout(tooLate)
    connection.destroy()
  }
}
