import type { FieldDef, PoolClient } from 'pg'
import Cursor from 'pg-cursor'
import type { Cell, ResultColumn, RunLimits } from '../../../core/result.ts'
import { SqlError } from '../../../core/sql-error.ts'
import { makeRowCap } from '../row-cap.ts'
import { cellTypes, kindOfType } from './values.ts'

/** Rows as they come in. Filled while reading, so that a result cut short from outside still has what came. */
export interface RowSink {
  columns: readonly ResultColumn[] | null
  readonly rows: (readonly Cell[])[]
}

/** The first batch fits most answers whole; later ones are sized by what the rows turned out to weigh. */
const firstBatch = 200
const largestBatch = 2000

interface Batch {
  readonly rows: unknown[][]
  readonly fields: FieldDef[] | null
}

const readBatch = (cursor: Cursor, count: number): Promise<Batch> =>
  new Promise((resolve, reject) => {
    cursor.read(count, (error, rows, result) => {
      if (error) reject(error)
      else resolve({ rows, fields: result?.fields ?? null })
    })
  })

/** A statement without columns is not a query; run as it was in a transaction that is rolled back, it did nothing. */
const toColumns = (fields: readonly FieldDef[]): ResultColumn[] => {
  if (fields.length === 0)
    throw new SqlError('permission', 'the statement is not a query: it returns no columns')
  return fields.map(field => ({ name: field.name, kind: kindOfType(field.dataTypeID) }))
}

/**
 * Runs one statement over the extended protocol, which takes no second one, and reads its rows into `sink` until
 * they end or a cap is reached. The server sends no more than it is asked for.
 */
export const readRows = async (
  client: PoolClient,
  sql: string,
  limits: Pick<RunLimits, 'maxRows' | 'maxBytes'>,
  sink: RowSink,
): Promise<'rows' | 'bytes' | null> => {
  const cursor = client.query(new Cursor(sql, [], { rowMode: 'array', types: cellTypes }))
  const cap = makeRowCap(limits)
  for (let count = Math.min(firstBatch, limits.maxRows + 1); ; ) {
    const batch = await readBatch(cursor, count)
    sink.columns ??= toColumns(batch.fields ?? [])
    for (const row of batch.rows as Cell[][]) {
      const cut = cap.refuse(row)
      if (cut !== null) {
        await cursor.close()
        return cut
      }
      sink.rows.push(row)
    }
    if (batch.rows.length < count) return null
    const meanBytes = Math.max(1, cap.bytes() / cap.rows())
    const roomInBytes = Math.floor((limits.maxBytes - cap.bytes()) / meanBytes) + 1
    count = Math.max(1, Math.min(largestBatch, roomInBytes, limits.maxRows - cap.rows() + 1))
  }
}
