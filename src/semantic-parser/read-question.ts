import type { Dialect } from '../core/dialect.ts'
import type { Understanding } from '../core/understanding.ts'
import type { FindValues } from '../core/value-match.ts'
import { renderSelect } from '../sql/render/render-select.ts'
import { buildPlans, type Plan } from './build/build-plans.ts'
import { fitsTypes } from './build/fits-types.ts'
import type { Frame } from './frame/frame.ts'
import { type Features, scoreOf, type Weights } from './rank/features.ts'
import type { Edge, SchemaIndex } from './schema/schema-index.ts'
import { completeState } from './search/complete-state.ts'
import { makeSearchContext } from './search/make-context.ts'
import type { SearchContext } from './search/search-context.ts'
import { searchStates } from './search/search-states.ts'
import type { State, Trail } from './search/state.ts'

/** One reading before anything is said about it. */
export interface DraftReading {
  readonly sql: string
  readonly score: number
  readonly frame: Frame
  readonly plan: Plan
  readonly context: SearchContext
  /** How each token was read, in order. */
  readonly steps: readonly Trail[]
  readonly features: Features
}

const BEAM = 60
const COMPLETED = 40

/** All readings of a question that the beam holds, best first, no SQL twice. */
export const readQuestion = (
  understanding: Understanding,
  schema: SchemaIndex,
  findValues: FindValues,
  dialect: Dialect,
  weights: Weights,
): readonly DraftReading[] => {
  const context = makeSearchContext(understanding, schema, findValues, weights)
  const build = {
    schema,
    timeZone: understanding.timeZone,
    prefer: preferAsked(context),
    named: (table: { id: number }) => context.lattice.mentions[table.id]?.strength ?? 0,
  }
  const bySql = new Map<string, DraftReading>()
  for (const state of searchStates(context, BEAM).slice(0, COMPLETED)) {
    const read = stepsOf(state)
    const before = read.flatMap(step => step.features)
    for (const completed of completeState(context, state)) {
      if (!fitsTypes(completed.frame, dialect)) continue
      for (const plan of buildPlans(completed.frame, build)) {
        const sql = renderSelect(plan.query, dialect)
        const added = [...completed.features, ...plan.features]
        const score = state.score + scoreOf(added, weights)
        const rival = bySql.get(sql)
        if (rival && rival.score >= score) continue
        const features = [...before, ...added]
        bySql.set(sql, { sql, score, frame: completed.frame, plan, context, steps: read, features })
      }
    }
  }
  return [...bySql.values()].sort((a, b) => b.score - a.score)
}

/** How each token was read, in order. */
export const stepsOf = (state: State): readonly Trail[] => {
  const steps: Trail[] = []
  for (let at = state.trail; at; at = at.before) steps.push(at)
  return steps.reverse()
}

/** Among keys between the same tables the one whose column has words of the question ("winner", "billing"). */
export const preferAsked = (context: SearchContext) => {
  const asked = new Set(context.tokens.map(token => token.stem))
  return (edge: Edge): number =>
    edge.from
      .flatMap(column => column.words)
      .filter(word => word.stems.some(stem => asked.has(stem)))
      .reduce((sum, word) => sum + word.weight, 0)
}
