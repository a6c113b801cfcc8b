import { z } from 'zod'
import type { Tx } from '../../domain/operations/jobs.ts'
import {
  type ChallengeReport,
  type ChallengeVerdict,
  type ExpertRecord,
  type MeasuredGroup,
  type SelectionSnapshot,
  type SelectorState,
  type SelectorVersion,
  selectorStates,
  withCurrentNames,
} from '../../domain/selection/ranking.ts'
import { cleanText, literalUnion, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const VERSIONS = 'querent.selector_versions'

/** The report on a challenger, as JSON. */
const StoredChallengeReport: z.ZodType<ChallengeReport> = z.object({
  against: z.string(),
  verdict: literalUnion<ChallengeVerdict>({
    promoted: true,
    'not-better-on-votes': true,
    'worse-on-benchmark': true,
  }),
  trainedOn: z.object({ questions: z.number(), voters: z.number(), weight: z.number() }),
  heldOut: z.object({
    questions: z.number(),
    champion: z.number(),
    challenger: z.number(),
    gain: z.number(),
    standardError: z.number(),
  }),
  benchmark: z.object({ questions: z.number(), champion: z.number(), challenger: z.number() }),
})

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
interface SelectorDecision {
  readonly by: string | null
  readonly at: Date
}

/** Queries on trained selectors. At most one is champion; a second one fails. */
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

  /** All versions, newest first. */
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

  /** Null while the shipped selector is in use. */
  findChampion: async (tx?: Tx): Promise<SelectorVersion | null> => {
    const row: unknown = await within(tx)(VERSIONS).where({ state: 'champion' }).first()
    return row === undefined ? null : toVersion(row)
  },

  /** Changes the state of a version; null if the name is unknown. */
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

const SNAPSHOTS = 'querent.selection_snapshots'

/** A measured group as JSON. */
export const StoredMeasuredGroup: z.ZodType<MeasuredGroup> = z.object({
  key: z.string(),
  candidateIds: z.array(z.string()),
  representativeId: z.string(),
  measures: z.record(z.string(), z.number()).transform(withCurrentNames),
})

const SnapshotRow: z.ZodType<SelectionSnapshot> = z.object({
  version: z.string(),
  groups: z.array(StoredMeasuredGroup),
})

/** Queries on selection snapshots. */
export const makeSelectionSnapshots = (within: Within) => ({
  /** Stores what the selector saw for a question; a later one replaces it. Fails if the question does not exist. */
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

const WEIGHTS = 'querent.expert_weights'

const WeightRow: z.ZodType<ExpertRecord> = z.object({
  expert: z.string(),
  weight: z.number(),
  mistakes: z.number().int(),
  rounds: z.number().int(),
})

/** Queries on the weights of lineages, from people's feedback. */
export const makeExpertWeights = (within: Within) => ({
  /** Replaces all weights. */
  replace: async (records: readonly ExpertRecord[], tx: Tx): Promise<void> => {
    await within(tx)(WEIGHTS).delete()
    if (records.length === 0) return
    await within(tx)(WEIGHTS).insert(records.map(record => ({ ...record, expert: cleanText(record.expert) })))
  },

  /** Highest weight first. */
  list: async (tx?: Tx): Promise<readonly ExpertRecord[]> => {
    const rows: unknown[] = await within(tx)(WEIGHTS)
      .orderBy('weight', 'desc')
      .orderByRaw('expert collate "C"')
    return rows.map(row => WeightRow.parse(row))
  },
})
