import type { FieldPacket, PoolConnection, PrepareStatementInfo } from 'mysql2'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell, ResultColumn, RunLimits } from '../../../domain/result.ts'
import { makeRowCap } from '../row-cap.ts'
import { startsWithQueryKeyword } from './safeguards.ts'
import { kindOfField, type MysqlField, makeToCell } from './values.ts'

/** Rows as they come in. Filled while reading, so that a result cut short from outside still has what came. */
export interface RowSink {
  columns: readonly ResultColumn[]
  readonly rows: (readonly Cell[])[]
}

/** What the driver does not declare of a prepared statement. */
type Prepared = PrepareStatementInfo & {
  readonly columns: readonly unknown[]
  readonly parameters: readonly unknown[]
}

/** Why reading ended before the rows did. The server goes on sending: the connection is to be dropped. */
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

/** On a connection that was cut meanwhile there is nothing to forget, and the driver throws. */
const forget = (connection: PoolConnection, sql: string): void => {
  try {
    connection.unprepare(sql)
  } catch {}
}

/**
 * Runs one query as a prepared statement, which is one statement whatever the session allows, and which the server
 * describes before it executes anything: what has no columns (INTO OUTFILE, CALL, DDL) is not executed at all. Rows
 * come as they are stored, not as text. Rejects with `CapReached` when a cap cuts them.
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
      throw new SqlError('syntax', 'a ? stands for a value, and none is given', { driverCode: '1210' })
    await execute(statement, limits, sink)
  } finally {
    forget(connection, sql)
  }
}
