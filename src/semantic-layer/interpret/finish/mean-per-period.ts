import { DateTime } from 'luxon'
import type { MetricUse } from '../../../domain/metrics/metric-query.ts'
import { wordsAt } from '../draft/query-draft.ts'
import { type Build, cueOf } from './build.ts'
import { isAdditive, revenueMetric } from './layer-facts.ts'

/** "Per day", "daily", "a month", and not "by day": that wants a row for each. */
const eachPattern = /^(?:per|a|each|every|daily|weekly|monthly|quarterly|yearly|annual)\b/i

/** "How many orders per day on average", "average monthly revenue": the mean of the periods, and no mean of orders. */
export const readMeanPerPeriod = (build: Build): void => {
  const { draft, context, metrics, groupBy } = build
  const [metric, ...others] = metrics
  const grain = cueOf(build, 'grain')
  const isSeries = groupBy.some(key => key.kind === 'grain')
  if (draft.aggregate?.fn !== 'avg' || !metric || others.length > 0 || !grain || !isSeries || build.isRows)
    return
  if (build.running || build.compare || build.share || draft.ranks.length > 0) return
  if (!eachPattern.test(wordsAt(draft, grain.at, ''))) return
  const whole = wholeFigure(build, metric)
  if (whole === null || !isAdditive(whole, context)) return
  build.metrics = [{ ...metric, use: whole }]
  build.running = { kind: 'mean' }
  endBeforeRunning(build)
}

/** A day that is not over has fewer orders than a day: the mean is of those that are, if there are any. */
const endBeforeRunning = (build: Build): void => {
  const series = build.groupBy.find(key => key.kind === 'grain')
  const today = DateTime.fromISO(build.context.today)
  const last = (series && today.startOf(series.grain).toISODate()) ?? build.context.today
  const { period } = build
  if (period === null) build.period = { from: null, until: last, at: null, phrase: '' }
  else if ((period.until === null || period.until > last) && (period.from === null || period.from < last))
    build.period = { ...period, until: last }
}

/** A count, or revenue: a mean of those that is said of a period is the mean of their totals. */
const wholeFigure = ({ draft, context }: Build, metric: Build['metrics'][number]): MetricUse | null => {
  if (metric.use.kind === 'made' && metric.use.aggregation === 'count') return metric.use
  const said = draft.metrics.find(({ at }) => at === metric.at)?.metric
  if (!said) return null
  const use: MetricUse = { kind: 'named', metric: said.name, filters: [] }
  const revenue = revenueMetric(context.layer)
  const isRevenue = revenue?.kind === 'named' && revenue.metric === said.name
  const isCount = said.kind === 'simple' && said.aggregation === 'count'
  // Salaries do not add up to one of a month; clicks and costs do.
  const isFlow =
    said.kind === 'simple' &&
    said.aggregation === 'sum' &&
    (said.unit?.kind === 'count' || /\b(?:spend|spending|costs?|expenses|consumption)\b/i.test(said.label))
  return isRevenue || isCount || isFlow || /\bon average\b/i.test(draft.words) ? use : null
}
