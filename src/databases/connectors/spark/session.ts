import type { RunOptions } from '../../../domain/database.ts'
import type { Cell, ResultTable } from '../../../domain/result.ts'
import { makeStatementSlots } from '../http/statement-slots.ts'
import { makeRowCap } from '../row-cap.ts'
import type { SparkAddress } from './address.ts'
import { type Operation, openSparkProtocol, type SparkProtocol } from './protocol.ts'
import { cellsOf, kindOfType } from './values.ts'

/** Statements on one server. */
export interface SparkSession {
  /**
   * Runs a query. The server is first asked to describe it as one, which it refuses for everything that writes or sets,
   * without running it. `onBegun` gets the statement once it runs. Rejects with `SqlError`.
   */
  readonly run: (
    sql: string,
    options: RunOptions,
    onBegun?: (operation: Operation) => void,
  ) => Promise<ResultTable>
  /** Runs a statement of our own that is no query: SHOW, DESCRIBE, EXPLAIN. */
  readonly ask: (sql: string, options: RunOptions) => Promise<readonly (readonly Cell[])[]>
  /** Rows of the protocol's own lists of tables and columns. */
  readonly list: (what: 'tables' | 'columns', options: RunOptions) => Promise<readonly (readonly Cell[])[]>
  readonly close: () => Promise<void>
}

/** Rows of the first batch, which holds most answers whole, and of later ones. */
const firstBatch = 200

const largestBatch = 5_000

/** The first statement of a session waits for a server that is still starting, or a warehouse that is waking up. */
const firstStatementMs = 120_000

export const openSparkSession = async (options: {
  readonly address: SparkAddress
  readonly size: number
  readonly timeZone: string | null
}): Promise<SparkSession> => {
  const protocol = await openSparkProtocol(options.address, {})
  const slots = makeStatementSlots(options.size)

  const follow = <T>(
    begin: (protocol: SparkProtocol, timeoutMs: number) => Promise<Operation>,
    { timeoutMs, signal }: RunOptions,
    work: (operation: Operation, stopping: AbortSignal) => Promise<T>,
    onBegun: (operation: Operation) => void = () => {},
  ): Promise<T> => {
    let running: Promise<Operation> | null = null
    return slots.run(
      { timeoutMs, ...(signal && { signal }) },
      async stopping => {
        running = begin(protocol, timeoutMs)
        const operation = await running
        onBegun(operation)
        try {
          await operation.ready(stopping)
          return await work(operation, stopping)
        } finally {
          // Of a result that was cut, parts may still be computed.
          await operation.cancel().catch(() => {})
          // The server keeps the rows of a statement until it is closed.
          await operation.close().catch(() => {})
        }
      },
      async () => {
        const operation = await running?.catch(() => null)
        await operation?.cancel()
      },
    )
  }

  const session: SparkSession = {
    run: async (sql, runOptions, onBegun) => {
      const described = await session.ask(`DESCRIBE QUERY ${sql}`, { ...runOptions, maxRows: 10_000 })
      const types = described.map(([, type]) => String(type))
      return await follow(
        ({ begin }, timeoutMs) => begin(sql, timeoutMs),
        runOptions,
        (operation, stopping) => readRows(operation, types, runOptions, stopping),
        onBegun,
      )
    },
    ask: (sql, runOptions) =>
      follow(
        ({ begin }, timeoutMs) => begin(sql, timeoutMs),
        runOptions,
        async (operation, stopping) => (await readRows(operation, null, runOptions, stopping)).rows,
      ),
    list: (what, runOptions) =>
      follow(
        lists => lists[what](),
        runOptions,
        async (operation, stopping) => (await readRows(operation, null, runOptions, stopping)).rows,
      ),
    close: async () => {
      await slots.close()
      await protocol.close()
    },
  }
  const settings = [
    ...(options.timeZone === null ? [] : [`spark.sql.session.timeZone=${options.timeZone}`]),
    // Spark's own server gathers a whole result in its memory before the first row, unless told to read on demand.
    ...(options.address.kind === 'spark' ? ['spark.sql.thriftServer.incrementalCollect=true'] : []),
  ]
  for (const setting of settings)
    await session.ask(`SET ${setting}`, { timeoutMs: firstStatementMs, maxRows: 10, maxBytes: 10_000 })
  return session
}

/** Without `types`, every column is text, or what its values are. */
const readRows = async (
  operation: Operation,
  types: readonly string[] | null,
  limits: RunOptions,
  stopping: AbortSignal,
): Promise<ResultTable> => {
  const started = performance.now()
  const names = await operation.columns()
  const typeOf = (index: number): string => types?.[index] ?? 'string'
  const columns = names.map(({ name }, index) => ({ name, kind: kindOfType(typeOf(index)) }))
  const cap = makeRowCap(limits)
  const rows: (readonly Cell[])[] = []
  const finish = (truncated: ResultTable['truncated']): ResultTable => ({
    columns,
    rows,
    truncated,
    milliseconds: performance.now() - started,
  })
  for (let count = Math.min(firstBatch, limits.maxRows + 1); !stopping.aborted; ) {
    const batch = await operation.fetch(count)
    if (batch === null) break
    const cells = batch.map((column, index) => cellsOf(column, typeOf(index)))
    for (let at = 0; at < (cells[0]?.length ?? 0); at += 1) {
      const row = cells.map(column => column[at] ?? null)
      const cut = cap.refuse(row)
      if (cut !== null) return finish(cut)
      rows.push(row)
    }
    const meanBytes = Math.max(1, cap.bytes() / Math.max(1, cap.rows()))
    const room = Math.floor((limits.maxBytes - cap.bytes()) / meanBytes) + 1
    count = Math.max(1, Math.min(largestBatch, room, limits.maxRows - cap.rows() + 1))
  }
  return finish(null)
}
