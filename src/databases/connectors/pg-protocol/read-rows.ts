import type { Connection, FieldDef, PoolClient } from 'pg'
import Cursor, { type CursorConfig } from 'pg-cursor'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell, ResultColumn, RunLimits, ValueKind } from '../../../domain/result.ts'
import { makeRowCap } from '../row-cap.ts'

/** Rows as they arrive. Filled while reading, so that a result that is cut short still has the rows so far. */
export interface RowSink {
  columns: readonly ResultColumn[]
  readonly rows: (readonly Cell[])[]
}

/** How a server's values are read, and how many rows it may be asked for at a time. */
export interface ReadingRules {
  readonly types: CursorConfig['types']
  readonly kindOfType: (typeId: number) => ValueKind
  readonly smallestBatch: number
  readonly largestBatch: number
}

/** The first batch holds most answers whole. The size of later ones depends on the size of the rows so far. */
const firstBatch = 200

/**
 * Runs one query over the extended protocol, which allows only one statement, and reads its rows into `sink` until
 * they end or a cap is reached. The server sends only what is requested, and executes nothing that is not a query:
 * COPY ... TO PROGRAM would pass as reading.
 */
export const readRows = async (
  client: PoolClient,
  sql: string,
  limits: Pick<RunLimits, 'maxRows' | 'maxBytes'>,
  sink: RowSink,
  { types, kindOfType, smallestBatch, largestBatch }: ReadingRules,
): Promise<'rows' | 'bytes' | null> => {
  const cursor = client.query(new QueryCursor(sql, types))
  const fields = await cursor.described
  sink.columns = fields.map(field => ({ name: field.name, kind: kindOfType(field.dataTypeID) }))
  const cap = makeRowCap(limits)
  for (let count = Math.max(smallestBatch, Math.min(firstBatch, limits.maxRows + 1)); ; ) {
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
    count = Math.max(smallestBatch, Math.min(largestBatch, roomInBytes, limits.maxRows - cap.rows() + 1))
  }
}

/**
 * A cursor that knows its columns before anything is executed. pg-cursor has the server parse and describe the
 * statement when it is submitted, and execute it at the first read; the columns arrive between the two.
 */
class QueryCursor extends Cursor {
  /** The columns. Rejects if the statement does not parse, and with `permission` if it is not a query. */
  readonly described: Promise<readonly FieldDef[]>
  readonly #settle: (columns: readonly FieldDef[] | Error) => void

  constructor(sql: string, types: CursorConfig['types']) {
    super(sql, [], { rowMode: 'array', types })
    const { promise, resolve, reject } = Promise.withResolvers<readonly FieldDef[]>()
    this.described = promise
    this.#settle = answer => (answer instanceof Error ? reject(answer) : resolve(answer))
  }

  override submit(connection: Connection): void {
    super.submit(connection)
    const refuse = (): void =>
      this.#settle(new SqlError('permission', 'the statement is not a query: it returns no columns'))
    connection.once('noData', refuse)
    const forget = (): void => {
      connection.removeListener('noData', refuse)
    }
    this.described.then(forget, forget)
  }

  override handleRowDescription(message: { readonly fields: FieldDef[] }): void {
    super.handleRowDescription(message)
    this.#settle(message.fields)
  }

  override handleError(error: Error): void {
    super.handleError(error)
    this.#settle(error)
  }
}
