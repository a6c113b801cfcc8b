import { z } from 'zod'
import type { SelectionSnapshot } from '../../core/selection-snapshot.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredMeasuredGroup } from '../stored/measured-group.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const SNAPSHOTS = 'querent.selection_snapshots'

const SnapshotRow: z.ZodType<SelectionSnapshot> = z.object({
  version: z.string(),
  groups: z.array(StoredMeasuredGroup),
})

/** Makes the queries over what selectors saw. */
export const makeSelectionSnapshots = (within: Within) => ({
  /** Keeps what the selector saw of a question; a later one replaces it. Fails when there is no such question. */
  upsert: async (questionId: string, snapshot: SelectionSnapshot, tx?: Tx): Promise<void> => {
    await within(tx)(SNAPSHOTS)
      .insert({
        question_id: questionId,
        version: cleanText(snapshot.version),
        groups: toJsonb(snapshot.groups),
        saved_at: within(tx).fn.now(),
      })
      .onConflict('question_id')
      .merge()
  },

  find: async (questionId: string, tx?: Tx): Promise<SelectionSnapshot | null> => {
    const row: unknown = await within(tx)(SNAPSHOTS).where({ question_id: questionId }).first()
    return row === undefined ? null : SnapshotRow.parse(row)
  },
})
