import type { ChainLink } from '../../domain/conversation.ts'
import type { AnswerChange } from '../../domain/interpretation.ts'
import type { FindValues, Understanding, UnderstandQuestion } from '../../domain/question-context.ts'
import type { Dialect } from '../../domain/sql.ts'
import { renderQuery } from '../../sql/render/render-query.ts'
import { buildPlans } from '../build/build-plans.ts'
import { isWellTyped } from '../build/fits-types.ts'
import type { Frame } from '../frame.ts'
import { type DraftInterpretation, preferMentionedKeys, stepsOf } from '../interpret-question.ts'
import { type Weights, weightedScore } from '../rank/model.ts'
import type { ColumnEntry, SchemaIndex } from '../schema/schema-index.ts'
import { resolvePending } from '../search/complete-state.ts'
import { makeSearchContext, type SearchContext } from '../search/search-context.ts'
import { searchStates } from '../search/search-states.ts'
import { startState } from '../search/state.ts'
import { monthPattern } from '../understand/resolve-periods.ts'
import { type StrippedFollowUp, stripFollowUpCues } from './detect-follow-up.ts'
import { type EditedFrame, suggestEdits, tablesOf } from './edited-frame.ts'
import { affinity, mergeFrames } from './merge-frames.ts'
import { applyPlainEdit, type ImpossibleEdit, readPlainEdit } from './plain-edit.ts'

/** What interpreting edits needs. */
export interface EditContext {
  readonly schema: SchemaIndex
  readonly findValues: FindValues
  readonly dialect: Dialect
  readonly weights: Weights
  readonly understand: UnderstandQuestion
  readonly timeZone: string
}

/** An edited frame as an interpretation, with what was changed. */
export interface EditInterpretation extends DraftInterpretation {
  readonly changes: readonly AnswerChange[]
  readonly understanding: Understanding
  /** What the change by itself means; null if it names nothing. */
  readonly edit: Frame | null
}

/** Interpretations of an edit, best first, or why it cannot be made. */
type EditInterpretations =
  | { readonly readings: readonly EditInterpretation[]; readonly show: 'chart' | 'table' | null }
  | ImpossibleEdit

const BEAM_WIDTH = 60

const MAX_COMPLETED_STATES = 40

/** Every change of a frame that a text may mean. */
export const interpretEdit = (
  base: Frame,
  { text, askedAt }: Pick<ChainLink, 'text' | 'askedAt'>,
  parts: EditContext,
): EditInterpretations => {
  const stripped = stripFollowUpCues(text)
  const plain = readPlainEdit(stripped.text, stripped.replaces)
  if (plain?.kind === 'why') {
    return {
      problem: { code: 'asks-why' },
      examples: suggestEdits(base),
    }
  }
  const understanding = understandEdit(stripped.text, yearOf(base), askedAt, parts)
  const known = tablesOf(base)
  const context = makeSearchContext(understanding, parts.schema, parts.findValues, parts.weights, known)
  if (plain) {
    const edited = applyPlainEdit(base, plain, stripped.adds || stripped.joins)
    if ('problem' in edited) return edited
    const readings = build(edited, { context, understanding, score: 0, steps: [], edit: null }, parts)
    return { readings, show: plain.kind === 'show' ? plain.show : null }
  }
  return { readings: searchEdits(base, stripped, { context, understanding }, parts), show: null }
}

/** Alone, "march" is read as a verb; after a question it is a month, and after one about 2025 it is March 2025. */
export const understandEdit = (
  text: string,
  year: string | null,
  askedAt: string,
  parts: Pick<EditContext, 'understand' | 'timeZone'>,
): Understanding => {
  const clock = { now: () => new Date(askedAt), timeZone: parts.timeZone }
  const read = parts.understand(text, clock)
  const asPeriod = parts.understand(`in ${text}`, clock)
  const [only] = asPeriod.spans
  const isPeriod = read.spans.length === 0 && only?.at[1] === asPeriod.text.length && only.at[0] <= 3
  const understood = isPeriod ? asPeriod : read
  const [span] = understood.spans
  // A follow-up is about data, whatever kind of request it would be by itself.
  if (understood.spans.length !== 1 || !span || !year || !withoutYear.test(span.phrase)) {
    return { ...understood, kind: 'data' }
  }
  const [before, after] = [understood.text.slice(0, span.at[1]), understood.text.slice(span.at[1])]
  return { ...parts.understand(`${before} ${year}${after}`, clock), kind: 'data' }
}

const withoutYear = new RegExp(`^(?:${monthPattern}|q[1-4])$`, 'i')

/** The one year that a question is about; null for none or several. */
export const yearOf = (base: Frame): string | null => {
  const years = base.conditions.flatMap(({ test }) =>
    test.kind === 'period' && test.span.from && test.span.until
      ? [test.span.from.slice(0, 4), dayBefore(test.span.until).slice(0, 4)]
      : [],
  )
  const [first] = years
  return first !== undefined && years.every(year => year === first) ? first : null
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 24 * 60 * 60 * 1000).toISOString()

const searchEdits = (
  base: Frame,
  manner: StrippedFollowUp,
  read: { readonly context: SearchContext; readonly understanding: Understanding },
  parts: EditContext,
): readonly EditInterpretation[] => {
  const { context } = read
  const touched = tablesOf(base).map(table => table.id)
  const distance = (column: ColumnEntry): number =>
    Math.min(
      ...touched.map(table => parts.schema.distance[table]?.[column.table.id] ?? Number.POSITIVE_INFINITY),
    )
  const bySql = new Map<string, EditInterpretation>()
  for (const state of searchStates(context, BEAM_WIDTH, { ...startState, touched }).slice(
    0,
    MAX_COMPLETED_STATES,
  )) {
    const settled = resolvePending(context, state)
    const merged = mergeFrames(base, settled.frame, manner)
    if (!merged) continue
    const score =
      state.score + weightedScore(settled.features, parts.weights) + affinity(base, settled.frame, distance)
    for (const reading of build(
      merged,
      { ...read, score, steps: stepsOf(state), edit: settled.frame },
      parts,
    )) {
      const rival = bySql.get(reading.sql)
      if (!rival || rival.score < reading.score) bySql.set(reading.sql, reading)
    }
  }
  return [...bySql.values()].sort((a, b) => b.score - a.score)
}

const build = (
  { frame, changes }: EditedFrame,
  read: Pick<EditInterpretation, 'context' | 'understanding' | 'score' | 'steps' | 'edit'>,
  parts: EditContext,
): readonly EditInterpretation[] => {
  const { schema, timeZone, dialect, weights } = parts
  if (!isWellTyped(frame, dialect)) return []
  const { context } = read
  const named = (table: { id: number }) => context.lattice.mentions[table.id]?.strength ?? 0
  return buildPlans(frame, { schema, timeZone, prefer: preferMentionedKeys(context), named })
    .map(plan => ({
      ...read,
      sql: renderQuery(plan.query, dialect),
      score: read.score + weightedScore(plan.features, weights),
      frame,
      plan,
      features: plan.features,
      changes,
    }))
    .sort((a, b) => b.score - a.score)
}
