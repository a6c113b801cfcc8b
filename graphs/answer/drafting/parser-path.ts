import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import type { Draft, DraftInput, DraftPath } from '../../../src/domain/candidate.ts'
import type {
  BreakdownDimension,
  BreakdownPlan,
  FollowUpInterpretation,
  InterpretFollowUp,
} from '../../../src/domain/conversation.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { BreakdownAssumption, Interpretation } from '../../../src/domain/interpretation.ts'
import type { AnswerMeaning, ReadQuestion } from '../../../src/domain/metrics/metric-reading.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { NodeRun } from '../deps.ts'
import { addUpToTotals, EVENLY_SPREAD, readParts, readTotals, scoreParts } from './breakdown.ts'

/**
 * Readings of the semantic parser as drafts, in their order; costs no model call. A change of an earlier question is
 * read as one where that can be done, and else as the whole question that was put together. Where it was asked why, the
 * statements of the breakdown are run, and the one that tells most is the draft.
 */
export const makeSemanticParserPath = (deps: {
  readonly readQuestion: ReadQuestion
  readonly readFollowUp?: InterpretFollowUp
}): DraftPath => ({
  name: 'semantic-parser',
  cost: 'free',
  samples: 1,
  draft: async ({ understanding, database, signal }) => {
    const read = readChange({ understanding, database }, deps.readFollowUp)
    if (read?.kind === 'breakdown') {
      const draft = await draftBreakdown(read, database, signal ? { signal } : {})
      return { kind: 'statements', drafts: [draft], usage: noModelUsage }
    }
    const changed = read?.kind === 'edit' ? read.readings : []
    const readings = changed.length > 0 ? changed : deps.readQuestion({ understanding, database })
    const drafts = readings.map(draftOf)
    return { kind: 'statements', drafts, usage: noModelUsage }
  },
})

const draftOf = ({
  sql,
  confidence,
  decisions,
  assumptions,
  unused,
  meaning,
}: Interpretation & { readonly meaning?: AnswerMeaning }): Draft => ({
  sql,
  lineage: 'semantic-parser',
  prior: confidence,
  decisions,
  assumptions: assumptions.map(assumptionText),
  unused,
  ...(meaning ? { meaning } : {}),
})

const readChange = (
  { understanding, database }: Pick<DraftInput, 'understanding' | 'database'>,
  readFollowUp: InterpretFollowUp | undefined,
): FollowUpInterpretation | null => {
  const { followUp, timeZone } = understanding
  if (!followUp || !readFollowUp) return null
  const { catalog, findValues, semanticLayer } = database
  return readFollowUp({
    followUp,
    catalog,
    findValues,
    timeZone,
    ...(semanticLayer ? { semanticLayer } : {}),
  })
}

/**
 * Runs the statements of a breakdown, one after the other, each guarded, read-only and capped as any other, and drafts
 * the one whose dimension explains most. A dimension whose parts do not add up to the totals is left out; if none is
 * left, the totals are the draft. Throws only when the question was stopped.
 */
export const draftBreakdown = async (
  { plan, confidence }: { readonly plan: BreakdownPlan; readonly confidence: number },
  database: Pick<Database, 'guard' | 'run'>,
  run: Pick<NodeRun, 'signal'>,
): Promise<Draft> => {
  const { kind } = plan.contrast
  const draft = (sql: string, more: readonly BreakdownAssumption[]): Draft => ({
    sql,
    lineage: 'semantic-parser',
    prior: confidence,
    decisions: [],
    assumptions: [...plan.assumptions, ...more].map(assumptionText),
    unused: [],
  })
  const whole = await tryRun(plan.totals, database, run)
  if (!whole) return draft(plan.totals, [])
  const totals = readTotals(whole, kind)
  const looked: { readonly dimension: BreakdownDimension; readonly score: number }[] = []
  for (const dimension of plan.dimensions) {
    const table = await tryRun(dimension.sql.falling, database, run)
    if (!table || table.truncated !== null || table.rows.length < 2) continue
    const parts = readParts(table, kind)
    if (addUpToTotals(parts, totals)) looked.push({ dimension, score: scoreParts(parts, kind).score })
  }
  const [best] = looked.toSorted((a, b) => b.score - a.score)
  if (!best) return draft(plan.totals, [{ kind: 'no-breakdown' }])
  const others = looked.filter(one => one !== best).map(({ dimension }) => dimension.label)
  const { sql, label } = best.dimension
  return draft(totals.subject < totals.beside ? sql.falling : sql.rising, [
    ...(best.score < EVENLY_SPREAD && looked.length > 1
      ? [{ kind: 'weak-breakdown', dimension: label } as const]
      : []),
    ...(others.length > 0 ? [{ kind: 'other-breakdowns', dimensions: others } as const] : []),
    { kind: 'breakdown-is-no-cause' },
  ])
}

/** Null if the guard refuses it or it fails: then it is no way to break anything down. */
const tryRun = async (
  sql: string,
  database: Pick<Database, 'guard' | 'run'>,
  { signal }: Pick<NodeRun, 'signal'>,
): Promise<ResultTable | null> => {
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return null
  try {
    return await database.run(verdict.guarded, signal ? { signal } : {})
  } catch {
    signal?.throwIfAborted()
    return null
  }
}
