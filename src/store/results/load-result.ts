import type { LoadResult } from '../../core/saved-result.ts'
import type { SavedResults } from '../repositories/saved-results.ts'
import { unpackRows } from './pack-rows.ts'

/** What a uuid looks like: any other id names nothing that is stored here, and Postgres would throw at it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Makes the port that reads a saved result back: every cell as it was, or null when it has expired. */
export const makeLoadResult =
  (deps: { readonly savedResults: SavedResults; readonly now: () => Date }): LoadResult =>
  async resultId => {
    const saved = UUID.test(resultId) ? await deps.savedResults.find(resultId) : null
    if (!saved || saved.expiresAt <= deps.now()) return null
    return {
      columns: saved.columns,
      rows: await unpackRows(saved.body),
      truncated: saved.truncated,
      milliseconds: saved.milliseconds,
    }
  }
