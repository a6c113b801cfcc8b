import { z } from 'zod'
import type { LayerDecision } from '../../domain/metrics/layer-decision.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.layer_decisions'

const Row = z.object({
  id: z.string(),
  database: z.string(),
  kind: z.enum(['metric', 'segment']),
  name: z.string(),
  status: z.enum(['accepted', 'rejected']),
  definition: z.string(),
  tables: z.record(z.string(), z.string()),
  decided_by: z.string().nullable(),
  decided_at: z.date(),
})

const toDecision = (found: unknown): LayerDecision => {
  const { decided_by: decidedBy, decided_at: decidedAt, ...row } = Row.parse(found)
  return { ...row, decidedBy, decidedAt }
}

/** Queries on decisions about proposed metrics and segments. */
export const makeLayerDecisions = (within: Within) => ({
  insert: async (decision: LayerDecision, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE).insert({
      id: decision.id,
      database: decision.database,
      kind: decision.kind,
      name: decision.name,
      status: decision.status,
      definition: cleanText(decision.definition),
      tables: toJsonb(decision.tables),
      decided_by: decision.decidedBy,
      decided_at: decision.decidedAt,
    })
  },

  /** The last decision about each metric and segment of a database, the oldest first. */
  listLast: async (database: string, tx?: Tx): Promise<readonly LayerDecision[]> => {
    const rows: unknown[] = await within(tx)
      .select('*')
      .from(
        within(tx)(TABLE)
          .distinctOn('kind', 'name')
          .where({ database })
          .orderBy([{ column: 'kind' }, { column: 'name' }, { column: 'position', order: 'desc' }])
          .as('last'),
      )
      .orderBy('position')
    return rows.map(toDecision)
  },

  /** All decisions about a database, also those that no longer count, the oldest first. */
  listAll: async (database: string, tx?: Tx): Promise<readonly LayerDecision[]> => {
    const rows: unknown[] = await within(tx)(TABLE).where({ database }).orderBy('position')
    return rows.map(toDecision)
  },
})
