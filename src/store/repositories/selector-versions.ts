import { z } from 'zod'
import { type SelectorState, type SelectorVersion, selectorStates } from '../../core/selector-version.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredChallengeReport } from '../stored/challenge-report.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const VERSIONS = 'querent.selector_versions'

const VersionRow = z.object({
  version: z.string(),
  state: z.enum(selectorStates),
  model: z.unknown(),
  report: StoredChallengeReport,
  trained_at: z.date(),
  decided_by: z.string().nullable(),
  decided_at: z.date(),
})

const toVersion = (raw: unknown): SelectorVersion => {
  const row = VersionRow.parse(raw)
  return {
    version: row.version,
    state: row.state,
    model: row.model,
    report: row.report,
    trainedAt: row.trained_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
  }
}

/** Who decided about a version, and when; null for the nightly training. */
export interface SelectorDecision {
  readonly by: string | null
  readonly at: Date
}

/** Makes the queries over trained selectors. At most one is champion; a second one fails. */
export const makeSelectorVersions = (within: Within) => ({
  insert: async (version: SelectorVersion, tx?: Tx): Promise<void> => {
    await within(tx)(VERSIONS).insert({
      version: version.version,
      state: version.state,
      model: toJsonb(version.model),
      report: toJsonb(version.report),
      trained_at: version.trainedAt,
      decided_by: version.decidedBy,
      decided_at: version.decidedAt,
    })
  },

  /** The newest first. */
  list: async (tx?: Tx): Promise<readonly SelectorVersion[]> => {
    const rows: unknown[] = await within(tx)(VERSIONS)
      .orderBy('trained_at', 'desc')
      .orderBy('version', 'desc')
    return rows.map(toVersion)
  },

  find: async (version: string, tx?: Tx): Promise<SelectorVersion | null> => {
    const row: unknown = await within(tx)(VERSIONS).where({ version }).first()
    return row === undefined ? null : toVersion(row)
  },

  /** Null while the shipped one is in use. */
  findChampion: async (tx?: Tx): Promise<SelectorVersion | null> => {
    const row: unknown = await within(tx)(VERSIONS).where({ state: 'champion' }).first()
    return row === undefined ? null : toVersion(row)
  },

  /** Changes where a version stands; null when there is none of this name. */
  setState: async (
    version: string,
    state: SelectorState,
    { by, at }: SelectorDecision,
    tx?: Tx,
  ): Promise<SelectorVersion | null> => {
    const [row] = await within(tx)(VERSIONS)
      .where({ version })
      .update({ state, decided_by: by, decided_at: at })
      .returning('*')
    return row === undefined ? null : toVersion(row)
  },
})
