import type { MetricUse } from '../../../domain/metrics/metric-query.ts'
import { countOf, liftClause } from '../draft/query-draft.ts'
import { type Build, hasCue } from './build.ts'
import {
  baseOf,
  type FinishContext,
  hasTimeOfDay,
  isSomebody,
  revenueMetric,
  rowCountOf,
  wholeOf,
} from './layer-facts.ts'

const whenPattern = /^\W*when (do|does|are|is|did|was|were|have|has)\b/i

/**
 * "When are we busiest", "when do people order most": the days of the week, busiest first. "When did we sell the most": the
 * month. Says whether a question is of this kind.
 */
export const readBusiestTime = (build: Build): boolean => {
  const { draft } = build
  const [rank] = draft.ranks
  const verb = whenPattern.exec(draft.words)?.[1]?.toLowerCase()
  if (verb === undefined || !rank?.isMost || build.groupBy.length > 0 || hasCue(build, 'grain', 'part'))
    return false
  const figure = whatHappens(build)
  const base = figure && baseOf(figure, build.context)
  if (!figure || !base || base.timeDimension === null) return false
  for (const clause of draft.clauses.filter(({ negated }) => !negated)) liftClause(draft, clause)
  for (const event of draft.events) if (event.model.name === base.name && event.isOwn) event.isUsed = true
  build.models = build.models.filter(({ model }) => !isSomebody(model))
  build.subject = null
  build.metrics = [{ use: figure, isOrder: true, at: -1 }]
  const isHabit = /^(?:do|does|are|is)$/.test(verb)
  build.groupBy = [
    isHabit ? { kind: 'part', at: null, part: 'weekday' } : { kind: 'grain', at: null, grain: 'month' },
  ]
  build.order = [{ kind: 'metric', metric: figure, direction: rank.direction }]
  build.limit = isHabit ? null : 1
  build.score += 0.3
  return true
}

/** What there is most of: a figure or rows that are named, or else what revenue comes from. */
const whatHappens = ({ draft, metrics, models, context }: Build): MetricUse | null => {
  const [named] = metrics
  if (named) return named.use
  const revenue = revenueMetric(context.layer)
  if (revenue && /\b(?:sell|sold|earn|earned)\b/i.test(draft.words)) return revenue
  const rows =
    models.find(({ model, at }) => at >= 0 && !isSomebody(model))?.model ??
    draft.clauses.find(({ negated }) => !negated)?.model ??
    draft.events.find(({ negated }) => !negated)?.model
  if (rows) return countOf(rows)
  return countBusiest(context)
}

/** What a business is busy with: what brings revenue in, or what happens most often at a time of day, if revenue has none. */
export const countBusiest = (context: FinishContext): MetricUse | null => {
  const revenue = revenueMetric(context.layer)
  const sales = revenue && baseOf(revenue, context)
  const whole = sales && wholeOf(sales, context)
  const [busiest = whole] =
    whole && hasTimeOfDay(whole)
      ? [whole]
      : context.layer.models
          .filter(model => hasTimeOfDay(model) && !isSomebody(model))
          .toSorted((a, b) => rowCountOf(b, context) - rowCountOf(a, context))
  return busiest ? countOf(busiest) : null
}
