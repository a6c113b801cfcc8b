import type { Connector } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type {
  AuditedStatement,
  StatementAudit,
  StatementCaps,
  StatementEnd,
} from '../domain/operations/audit.ts'
import type { InSpan } from '../domain/operations/telemetry.ts'
import type { ResultTable } from '../domain/result.ts'
import { databaseDialect } from '../sql/dialects.ts'
import type { ConnectorOptions } from '../sql/sql-dialect.ts'
import { cellBytes } from './connectors/row-cap.ts'
import type { DatabaseReference } from './database-reference.ts'
import { withHashKey } from './guard/rights/hash-key.ts'

interface ConnectOptions extends ConnectorOptions {
  /** Records every statement that is sent. */
  readonly audit: StatementAudit
  /** What the database is called in the audit; the reference's own name by default. */
  readonly name?: string
  /** Where spans of statements go; nowhere if left out. */
  readonly inSpan?: InSpan
}

/** A connector whose statements count toward people's quotas, and the same one for measuring and checks. */
export interface Connected extends Connector {
  readonly measuring: Connector
}

/**
 * Connects to a reference. This is the only way to a database that people ask about, so the audit has everything that is
 * sent there. Rejects with `QuerentError`: `unknown-database` or `database-unreachable`.
 */
export const connect = async (reference: DatabaseReference, options: ConnectOptions): Promise<Connected> => {
  const { audit, name: database = reference.name, inSpan } = options
  const plain = withHashKey(await databaseDialect(reference.dialect).openConnector(reference, options))
  const spanned = inSpan ? spanConnector(plain, database, inSpan) : plain
  return {
    ...auditConnector(spanned, { audit, database, purpose: 'people' }),
    measuring: auditConnector(spanned, { audit, database, purpose: 'index' }),
  }
}

/** What the audit shows for reading the schema, which takes only statements of our own. */
const schemaStatement = '-- tables, columns, comments and keys, from the catalogs of the system'

/** What the audit shows for checking the safeguards, which reads and changes nothing. */
const safeguardStatement =
  '-- trials: a write, which must be refused; a count that must stop in time; the rights of the user'

/** The same connector, with every statement recorded in the audit: before it is sent, and how it ended. */
const auditConnector = (
  connector: Connector,
  { audit, ...where }: Pick<AuditedStatement, 'database' | 'purpose'> & { readonly audit: StatementAudit },
): Connector => {
  const record = async <T>(
    statement: Pick<AuditedStatement, 'kind' | 'sql' | 'caps'>,
    signal: AbortSignal | undefined,
    work: (allowed: Partial<StatementCaps>) => Promise<T>,
    read: (done: T) => Omit<StatementEnd, 'errorClass' | 'milliseconds'> & { readonly milliseconds?: number },
  ): Promise<T> => {
    const end = await audit.begin(
      { ...where, dialect: connector.dialect, ...statement },
      signal ? { signal } : {},
    )
    const { timeoutError: tooShort = null, ...caps } = end.allowed ?? {}
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
      record(
        { kind: 'schema', sql: schemaStatement },
        options.signal,
        () => connector.introspect(options),
        () => ({ verdict: 'ran', rows: null, bytes: null }),
      ),
    explain: (sql, options) =>
      record(
        { kind: 'explain', sql: sql.sql, caps: { maxRows: 0, timeoutMs: options.timeoutMs } },
        options.signal,
        ({ timeoutMs = options.timeoutMs }) =>
          connector.explain(sql, { ...options, timeoutMs, purpose: where.purpose }),
        plan => ({ verdict: 'ran', rows: null, bytes: Buffer.byteLength(plan) }),
      ),
    run: (sql, options) =>
      record(
        { kind: 'run', sql: sql.sql, caps: { maxRows: options.maxRows, timeoutMs: options.timeoutMs } },
        options.signal,
        allowed => connector.run(sql, { ...options, ...allowed, purpose: where.purpose }),
        table => ({
          verdict: table.truncated === null ? 'ran' : 'cut',
          ...countRowsAndBytes(table),
          milliseconds: table.milliseconds,
        }),
      ),
    checkSafeguards: (options = {}) =>
      record(
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

/** The size of a result, in the units of `maxRows` and `maxBytes`. */
const countRowsAndBytes = ({ rows }: ResultTable): { readonly rows: number; readonly bytes: number } => {
  let bytes = 0
  for (const row of rows) for (const cell of row) bytes += cellBytes(cell)
  return { rows: rows.length, bytes }
}

/** The same connector, with each statement in a span that has the database and row count, but neither text nor values. */
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
