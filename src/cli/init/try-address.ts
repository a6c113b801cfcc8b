import type { Catalog } from '../../core/catalog.ts'
import { QuerentError } from '../../core/errors.ts'
import type { StatementAudit } from '../../core/statement-audit.ts'
import { connect } from '../../databases/connect.ts'
import type { DatabaseReference } from '../../databases/database-reference.ts'
import { parseDatabaseReference } from '../../databases/parse-database-reference.ts'

/** A database that answered. */
export interface ConnectedDatabase {
  readonly address: string
  readonly reference: DatabaseReference
  readonly catalog: Catalog
}

/**
 * Connects, reads the schema and lets go again. Rejects with `QuerentError` whose message says what to do: wrong address,
 * password or name of the database, no TLS, no such file, nothing to read.
 */
export const connectToAddress = async (
  address: string,
  options: { readonly baseFolder: string; readonly audit: StatementAudit; readonly signal: AbortSignal },
): Promise<ConnectedDatabase> => {
  const reference = parseDatabaseReference(address, options)
  const connector = await connect(reference, { audit: options.audit })
  try {
    const catalog = await connector.measuring.introspect({ signal: options.signal })
    if (catalog.tables.length === 0) throw new QuerentError('unknown-database', noTablesMessage(reference))
    return { address, reference, catalog }
  } finally {
    await connector.close()
  }
}

const noTablesMessage = (reference: DatabaseReference): string => {
  const { kind, name } = reference
  return kind === 'sqlite' || kind === 'duckdb'
    ? `${name} is a ${formatDatabaseKind(reference)} database without a table: fill it, or name another file.`
    : `${name} answers, but this user can read no table there: grant it SELECT, or name another database.`
}

/** What a kind of database is called. */
export const formatDatabaseKind = (reference: DatabaseReference): string => {
  switch (reference.kind) {
    case 'postgres':
      return 'Postgres'
    case 'mysql':
      return 'MySQL or MariaDB'
    case 'sqlite':
      return 'SQLite'
    case 'duckdb':
      return 'DuckDB'
    default: {
      const never: never = reference
      return never
    }
  }
}

/** “14 tables”. */
export const formatCount = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
