import type { BreakdownDimension, BreakdownPlan } from '../../../src/core/breakdown.ts'
import type { Database } from '../../../src/core/database.ts'
import type { Draft } from '../../../src/core/draft.ts'
import type { ResultTable } from '../../../src/core/result.ts'
import type { NodeRun } from '../deps.ts'
import { addUpToTotals, readParts, readTotals } from './read-parts.ts'
import { EVENLY_SPREAD, scoreParts } from './weigh-parts.ts'

/**
 * Runs the statements of a breakdown, one after the other, each guarded, read-only and capped as any other, and drafts
 * the one whose dimension explains most. A dimension whose parts do not add up to the totals is left out; where none is
 * left, the totals are the draft. Throws only when the question was stopped.
 */
export const draftBreakdown = async (
  { plan, confidence }: { readonly plan: BreakdownPlan; readonly confidence: number },
  database: Pick<Database, 'guard' | 'run'>,
  run: Pick<NodeRun, 'signal'>,
): Promise<Draft> => {
  const { kind } = plan.contrast
  const draft = (sql: string, more: readonly string[]): Draft => ({
    sql,
    lineage: 'semantic-parser',
    prior: confidence,
    decisions: [],
    assumptions: [...plan.assumptions, ...more],
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
  if (!best) return draft(plan.totals, ['There is no column with a few values to break it down by.'])
  const others = looked.filter(one => one !== best).map(({ dimension }) => dimension.label)
  const { sql, label } = best.dimension
  return draft(totals.subject < totals.beside ? sql.falling : sql.rising, [
    ...(best.score < EVENLY_SPREAD && looked.length > 1 ? [`No split tells much more than ${label}.`] : []),
    ...(others.length > 0 ? [`Also looked at: ${others.join(', ')}.`] : []),
    'A breakdown shows where a number comes from, not what caused it.',
  ])
}

/** Null where the guard refuses it or it fails: then it is no way to break anything down. */
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
