import type { RunOptions } from '../../../domain/database.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { makeHttpClient } from '../http/client.ts'
import { makeStatementSlots } from '../http/statement-slots.ts'
import { makeRowCap } from '../row-cap.ts'
import type { SnowflakeAddress } from './address.ts'
import { makeLogin } from './login.ts'
import { explainSnowflake } from './plan.ts'
import { baseHeaders, beginStatement, type SnowflakeStatement, type StatementRequest } from './protocol.ts'
import { kindOfResult, toCell } from './values.ts'

/** Statements in one account. Both reject with `SqlError`. */
export interface SnowflakeSession {
  /** Runs a statement after Snowflake has compiled it as a query. `onBegun` gets it when it runs. */
  readonly run: (
    sql: string,
    options: RunOptions,
    onBegun?: (statement: SnowflakeStatement) => void,
  ) => Promise<ResultTable>
  /** Runs a statement of our own that describes: EXPLAIN, SHOW, or one on the information schema. */
  readonly ask: (sql: string, options: RunOptions) => Promise<ResultTable>
  readonly close: () => Promise<void>
}

/** Opens a session. Nothing is sent yet. */
export const makeSnowflakeSession = (options: {
  readonly address: SnowflakeAddress
  readonly size: number
  readonly timeZone: string | null
  readonly connectMilliseconds: number
}): SnowflakeSession => {
  const { address } = options
  const timeZone = options.timeZone ?? 'UTC'
  const login = makeLogin(address)
  const client = makeHttpClient({
    origin: address.origin,
    headers: baseHeaders,
    connectMilliseconds: options.connectMilliseconds,
  })
  const slots = makeStatementSlots(options.size)

  const inSlot = (
    statements: readonly string[],
    { timeoutMs, signal, ...limits }: RunOptions,
    onBegun: (statement: SnowflakeStatement) => void,
  ): Promise<ResultTable> => {
    let statement: SnowflakeStatement | null = null
    const begin = (sql: string): SnowflakeStatement => {
      statement = beginStatement(client, login, requestOf(sql, address, { timeZone, timeoutMs, ...limits }))
      return statement
    }
    return slots.run(
      { timeoutMs, ...(signal && { signal }) },
      async stopping => {
        const [last = '', ...before] = statements.toReversed()
        for (const sql of before.toReversed()) for await (const _ of begin(sql).partitions(stopping));
        const running = begin(last)
        onBegun(running)
        return await readRows(running, limits, stopping, timeZone)
      },
      async () => statement?.cancel(),
    )
  }

  return {
    run: (sql, runOptions, onBegun = () => {}) => inSlot([explainSnowflake(sql), sql], runOptions, onBegun),
    ask: (sql, runOptions) => inSlot([sql], runOptions, () => {}),
    close: async () => {
      await slots.close()
      await client.close()
    },
  }
}

const requestOf = (
  statement: string,
  { home, warehouse, role }: SnowflakeAddress,
  { timeZone, timeoutMs, maxRows }: { timeZone: string; timeoutMs: number; maxRows: number },
): StatementRequest => ({
  statement,
  // Whole seconds. A shorter limit is kept by the caller, which cancels.
  timeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
  database: home.database,
  ...(home.schema !== null && { schema: home.schema }),
  ...(warehouse !== null && { warehouse }),
  ...(role !== null && { role }),
  parameters: {
    query_tag: 'querent',
    timezone: timeZone,
    binary_output_format: 'HEX',
    multi_statement_count: '1',
    // One more than is read, so that a cut shows.
    rows_per_resultset: maxRows + 1,
  },
})

const readRows = async (
  statement: SnowflakeStatement,
  limits: Pick<RunOptions, 'maxRows' | 'maxBytes'>,
  signal: AbortSignal,
  timeZone: string,
): Promise<ResultTable> => {
  const started = performance.now()
  const cap = makeRowCap(limits)
  const rows: ResultTable['rows'][number][] = []
  let columns: ResultTable['columns'] = []
  let readers: readonly ReturnType<typeof toCell>[] = []
  const finish = (truncated: ResultTable['truncated']): ResultTable => ({
    columns,
    rows,
    truncated,
    milliseconds: performance.now() - started,
  })
  for await (const partition of statement.partitions(signal)) {
    if (readers.length === 0) {
      columns = partition.columns.map(column => ({ name: column.name, kind: kindOfResult(column) }))
      readers = partition.columns.map(column => toCell(column, timeZone))
    }
    for (const values of partition.rows) {
      const row = readers.map((read, index) => read(values[index] ?? null))
      const cut = cap.refuse(row)
      if (cut !== null) return finish(cut)
      rows.push(row)
    }
  }
  return finish(null)
}
