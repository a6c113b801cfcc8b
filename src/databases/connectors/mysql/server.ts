import type { Connection } from 'mysql2'

/** What must be known about a server before the first statement. */
export interface ServerFacts {
  readonly flavour: 'mysql' | 'mariadb'
  /** As the server reports it, for instance 8.4.3 or 10.11.19-MariaDB. */
  readonly version: string
  /** The complete `sql_mode` for our sessions. */
  readonly sqlMode: string
  /** The value for `time_zone`; null keeps the server's own. */
  readonly timeZone: string | null
  /** True if the server does not know the configured zone, and today's offset does not apply all year. */
  readonly zoneIsRough: boolean
  /** MySQL keeps row counts for a day unless told otherwise; MariaDB and old servers keep none. */
  readonly keepsStatistics: boolean
}

/**
 * No modes but one, so that double quotes are texts, a backslash escapes and `||` is OR, as the guard reads them
 * and we write. Whether GROUP BY is strict is left to the server: MySQL is strict by default and knows which
 * columns depend on a key; MariaDB is not, and if set to strict does not know them.
 */
const modeOf = (globalMode: string): string =>
  globalMode.toUpperCase().split(',').includes('ONLY_FULL_GROUP_BY') ? 'ONLY_FULL_GROUP_BY' : ''

/** Named zones need a table that an administrator has to fill, and often has not. */
const knowsZone = async (connection: Connection, zone: string): Promise<boolean> => {
  const [row] = await runInternalQuery<[unknown]>(
    connection,
    "select convert_tz('2024-01-01 00:00:00', 'UTC', ?)",
    [zone],
  )
  return row?.[0] !== null
}

export const probeServer = async (
  connection: Connection,
  { timeZone, now }: { readonly timeZone: string | null; readonly now: () => Date },
): Promise<ServerFacts> => {
  const [row] = await runInternalQuery<[string, string]>(connection, 'select version(), @@global.sql_mode')
  const [version = '', mode = ''] = row ?? []
  const flavour = /mariadb/i.test(version) ? 'mariadb' : 'mysql'
  const byName = timeZone === null || (await knowsZone(connection, timeZone))
  return {
    flavour,
    version,
    sqlMode: modeOf(mode),
    timeZone: byName ? timeZone : zoneOffset(timeZone, now()),
    zoneIsRough: !byName && hasDaylightSaving(timeZone, now()),
    keepsStatistics: flavour === 'mysql' && Number.parseInt(version, 10) >= 8,
  }
}

/**
 * A zone's offset from UTC at an instant, as MySQL writes it: `+05:30`. Throws `RangeError` if it is not an IANA
 * name.
 */
const zoneOffset = (timeZone: string, at: Date): string => {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(part => part.type === 'timeZoneName')?.value ?? ''
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00'
}

/** Whether a zone's offset changes during the year of an instant. */
const hasDaylightSaving = (timeZone: string, at: Date): boolean => {
  const year = at.getUTCFullYear()
  const offsets = Array.from({ length: 12 }, (_, month) =>
    zoneOffset(timeZone, new Date(Date.UTC(year, month, 15))),
  )
  return new Set(offsets).size > 1
}

/**
 * Runs one statement of our own as plain text, and returns all its rows as arrays. The driver's promises are not
 * used: they wrap connections, and a wrapped one cannot be streamed from.
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
