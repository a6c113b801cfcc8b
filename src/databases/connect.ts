import type { Connector } from '../core/connector.ts'
import type { Log } from '../core/log.ts'
import type { DatabaseReference } from './database-reference.ts'

export interface ConnectOptions {
  /** IANA name in which the database shows and cuts times, where it has a say in that. */
  readonly timeZone?: string
  /** How many statements may run in the database at once. */
  readonly concurrency?: number
  readonly log?: Log
}

/**
 * Opens the connector for a reference. Each is loaded when it is first needed: whoever asks a SQLite file never
 * loads pg. Rejects with `QuerentError`: `unknown-database` or `database-unreachable`.
 */
export const connect = async (
  reference: DatabaseReference,
  { timeZone, concurrency, log }: ConnectOptions = {},
): Promise<Connector> => {
  switch (reference.kind) {
    case 'sqlite': {
      const { makeSqliteConnector } = await import('./connectors/sqlite/connector.ts')
      return makeSqliteConnector({
        file: reference.file,
        ...(timeZone !== undefined && { timeZone }),
        ...(concurrency !== undefined && { processes: concurrency }),
      })
    }
    case 'duckdb': {
      const { makeDuckdbConnector } = await import('./connectors/duckdb/connector.ts')
      return makeDuckdbConnector({
        path: reference.path,
        ...(timeZone !== undefined && { timeZone }),
        ...(concurrency !== undefined && { processes: concurrency }),
      })
    }
    case 'postgres': {
      const { makePostgresConnector } = await import('./connectors/postgres/connector.ts')
      return makePostgresConnector({
        url: reference.url,
        place: reference.name,
        ...(timeZone !== undefined && { timeZone }),
        ...(concurrency !== undefined && { connections: concurrency }),
      })
    }
    case 'mysql': {
      const { makeMysqlConnector } = await import('./connectors/mysql/connector.ts')
      return makeMysqlConnector({
        url: reference.url,
        place: reference.name,
        ...(log && { log }),
        ...(timeZone !== undefined && { timeZone }),
        ...(concurrency !== undefined && { connections: concurrency }),
      })
    }
    default: {
      const never: never = reference
      return never
    }
  }
}
