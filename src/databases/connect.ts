import type { Connector } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type {
  AuditedStatement,
  StatementAudit,
  StatementCaps,
  StatementEnd,
} from '../domain/operations/audit.ts'
import type { InSpan, Log } from '../domain/operations/telemetry.ts'
import type { ResultTable } from '../domain/result.ts'
import { cellBytes } from './connectors/row-cap.ts'
import type { DatabaseReference } from './database-reference.ts'

interface ConnectOptions {
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
interface Connected extends Connector {
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

/** What stands in the log for reading the schema, which takes statements of ours alone. */
const schemaStatement = '-- tables, columns, comments and keys, from the catalogs of the system'

/** What stands in the log for trying the walls: none of it reads or changes anything, and it is the same each time. */
const safeguardStatement =
  '-- trials: a write, which must be refused; a count that must stop in time; the rights of the user'

/** The same connector, with every statement told to the audit: before it is sent, and how it ended. */
const auditConnector = (
  connector: Connector,
  { audit, ...where }: Pick<AuditedStatement, 'database' | 'purpose'> & { readonly audit: StatementAudit },
): Connector => {
  const told = async <T>(
    statement: Pick<AuditedStatement, 'kind' | 'sql' | 'caps'>,
    signal: AbortSignal | undefined,
    work: (allowed: Partial<StatementCaps>) => Promise<T>,
    read: (done: T) => Omit<StatementEnd, 'errorClass' | 'milliseconds'> & { readonly milliseconds?: number },
  ): Promise<T> => {
    const end = await audit.begin(
      { ...where, dialect: connector.dialect, ...statement },
      signal ? { signal } : {},
    )
    const { tooShort = null, ...caps } = end.allowed ?? {}
    const started = performance.now()
    try {
      const done = await work(caps)
      end({ errorClass: null, milliseconds: performance.now() - started, ...read(done) })
      return done
    } catch (error) {
      end({ ...outcomeOf(error, signal), milliseconds: performance.now() - started })
      throw tooShort !== null && isTimeout(error) ? tooShort : error
    }
  }

  return {
    ...connector,
    introspect: (options = {}) =>
      told(
        { kind: 'schema', sql: schemaStatement },
        options.signal,
        () => connector.introspect(options),
        () => ({ verdict: 'ran', rows: null, bytes: null }),
      ),
    explain: (sql, options) =>
      told(
        { kind: 'explain', sql: sql.sql, caps: { maxRows: 0, timeoutMs: options.timeoutMs } },
        options.signal,
        ({ timeoutMs = options.timeoutMs }) => connector.explain(sql, { ...options, timeoutMs }),
        plan => ({ verdict: 'ran', rows: null, bytes: Buffer.byteLength(plan) }),
      ),
    run: (sql, options) =>
      told(
        { kind: 'run', sql: sql.sql, caps: { maxRows: options.maxRows, timeoutMs: options.timeoutMs } },
        options.signal,
        allowed => connector.run(sql, { ...options, ...allowed }),
        table => ({
          verdict: table.truncated === null ? 'ran' : 'cut',
          ...countRowsAndBytes(table),
          milliseconds: table.milliseconds,
        }),
      ),
    checkSafeguards: (options = {}) =>
      told(
        { kind: 'trial', sql: safeguardStatement },
        options.signal,
        () => connector.checkSafeguards(options),
        () => ({ verdict: 'ran', rows: null, bytes: null }),
      ),
  }
}

const isTimeout = (error: unknown): boolean => error instanceof SqlError && error.errorClass === 'timeout'

const outcomeOf = (error: unknown, signal: AbortSignal | undefined): Omit<StatementEnd, 'milliseconds'> => {
  const errorClass = error instanceof SqlError ? error.errorClass : 'other'
  const verdict =
    errorClass === 'timeout'
      ? 'timed-out'
      : errorClass === 'cancelled' || signal?.aborted === true
        ? 'cancelled'
        : 'failed'
  return { verdict, errorClass, rows: null, bytes: null }
}

/** What was read of a result, by the measure of `maxBytes`. */
const countRowsAndBytes = ({ rows }: ResultTable): { readonly rows: number; readonly bytes: number } => {
  let bytes = 0
  for (const row of rows) for (const cell of row) bytes += cellBytes(cell)
  return { rows: rows.length, bytes }
}

/** The same connector, with each statement in a span: which database, how many rows; neither its text nor its values. */
const spanConnector = (connector: Connector, database: string, inSpan: InSpan): Connector => {
  const facts = { database, dialect: connector.dialect }
  return {
    ...connector,
    run: (sql, options) =>
      inSpan('run-statement', facts, async span => {
        const table = await connector.run(sql, options)
        span.set({ rows: table.rows.length, truncated: table.truncated ?? 'no' })
        return table
      }),
    explain: (sql, options) => inSpan('explain-statement', facts, () => connector.explain(sql, options)),
  }
}
