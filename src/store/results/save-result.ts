import { randomUUID } from 'node:crypto'
import type { ResultKey } from '../../core/result.ts'
import type { SaveResult } from '../../core/saved-result.ts'
import type { SavedResults } from '../repositories/saved-results.ts'
import { encodeCell } from './encode-cell.ts'
import { packRows } from './pack-rows.ts'

/** Rows that are kept readable in the database: enough for a message, and for a look with psql. */
const HEAD_ROWS = 50

/** How much is kept of a result, and for how long. */
export interface ResultLimits {
  /** Size of the compressed body; rows beyond it are left out, and the result says so. */
  readonly maxBodyBytes: number
  readonly keepMs: number
}

/** Five megabytes, for a week. */
export const defaultResultLimits: ResultLimits = {
  maxBodyBytes: 5 * 1024 * 1024,
  keepMs: 7 * 24 * 60 * 60 * 1000,
}

/** Makes the port that keeps the rows of a run: hash, head and a compressed body, until they expire. */
export const makeSaveResult =
  (deps: {
    readonly savedResults: SavedResults
    readonly resultKey: ResultKey
    readonly now: () => Date
    readonly limits?: ResultLimits
  }): SaveResult =>
  async (questionId, table) => {
    const { maxBodyBytes, keepMs } = deps.limits ?? defaultResultLimits
    const { body, count } = await packRows(table.rows, maxBodyBytes)
    const id = randomUUID()
    await deps.savedResults.insert({
      id,
      questionId,
      canonicalHash: deps.resultKey(table, { ordered: false }),
      columns: table.columns,
      head: table.rows.slice(0, HEAD_ROWS).map(row => row.map(encodeCell)),
      body,
      bodyRowCount: count,
      rowCount: table.rows.length,
      truncated: count < table.rows.length ? 'bytes' : table.truncated,
      milliseconds: table.milliseconds,
      expiresAt: new Date(deps.now().getTime() + keepMs),
    })
    return id
  }
