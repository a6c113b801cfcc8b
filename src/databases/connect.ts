import type { Connector } from '../core/connector.ts'
import type { Log } from '../core/log.ts'
import type { InSpan } from '../core/span.ts'
import type { StatementAudit } from '../core/statement-audit.ts'
import { auditConnector } from './audit-connector.ts'
import type { DatabaseReference } from './database-reference.ts'
import { spanConnector } from './span-connector.ts'

export interface ConnectOptions {
  /** Is told of every statement that is sent. */
  readonly audit: StatementAudit
  /** What the database is called in the audit; the reference's own name by default. */
  readonly name?: string
  /** Where spans of statements go; nowhere when left out. */
  readonly inSpan?: InSpan
  /** IANA name in which the database shows and cuts times, where it has a say in that. */
  readonly timeZone?: string
  /** How many statements may run in the database at once. */
  readonly concurrency?: number
  readonly log?: Log
}

/** A connector whose statements are booked on people, and the same one for what measures the database or tries it. */
export interface Connected extends Connector {
  readonly measuring: Connector
}

/**
 * Connects to a reference. It is the only way to a database that people ask about, so whatever is sent there is told to
 * the audit. Rejects with `QuerentError`: `unknown-database` or `database-unreachable`.
 */
export const connect = async (reference: DatabaseReference, options: ConnectOptions): Promise<Connected> => {
  const { audit, name: database = reference.name, inSpan } = options
  const plain = await openConnector(reference, options)
  const spanned = inSpan ? spanConnector(plain, database, inSpan) : plain
  return {
    ...auditConnector(spanned, { audit, database, purpose: 'people' }),
    measuring: auditConnector(spanned, { audit, database, purpose: 'index' }),
  }
}

/** Each is loaded when it is first needed: whoever asks a SQLite file never loads pg. */
const openConnector = async (
  reference: DatabaseReference,
  { timeZone, concurrency, log }: Pick<ConnectOptions, 'timeZone' | 'concurrency' | 'log'>,
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
