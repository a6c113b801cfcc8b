import type { FieldPacket, PoolConnection, PrepareStatementInfo } from 'mysql2'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell, ResultColumn, RunLimits } from '../../../domain/result.ts'
import { makeRowCap } from '../row-cap.ts'
import { startsWithQueryKeyword } from './safeguards.ts'
import { kindOfField, type MysqlField, makeToCell } from './values.ts'

/** Rows as they arrive. Filled while reading, so that a result that is cut short still has the rows so far. */
export interface RowSink {
  columns: readonly ResultColumn[]
  readonly rows: (readonly Cell[])[]
}

/** What the driver's types leave out about a prepared statement. */
type Prepared = PrepareStatementInfo & {
  readonly columns: readonly unknown[]
  readonly parameters: readonly unknown[]
}

/** Thrown when a cap ends reading. The server goes on sending, so the connection must be closed. */
export class CapReached extends Error {
  readonly cap: 'rows' | 'bytes'

  constructor(cap: 'rows' | 'bytes') {
    super(`The result has more ${cap} than may be read.`)
    this.cap = cap
  }
}

const prepare = (connection: PoolConnection, sql: string): Promise<Prepared> =>
  new Promise((resolve, reject) => {
    connection.prepare(sql, (error, statement) => {
      if (error) reject(error)
      else resolve(statement as Prepared)
    })
  })

const execute = (
  statement: Prepared,
  limits: Pick<RunLimits, 'maxRows' | 'maxBytes'>,
  sink: RowSink,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const cap = makeRowCap(limits)
    let toCells: readonly ((value: unknown) => Cell)[] = []
    const reading = statement.execute([])
    reading.on('fields', (packets: FieldPacket[] | undefined) => {
      const fields = (packets ?? []) as unknown as readonly MysqlField[]
      sink.columns = fields.map(field => ({ name: field.name, kind: kindOfField(field) }))
      toCells = fields.map(makeToCell)
    })
    reading.on('result', (row: unknown) => {
      if (!Array.isArray(row)) return
      const cells = toCells.map((toCell, index) => toCell(row[index]))
      const cut = cap.refuse(cells)
      if (cut === null) sink.rows.push(cells)
      else reject(new CapReached(cut))
    })
    reading.on('error', reject)
    reading.on('end', () => resolve())
  })

/** If the connection was closed meanwhile there is nothing to close, and the driver throws. */
const forget = (connection: PoolConnection, sql: string): void => {
  try {
    connection.unprepare(sql)
  } catch {}
}

/**
 * Runs one query as a prepared statement. That allows only one statement whatever the session allows, and the
 * server describes it before executing: what has no columns (INTO OUTFILE, CALL, DDL) is not executed at all. Rows
 * arrive as stored, not as text. Rejects with `CapReached` if a cap cuts them.
 */
export const readRows = async (
  connection: PoolConnection,
  sql: string,
  limits: Pick<RunLimits, 'maxRows' | 'maxBytes'>,
  sink: RowSink,
): Promise<void> => {
  const statement = await prepare(connection, sql)
  try {
    if (statement.columns.length === 0 || !startsWithQueryKeyword(sql))
      throw new SqlError('permission', 'the statement is not a query that only reads')
    if (statement.parameters.length > 0)
      throw new SqlError('syntax', 'the statement has a ? without a value', { driverCode: '1210' })
    await execute(statement, limits, sink)
  } finally {
    forget(connection, sql)
  }
}
