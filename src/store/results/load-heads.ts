import type { LoadResultHeads } from '../../core/result-head.ts'
import type { SavedResults } from '../repositories/saved-results.ts'
import { decodeCell } from './decode-cell.ts'

/** Makes the port that reads first rows: they stand apart in the database, so that no body is unpacked for them. */
export const makeLoadHeads =
  (deps: { readonly savedResults: SavedResults; readonly now: () => Date }): LoadResultHeads =>
  async (resultIds, rows) => {
    const found = await deps.savedResults.findHeads(resultIds, rows, deps.now())
    return new Map(
      found.map(({ id, columns, rowCount, head }) => [
        id,
        { columns, rowCount, rows: head.map(row => row.map(decodeCell)) },
      ]),
    )
  }
