import { randomUUID } from 'node:crypto'
import type { ResultTable } from '../../core/result.ts'
import type { LoadResult, SaveResult } from '../../core/saved-result.ts'

/** Saved results that live as long as the process. */
export const makeMemoryResults = (): {
  save: SaveResult
  load: LoadResult
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
    forget: questionId => {
      for (const [id, kept] of tables) if (kept.questionId === questionId) tables.delete(id)
    },
  }
}
