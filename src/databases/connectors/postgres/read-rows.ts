import type { PoolClient } from 'pg'
import type { Cell, ResultColumn, RunLimits } from '../../../core/result.ts'
import { makeRowCap } from '../row-cap.ts'
import { QueryCursor } from './query-cursor.ts'
import { kindOfType } from './values.ts'

/** Rows as they come in. Filled while reading, so that a result cut short from outside still has what came. */
export interface RowSink {
  columns: readonly ResultColumn[]
  readonly rows: (readonly Cell[])[]
}

/** The first batch fits most answers whole; later ones are sized by what the rows turned out to weigh. */
const firstBatch = 200
const largestBatch = 2000

/**
 * Runs one query over the extended protocol, which takes no second statement, and reads its rows into `sink` until
 * they end or a cap is reached. The server sends no more than it is asked for, and executes nothing that is not
 * a query: COPY ... TO PROGRAM would pass as reading.
 */
export const readRows = async (
  client: PoolClient,
  sql: string,
  limits: Pick<RunLimits, 'maxRows' | 'maxBytes'>,
  sink: RowSink,
): Promise<'rows' | 'bytes' | null> => {
  const cursor = client.query(new QueryCursor(sql))
  const fields = await cursor.described
  sink.columns = fields.map(field => ({ name: field.name, kind: kindOfType(field.dataTypeID) }))
  const cap = makeRowCap(limits)
  for (let count = Math.min(firstBatch, limits.maxRows + 1); ; ) {
    const batch = (await cursor.read(count)) as Cell[][]
    for (const row of batch) {
      const cut = cap.refuse(row)
      if (cut !== null) {
        await cursor.close()
        return cut
      }
      sink.rows.push(row)
    }
    if (batch.length < count) return null
    const meanBytes = Math.max(1, cap.bytes() / cap.rows())
    const roomInBytes = Math.floor((limits.maxBytes - cap.bytes()) / meanBytes) + 1
    count = Math.max(1, Math.min(largestBatch, roomInBytes, limits.maxRows - cap.rows() + 1))
  }
}
