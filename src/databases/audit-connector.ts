import type { Connector } from '../core/connector.ts'
import { SqlError } from '../core/sql-error.ts'
import type {
  AuditedStatement,
  StatementAudit,
  StatementCaps,
  StatementEnd,
} from '../core/statement-audit.ts'
import { countRowsAndBytes } from './count-read.ts'

/** What stands in the log for reading the schema, which takes statements of ours alone. */
const schemaStatement = '-- tables, columns, comments and keys, from the catalogs of the system'

/** What stands in the log for trying the walls: none of it reads or changes anything, and it is the same each time. */
const safeguardStatement =
  '-- trials: a write, which must be refused; a count that must stop in time; the rights of the user'

/** The same connector, with every statement told to the audit: before it is sent, and how it ended. */
export const auditConnector = (
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
