import type { ParseQuestion } from '../domain/interpretation.ts'
import type { FindValues, Understanding } from '../domain/question-context.ts'
import type { Dialect } from '../domain/sql.ts'
import { renderQuery } from '../sql/render/render-query.ts'
import { buildPlans, type QueryPlan } from './build/build-plans.ts'
import { isWellTyped } from './build/fits-types.ts'
import type { KeyPreference } from './build/join-tree.ts'
import { limitConfidence, listAssumptions, listDecisions, listUnusedWords } from './explain.ts'
import type { Condition, Frame } from './frame.ts'
import {
  calibrateConfidences,
  type Features,
  type ParserModel,
  type Weights,
  weightedScore,
} from './rank/model.ts'
import { indexSchema } from './schema/index-schema.ts'
import type { SchemaIndex } from './schema/schema-index.ts'
import { completeState } from './search/complete-state.ts'
import { makeSearchContext, type SearchContext } from './search/search-context.ts'
import { searchStates } from './search/search-states.ts'
import type { ReadStep, SearchState } from './search/state.ts'
import { firstDayOfSeries } from './understand/whole-periods.ts'

/** One interpretation, not yet explained. */
export interface DraftInterpretation {
  readonly sql: string
  readonly score: number
  readonly frame: Frame
  readonly plan: QueryPlan
  readonly context: SearchContext
  /** How each token was understood, in order. */
  readonly steps: readonly ReadStep[]
  readonly features: Features
}

const BEAM_WIDTH = 60

const MAX_COMPLETED_STATES = 40

/** All interpretations of a question in the beam, best first, with distinct SQL. */
export const interpretQuestion = (
  understanding: Understanding,
  schema: SchemaIndex,
  findValues: FindValues,
  dialect: Dialect,
  weights: Weights,
): readonly DraftInterpretation[] => {
  const context = makeSearchContext(understanding, schema, findValues, weights)
  const build = {
    schema,
    timeZone: understanding.timeZone,
    prefer: preferMentionedKeys(context),
    named: (table: { id: number }) => context.lattice.mentions[table.id]?.strength ?? 0,
  }
  const bySql = new Map<string, DraftInterpretation>()
  for (const state of searchStates(context, BEAM_WIDTH).slice(0, MAX_COMPLETED_STATES)) {
    const read = stepsOf(state)
    const before = read.flatMap(step => step.features)
    for (const completed of completeState(context, state)) {
      const frame = beginWithWholePeriods(completed.frame, understanding.today)
      if (!isWellTyped(frame, dialect)) continue
      for (const plan of buildPlans(frame, build)) {
        const sql = renderQuery(plan.query, dialect)
        const added = [...completed.features, ...plan.features]
        const score = state.score + weightedScore(added, weights)
        const rival = bySql.get(sql)
        if (rival && rival.score >= score) continue
        const features = [...before, ...added]
        bySql.set(sql, { sql, score, frame, plan, context, steps: read, features })
      }
    }
  }
  return [...bySql.values()].sort((a, b) => b.score - a.score)
}

/** A series of the last so many periods begins with a whole one. */
const beginWithWholePeriods = (frame: Frame, today: string): Frame => {
  const isSeries = frame.groups.some(({ unit }) => unit !== null)
  return isSeries
    ? { ...frame, conditions: frame.conditions.map(one => wholeCondition(one, frame, today)) }
    : frame
}

const wholeCondition = (condition: Condition, { groups }: Frame, today: string): Condition => {
  const { test, column } = condition
  const unit = groups.find(group => group.column === column)?.unit
  return test.kind === 'period' && unit
    ? {
        ...condition,
        test: { ...test, span: { ...test.span, from: firstDayOfSeries(test.span, unit, today) } },
      }
    : condition
}

/** How each token was understood, in order. */
export const stepsOf = (state: SearchState): readonly ReadStep[] => {
  const steps: ReadStep[] = []
  for (let at = state.trail; at; at = at.before) steps.push(at)
  return steps.reverse()
}

/** Prefers the key whose column has words of the question ("winner", "billing") among keys between the same tables. */
export const preferMentionedKeys = (context: SearchContext): KeyPreference => {
  const asked = new Set(context.tokens.map(token => token.stem))
  return edge =>
    edge.from.columns
      .flatMap(column => column.words)
      .filter(word => word.stems.some(stem => asked.has(stem)))
      .reduce((sum, word) => sum + word.weight, 0)
}

const DEFAULT_LIMIT = 10

/**
 * Makes the parser from a trained model. It turns a question and a catalog into SQL interpretations, best first. It
 * is pure and deterministic, and caches only an index per catalog.
 */
export const makeParseQuestion =
  (model: ParserModel): ParseQuestion =>
  ({ understanding, catalog, findValues }, options) => {
    const schema = indexSchema(catalog)
    const drafts = interpretQuestion(understanding, schema, findValues, catalog.dialect, model.weights)
    const sure = calibrateConfidences(drafts, model.calibration)
    return drafts.slice(0, options?.limit ?? DEFAULT_LIMIT).map((draft, index) => ({
      sql: draft.sql,
      score: draft.score,
      confidence: limitConfidence(draft, sure[index] ?? 0),
      decisions: listDecisions(draft, drafts),
      assumptions: listAssumptions(draft, understanding),
      unused: listUnusedWords(draft),
    }))
  }
