import { randomUUID } from 'node:crypto'
import type { ResultTable } from '../../core/result.ts'
import type { LoadResultHeads } from '../../core/result-head.ts'
import type { LoadResult, SaveResult } from '../../core/saved-result.ts'

/** Saved results that live as long as the process. */
export const makeMemoryResults = (): {
  save: SaveResult
  load: LoadResult
  heads: LoadResultHeads
  forget(questionId: string): void
} => {
  const tables = new Map<string, { questionId: string; table: ResultTable }>()
  return {
    save: async (questionId, table) => {
      const id = randomUUID()
      tables.set(id, { questionId, table })
      return id
    },
    load: async id => tables.get(id)?.table ?? null,
    heads: async (ids, rows) =>
      new Map(
        ids.flatMap(id => {
          const table = tables.get(id)?.table
          if (table === undefined) return []
          return [
            [id, { columns: table.columns, rows: table.rows.slice(0, rows), rowCount: table.rows.length }],
          ]
        }),
      ),
    forget: questionId => {
      for (const [id, kept] of tables) if (kept.questionId === questionId) tables.delete(id)
    },
  }
}
