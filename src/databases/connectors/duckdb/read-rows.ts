import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  StatementType,
} from '@duckdb/node-api'
import type { Cell } from '../../../domain/result.ts'
import type { OpenedDatabase } from '../child/serve.ts'
import { makeRowCap } from '../row-cap.ts'
import { explainPrefix } from './source.ts'
import { kindOf, makeToCell } from './values.ts'

/** A batch is sent at this many bytes. DuckDB's own chunks have up to 2048 rows. */
const batchBytes = 256 * 1024

/** An error in DuckDB's own form, for statements that DuckDB allows and this connector does not. */
const refuse = (errorType: 'Parser' | 'Permission', message: string): Error =>
  new Error(`${errorType} Error: ${message}`)

const prepareQuery = async (connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> => {
  const extracted = await connection.extractStatements(sql)
  if (extracted.count === 0) throw refuse('Parser', 'the statement is empty')
  if (extracted.count > 1)
    throw refuse('Parser', 'more than one statement was given; one query at a time can be run')
  const statement = await extracted.prepare(0)
  const problem =
    statement.statementType !== StatementType.SELECT
      ? refuse('Permission', 'the statement is not a query that only reads')
      : statement.parameterCount > 0
        ? refuse('Parser', 'a parameter stands for a value, and none is given')
        : null
  if (problem === null) return statement
  statement.destroySync()
  throw problem
}

/** A result that is being read, and what frees the statement behind it, which the driver keeps until then. */
interface StartedQuery {
  readonly result: DuckDBResult
  readonly free: () => void
}

/**
 * Prepares the one query of a text and starts it. A view's file stays within DuckDB's reach, and COPY could write
 * to it. No setting prevents that; what does is that only SELECT is ever executed. EXPLAIN ANALYZE executes what
 * it explains, so only our own EXPLAIN is run, and only of a SELECT.
 */
const startQuery = async (connection: DuckDBConnection, sql: string): Promise<StartedQuery> => {
  const isExplained = sql.startsWith(explainPrefix)
  const statement = await prepareQuery(connection, isExplained ? sql.slice(explainPrefix.length) : sql)
  const free = (): void => statement.destroySync()
  try {
    return { result: await (isExplained ? connection.stream(sql) : statement.stream()), free }
  } catch (error) {
    free()
    throw error
  }
}

/** Runs one query inside a child, and sends its rows in batches until they end or a cap is reached. */
export const makeReadRows =
  (connection: DuckDBConnection, timeZone: string): OpenedDatabase['run'] =>
  async (request, sendRows) => {
    const { result, free } = await startQuery(connection, request.sql)
    try {
      return await sendResult(result, {
        request,
        sendRows,
        timeZone,
        interrupt: () => connection.interrupt(),
      })
    } finally {
      free()
    }
  }

const sendResult = async (
  result: DuckDBResult,
  {
    request,
    sendRows,
    timeZone,
    interrupt,
  }: {
    readonly request: Parameters<OpenedDatabase['run']>[0]
    readonly sendRows: Parameters<OpenedDatabase['run']>[1]
    readonly timeZone: string
    readonly interrupt: () => void
  },
): ReturnType<OpenedDatabase['run']> => {
  const types = result.columnTypes()
  const toCells = types.map(type => makeToCell(type, timeZone))
  const cap = makeRowCap(request)
  let truncated: 'rows' | 'bytes' | null = null
  let batch: Cell[][] = []
  let sentBytes = 0

  const flush = async (): Promise<void> => {
    if (batch.length > 0) await sendRows(batch)
    batch = []
    sentBytes = cap.bytes()
  }

  while (truncated === null) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) break
    for (const values of chunk.getRows()) {
      const row = values.map((value, index) => toCells[index]!(value))
      truncated = cap.refuse(row)
      if (truncated !== null) break
      batch.push(row)
      if (cap.bytes() - sentBytes >= batchBytes) await flush()
    }
    await flush()
  }

  // DuckDB still computes ahead for a result that was cut.
  if (truncated !== null) interrupt()
  return {
    type: 'done',
    truncated,
    columns: result.columnNames().map((name, index) => ({ name, kind: kindOf(types[index]!) })),
  }
}
