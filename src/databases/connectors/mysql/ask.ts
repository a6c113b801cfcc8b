import type { Connection } from 'mysql2'

/**
 * One statement of our own in plain text, with all its rows as arrays. The driver's promises are not used: they wrap
 * connections, and a wrapped one cannot be streamed from.
 */
export const runInternalQuery = <Row extends readonly unknown[]>(
  connection: Connection,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    connection.query({ sql, values: [...values] }, (error, rows) => {
      if (error) reject(error)
      else resolve(rows as unknown as readonly Row[])
    })
  })
