import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Cell } from '../../../domain/result.ts'
import type { ChildMessage, ChildRequest } from '../child/fork.ts'
import { makeRowCap } from '../row-cap.ts'
import { authorizationCode, genericCode } from './errors.ts'
import { hasSecondStatement } from './safeguards.ts'
import { makeKindTracker, toCell } from './values.ts'

/** A batch is sent at this many rows or bytes, whichever comes first. */
const batchRows = 500

const batchBytes = 256 * 1024

const reject = (errcode: number, message: string): Error => Object.assign(new Error(message), { errcode })

const prepareOnlyQuery = (database: DatabaseSync, sql: string): StatementSync => {
  const statement = database.prepare(sql)
  if (hasSecondStatement(sql, statement.sourceSQL))
    throw reject(genericCode, 'more than one statement was given; one query at a time can be run')
  if (statement.columns().length === 0)
    throw reject(authorizationCode, 'the statement is not a query: it returns no columns')
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  return statement
}

/** Runs one query inside a child, and sends its rows in batches until they end or a cap is reached. */
export const readRows = async (
  database: DatabaseSync,
  request: Extract<ChildRequest, { type: 'run' }>,
  sendRows: (rows: readonly (readonly Cell[])[]) => Promise<void>,
): Promise<Extract<ChildMessage, { type: 'done' }>> => {
  const statement = prepareOnlyQuery(database, request.sql)
  const columns = statement.columns()
  const watchers = columns.map(column => makeKindTracker(column.type))
  const cap = makeRowCap(request)
  let truncated: 'rows' | 'bytes' | null = null
  let batch: Cell[][] = []
  let sentBytes = 0

  for (const values of statement.iterate() as Iterable<unknown>) {
    const row = (values as unknown[]).map(toCell)
    truncated = cap.refuse(row)
    if (truncated !== null) break
    for (const [index, watcher] of watchers.entries()) watcher.see((values as unknown[])[index])
    batch.push(row)
    if (batch.length >= batchRows || cap.bytes() - sentBytes >= batchBytes) {
      await sendRows(batch)
      batch = []
      sentBytes = cap.bytes()
    }
  }

  if (batch.length > 0) await sendRows(batch)
  return {
    type: 'done',
    truncated,
    columns: columns.map((column, index) => ({ name: column.name, kind: watchers[index]!.kind() })),
  }
}
