import {
  type Comparison,
  emptyMetricQuery,
  type MetricOrder,
  type MetricQuery,
  type MetricUse,
  type Running,
} from '../../domain/metrics/metric-query.ts'
import type { MetricReply, ReplyMetric } from '../../domain/metrics/metric-reading.ts'
import type { Understanding } from '../../domain/question-context.ts'
import type { LayerIndex } from '../compile/layer-index.ts'
import { scaled } from '../interpret/draft/query-draft.ts'
import { comparisonOf, stretchBefore, yearBefore } from '../interpret/finish/compared-periods.ts'
import { baseOf, labelOfUse, unitOfUse } from '../interpret/finish/layer-facts.ts'
import type { LayerCut } from './layer-cut.ts'
import { isDay, type KnownTexts, readConditions } from './reply-conditions.ts'
import { makeReplyNames, type ReplyNames, ReplyProblem } from './reply-names.ts'

/** Rows that a reply may ask for; the caps on results hold besides. */
const MOST_ROWS = 10_000

const MOST_METRICS = 10

/** A reply as a metric query, or what is wrong with it, one sentence each. */
export type ReadReply =
  | {
      readonly ok: true
      readonly query: MetricQuery
      /** The figures that were asked for; the query may have more, to rank by. */
      readonly asked: readonly MetricUse[]
    }
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Checks a model's reply against what it was shown. Every part is read even if another is wrong, so that one turn can
 * mend all of it.
 */
export const readReply = (
  reply: MetricReply,
  given: {
    readonly cut: LayerCut
    readonly index: LayerIndex
    readonly understanding: Understanding
    readonly texts: KnownTexts
  },
): ReadReply => {
  const { index, understanding, texts } = given
  const names = makeReplyNames(given.cut, index)
  const problems: string[] = []
  const attempt = <Value>(read: () => Value, otherwise: Value): Value => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ReplyProblem)) throw error
      problems.push(error.message)
      return otherwise
    }
  }
  const each = <From, To>(list: readonly From[], read: (one: From) => To): readonly To[] =>
    list.flatMap(one => attempt<readonly To[]>(() => [read(one)], []))

  if (reply.metrics.length > MOST_METRICS) problems.push(`More than ${MOST_METRICS} metrics are too many`)
  const metrics = each(reply.metrics.slice(0, MOST_METRICS), one => readMetric(one, names, texts))
  const sortFigures = each(
    reply.sort.filter(({ by }) => isFigure(by, given.cut)),
    ({ by }) => metricSaid(by, reply, metrics, names),
  )
  const rowsOf = reply.rows === null ? null : attempt(() => names.model(reply.rows ?? '').name, null)
  const [first] = [...metrics, ...sortFigures]
  const base = rowsOf ?? (first && baseOf(first, { index })?.name) ?? null
  if (base === null) {
    if (problems.length === 0) problems.push('There is neither a metric nor a model whose rows are listed')
    return { ok: false, problems }
  }
  const groupBy = each(reply.by, one => names.group(one, base))
  const order = each(reply.sort, one => readOrder(one, reply, { metrics, names, base, cut: given.cut }))
  const period = attempt(() => readPeriod(reply, base, names, understanding), null)
  const query: MetricQuery = {
    ...emptyMetricQuery,
    // What ranks is shown too.
    metrics: [...metrics, ...sortFigures.filter(one => !metrics.some(other => isSame(one, other)))],
    rowsOf,
    groupBy,
    show: each(reply.show, one => names.ref(one, base)),
    filters: attempt(() => readConditions(reply.where, base, names, texts), []),
    period,
    compare: attempt(
      () =>
        readComparison(
          reply,
          period,
          groupBy.some(({ kind }) => kind === 'grain'),
          understanding.today,
        ),
      null,
    ),
    share: attempt(
      () =>
        reply.share === null
          ? null
          : reply.share === 'total'
            ? { kind: 'total' }
            : { kind: 'group', by: names.group(reply.share, base) },
      null,
    ),
    running: attempt(() => readRunning(reply.running), null),
    having: each(reply.having, ({ figure, is, value }) => {
      const metric = metricSaid(figure, reply, metrics, names)
      return { metric, operator: is, value: scaled(value, { unit: unitOfUse(metric, { index }) }) }
    }),
    order,
    limit: attempt(() => readLimit(reply.limit), null),
    limitPer: each(reply.limitPer, one => names.group(one, base)),
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, query, asked: metrics }
}

const isSame = (a: MetricUse, b: MetricUse): boolean => JSON.stringify(a) === JSON.stringify(b)

const readFigure = (
  { figure, where }: Pick<ReplyMetric, 'figure' | 'where'>,
  names: ReplyNames,
  texts: KnownTexts,
): MetricUse => {
  const use = names.figure(figure)
  if (use.kind === 'ratio' || where.length === 0) return use
  const base = baseOf(use, names)
  if (base === null) throw new ReplyProblem(`${figure} has no rows of its own, so it takes no conditions`)
  return { ...use, filters: readConditions(where, base.name, names, texts) }
}

