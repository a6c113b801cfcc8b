import { DateTime } from 'luxon'
import type { MetricUse } from '../../../domain/metrics/metric-query.ts'
import { countOf, liftClause } from '../draft/query-draft.ts'
import { type Build, hasCue } from './build.ts'
import { baseOf, eventsOf, isSomebody, revenueMetric, somebodyOf } from './layer-facts.ts'

const bothPattern =
  /\bnew\b.* (?:vs\.?|versus|and|or|against|compared (?:to|with)) (?:\p{L}+ )?(?:returning|repeat|existing)\b|\b(?:returning|repeat|existing)\b.* (?:vs\.?|versus|and|or|against|compared (?:to|with)) (?:\p{L}+ )?new\b/iu

/**
 * "New vs returning customers [this month]": of those who ordered in a period, or else in this year, who had never ordered
 * before it, and who had. Says whether a question is of this kind.
 */
export const readNewAndReturning = (build: Build): boolean => {
  const { draft, context, models } = build
  if (!bothPattern.test(draft.words) || draft.ranks.length > 0 || draft.periods.length > 1) return false
  const revenue = revenueMetric(context.layer)
  const sales = revenue && baseOf(revenue, context)
  const person =
    models.find(({ model, at }) => at >= 0 && isSomebody(model))?.model ??
    (sales && somebodyOf(sales, context))
  const done = person && eventsOf(person, context)
  const events = done && baseOf(done, context)
  const [key] = person?.primaryKey ?? []
  if (!person || !events || key === undefined || hasCue(build, 'grain', 'growth', 'share')) return false
  if (draft.clauses.some(({ negated }) => negated)) return false
  for (const clause of [...draft.clauses]) liftClause(draft, clause)
  const year = DateTime.fromISO(context.today).startOf('year')
  const span = draft.periods[0]?.span ?? {
    phrase: '',
    at: [0, 0] as const,
    from: year.toISODate(),
    until: year.plus({ years: 1 }).toISODate(),
  }
  if (span.from === null) return false
  const peopleWith = (label: string, operator: '<' | '>='): MetricUse => ({
    kind: 'made',
    label: `${label} ${person.plural}`,
    model: events.name,
    aggregation: 'count_distinct',
    of: { model: person.name, dimension: key, via: null },
    percentile: null,
    filters: [
      {
        kind: 'measured',
        of: person.name,
        metric: countOf(events),
        operator,
        value: 1,
        period: { from: null, until: span.from },
      },
    ],
  })
  draft.periods.splice(0, draft.periods.length, { span, date: null, at: -1 })
  for (const event of draft.events) if (event.model.name === events.name) event.isUsed = true
  build.models = build.models.filter(({ model }) => model.name === person.name)
  build.subject = null
  build.isRows = false
  build.metrics = [
    { use: peopleWith('New', '<'), isOrder: false, at: -1 },
    { use: peopleWith('Returning', '>='), isOrder: false, at: -1 },
  ]
  for (const kind of ['repeat', 'versus', 'compare'] as const) build.used.add(kind)
  build.score += BOTH_FIT
  return true
}

/** What speaks for the two figures, of which nothing else is said. */
const BOTH_FIT = 1.2