const readMetric = (metric: ReplyMetric, names: ReplyNames, texts: KnownTexts): MetricUse => {
  const numerator = readFigure(metric, names, texts)
  if (metric.per === null) return numerator
  const denominator = readFigure(metric.per, names, texts)
  // A part of the same figure is a share of it.
  const isShare = metric.figure === metric.per.figure
  const [over, under] = [numerator, denominator].map(use => labelOfUse(use, names))
  const label = isShare ? `Share of ${lower(under)}` : `${over} per ${lower(under)}`
  return { kind: 'ratio', label, numerator, denominator, isShare }
}

const lower = (label = ''): string => `${label.charAt(0).toLowerCase()}${label.slice(1)}`

const isFigure = (text: string, cut: LayerCut): boolean =>
  cut.metrics.has(text) || /^(?:sum|count|count_distinct|avg|min|max|median|percentile)\(/.test(text)

/** A figure that is named again: the one that is shown, with its conditions, or else a new one. */
const metricSaid = (
  figure: string,
  { metrics: said }: MetricReply,
  metrics: readonly MetricUse[],
  names: ReplyNames,
): MetricUse => {
  const at = said.length === metrics.length ? said.findIndex(one => one.figure === figure) : -1
  return metrics[at] ?? names.figure(figure)
}

const readOrder = (
  { by, direction }: MetricReply['sort'][number],
  reply: MetricReply,
  given: {
    readonly metrics: readonly MetricUse[]
    readonly names: ReplyNames
    readonly base: string
    readonly cut: LayerCut
  },
): MetricOrder => {
  const { metrics, names, base, cut } = given
  const [main] = metrics
  if (by === 'change' || by === 'growth') {
    if (main === undefined || reply.compare === null)
      throw new ReplyProblem(`Sorting by ${by} needs a metric and something to compare with`)
    return { kind: 'change', metric: main, isRelative: by === 'growth', direction }
  }
  if (isFigure(by, cut)) return { kind: 'metric', metric: metricSaid(by, reply, metrics, names), direction }
  const key = names.group(by, base)
  return key.kind === 'dimension' && reply.rows !== null
    ? { kind: 'dimension', at: key.at, direction }
    : { kind: 'key', key, direction }
}

/** Days of the calendar; the words are those of the question, if it has them. */
const readPeriod = (
  { period }: MetricReply,
  base: string,
  names: ReplyNames,
  { spans }: Understanding,
): MetricQuery['period'] => {
  if (period === null || (period.from === null && period.until === null)) return null
  const { from, until } = checkedDays(period)
  const said = spans.find(span => span.from === from && span.until === until)
  return {
    from,
    until,
    at: period.date === null ? null : names.ref(period.date, base),
    phrase: said?.phrase ?? '',
  }
}

const checkedDays = <Days extends { readonly from: string | null; readonly until: string | null }>(
  days: Days,
): Days => {
  for (const day of [days.from, days.until])
    if (day !== null && !isDay(day))
      throw new ReplyProblem(`${day.slice(0, 40)} is no day such as 2026-11-20`)
  if (days.from !== null && days.until !== null && days.from >= days.until)
    throw new ReplyProblem(`The period from ${days.from} until ${days.until} has no days`)
  return days
}

const readComparison = (
  { compare }: MetricReply,
  period: MetricQuery['period'],
  isSeries: boolean,
  today: string,
): Comparison | null => {
  if (compare === null) return null
  if (isSeries) {
    if (typeof compare !== 'string')
      throw new ReplyProblem('A series is compared with previous or year, not with days of its own')
    return { kind: 'series', lag: compare }
  }
  if (period === null || period.from === null || period.until === null)
    throw new ReplyProblem('A comparison needs a period with a beginning and an end, or a series')
  if (compare === 'previous') return comparisonOf(period, stretchBefore(period), today)
  if (compare === 'year') return comparisonOf(period, yearBefore(period), today)
  const { from, until } = checkedDays(compare)
  if (from === null || until === null)
    throw new ReplyProblem('The days to compare with need a beginning and an end')
  return comparisonOf(period, { from, until, label: `${from} until ${until}` }, today)
}

const readRunning = (running: string | null): Running | null => {
  if (running === null) return null
  if (running === 'total') return { kind: 'total' }
  const unit = /^to_date\((day|week|month|quarter|year)\)$/.exec(running)?.[1]
  if (unit !== undefined)
    return { kind: 'to-date', unit: unit as 'day' | 'week' | 'month' | 'quarter' | 'year' }
  const count = Number(/^average\((\d{1,3})\)$/.exec(running)?.[1] ?? 0)
  if (count < 2)
    throw new ReplyProblem('running is total, to_date(year) or the like, or average(3) or the like')
  return { kind: 'moving-average', count }
}

const readLimit = (limit: number | null): number | null => {
  if (limit === null) return null
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw new ReplyProblem(`limit is a whole number from 1 to ${MOST_ROWS}`)
  return limit
}
