import { DateTime } from 'luxon'
import type { DateUnit, MetricPeriod, MetricQuery } from '../../../domain/metrics/metric-query.ts'
import type { Dimension, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import type { TimeSpan } from '../../../domain/question-context.ts'
import { findPeriods } from '../../../parser/understand/find-periods.ts'
import { firstDayOfSeries } from '../../../parser/understand/whole-periods.ts'
import { areApart, type PlacedPeriod, refOf } from '../draft/query-draft.ts'
import { type Build, cueOf, hasCue } from './build.ts'
import {
  comparisonOf,
  lagOf,
  runningBeside,
  samePart,
  stretchBefore,
  yearBefore,
} from './compared-periods.ts'
import { baseOf, isSomebody, pathBetween } from './layer-facts.ts'

/** The period, what it is compared with, and the grain of a series. */
export const readTime = (build: Build, home: SemanticModel): void => {
  const { draft, context } = build
  const growth = growthOf(build)
  const [first, second] = periodsOf(build)
  if (first)
    build.period = {
      from: first.span.from,
      until: first.span.until,
      at: first.date,
      phrase: first.span.phrase,
    }
  let grain = readGrain(build)
  const isCompared = hasCue(build, 'versus', 'compare', 'growth')
  // Two times that have no day in common are put side by side, or nothing would be left of either.
  const isTwoTimes =
    first && second && !build.isRows && sameDate(first, second) && areApart(first.span, second.span)
  if (
    first &&
    second &&
    (isCompared || isTwoTimes || build.draft.cues.some(({ cue }) => cue.kind === 'and'))
  ) {
    const [current, other] = [first, second].toSorted((a, b) =>
      (b.span.from ?? '').localeCompare(a.span.from ?? ''),
    )
    build.period = {
      from: current!.span.from,
      until: current!.span.until,
      at: current!.date,
      phrase: current!.span.phrase,
    }
    const part = samePart(build.period, other!.span)
    const { from, until } = part ?? other!.span
    if (from && until) {
      const label = part ? yearBefore(part).label : other!.span.phrase
      build.compare =
        grain !== null && isCompared
          ? { kind: 'series', lag: lagOf(build.period, { from, until }) }
          : comparisonOf(build.period, { from, until, label }, context.today)
      for (const kind of ['versus', 'compare', 'growth'] as const) build.used.add(kind)
      if (build.compare.kind === 'period') keepChanged(build)
    }
  } else if (first && second) {
    if (second.date)
      build.filters.push({
        filter: {
          kind: 'period',
          at: second.date,
          from: second.span.from,
          until: second.span.until,
          negated: false,
        },
        at: second.at,
      })
    else build.score -= 0.7
  } else if (growth) {
    const { lag, grain: ownGrain } = growth
    // "Last month vs the month before" are two months, and no series.
    const isOne = build.period !== null && ownGrain !== null && isOneOf(build.period, ownGrain)
    if (!isOne) grain ??= ownGrain
    if (grain !== null) {
      build.compare = { kind: 'series', lag: lag ?? 'previous' }
      build.used.add('growth')
    } else if (build.period?.from && build.period.until) {
      build.compare = comparisonOf(
        build.period,
        lag === 'year' ? yearBefore(build.period) : stretchBefore(build.period),
        context.today,
      )
      for (const kind of ['versus', 'compare', 'growth'] as const) build.used.add(kind)
    } else if (
      (lag === 'year' && (build.groupBy.length > 0 || comparesPattern.test(build.draft.words))) ||
      // "Which region is growing the fastest": this year beside the last, and no single month.
      (lag === null && build.groupBy.length > 0 && build.order.length > 0)
    ) {
      build.period = { ...runningYear(context.today), at: null }
      build.compare = comparisonOf(build.period, yearBefore(build.period), context.today)
      build.used.add('growth')
    } else if (lag !== null || build.metrics.length > 0) {
      // "Is revenue growing?": this month beside the last.
      grain = 'month'
      build.compare = { kind: 'series', lag: lag ?? 'previous' }
      build.used.add('growth')
      build.score -= 0.3
    }
  }
  if (
    grain !== null &&
    build.period &&
    /to[- ]date|^[yqmw]td$/i.test(build.period.phrase) &&
    !hasCue(build, 'running') &&
    !build.compare
  )
    build.running = {
      kind: 'to-date',
      unit: /year|ytd/i.test(build.period.phrase)
        ? 'year'
        : /quarter|qtd/i.test(build.period.phrase)
          ? 'quarter'
          : 'month',
    }
  const lone = build.period
  if (lone && lone.at === null && build.isRows && build.metrics.length === 0) {
    const event = draft.events.find(
      ({ isOwn, isUsed, model }) => !isOwn && isUsed && model.name === home.name,
    )
    if (event) build.period = { ...lone, at: refOf(event.model, event.dimension) }
  }
  if (build.isRows) build.compare = null
  else if (grain !== null) addGrain(build, home, grain)
  const part = cueOf(build, 'part')
  // "Earn more per hour" of an hourly wage.
  if (
    part?.cue.part === 'hour' &&
    build.draft.metrics.some(({ metric }) => /\bhour/i.test(metric?.label ?? ''))
  )
    build.used.add('part')
  else if (part && !build.isRows) {
    const event = draft.events.find(({ isUsed, model }) => !isUsed && model.name === home.name)
    if (event) event.isUsed = true
    const clock = part.cue.part === 'hour' ? clockOf(home) : null
    build.groupBy.push({
      kind: 'part',
      at: event ? refOf(event.model, event.dimension) : clock && refOf(home, clock),
      part: part.cue.part,
    })
    build.used.add('part')
  }
}

const isOneOf = ({ from, until }: MetricPeriod, grain: DateUnit): boolean => {
  const start = DateTime.fromISO(from ?? '')
  return (
    start.isValid && start.startOf(grain).equals(start) && start.plus({ [grain]: 1 }).toISODate() === until
  )
}

/** What growth is measured over: "revenue growth, year over year" says it twice, and the second time how. */
const growthOf = ({ draft }: Build) => {
  const cues = draft.cues.flatMap(({ cue }) => (cue.kind === 'growth' ? [cue] : []))
  if (cues.length === 0) return null
  return {
    lag: cues.find(({ lag }) => lag !== null)?.lag ?? null,
    grain: cues.find(({ grain }) => grain !== null)?.grain ?? null,
  }
}

/** The periods of a question: what is asked about first, and then what it is compared with. */
const periodsOf = ({ draft, context, isRows }: Build): readonly PlacedPeriod[] => {
  const { periods } = draft
  const [only, ...others] = periods
  if (!only || others.length > 0) return periods
  if (draft.cues.some(({ cue }) => cue.kind === 'growth')) {
    const ends = splitRange(only, context.today)
    if (ends.length > 1) return ends
  }
  const running = only.isOther && !isRows ? runningBeside(only, context.today) : null
  return running ? [running, only] : periods
}

/** "Compared to the previous year", where "year over year" is a series. */
const comparesPattern = /\b(?:compared|vs|versus|than|against)\b/i

const runningYear = (today: string) => {
  const year = DateTime.fromISO(today).startOf('year')
  return { from: year.toISODate(), until: year.plus({ years: 1 }).toISODate(), phrase: 'this year' }
}

const sameDate = (a: PlacedPeriod, b: PlacedPeriod): boolean =>
  a.date === null || b.date === null || a.date.dimension === b.date.dimension

/** "Which accounts brought in less than last year": those whose figure fell. */
const keepChanged = (build: Build): void => {
  const { draft, context, models, metrics } = build
  const [metric] = metrics
  const base = metric && baseOf(metric.use, context)
  const which = draft.cues.find(
    ({ cue, at }) => cue.kind === 'which' || (cue.kind === 'condition' && at === 0),
  )
  const said = /\b(?:(less|fewer|lower|smaller)|more|higher|bigger|larger)\b.*\bthan\b/i.exec(draft.words)
  const asked = which && models.find(({ at, role }) => at > which.at && role !== 'group')?.model
  if (!metric || !base || !said || !asked || asked.name === base.name) return
  if (!pathBetween(context, base.name, asked.name)?.every(step => step.isToOne)) return
  build.groupBy = [{ kind: 'model', model: asked.name, via: null }]
  build.having.push({ metric: metric.use, of: 'change', operator: said[1] ? '<' : '>', value: 0 })
  build.order = []
  build.limit = null
}

/** The only column of a model that has the time of day, where its own date has none. */
const clockOf = (model: SemanticModel): Dimension | null => {
  const clocks = model.dimensions.filter(({ type }) => type === 'timestamp')
  return clocks.length === 1 && clocks[0]?.name !== model.timeDimension ? (clocks[0] ?? null) : null
}

const readGrain = (build: Build): DateUnit | null => {
  const grain = cueOf(build, 'grain') ?? cueOf(build, 'active-in')
  if (grain === null) return null
  build.used.add('grain')
  return grain.cue.grain ?? 'month'
}

/** A series by the measure's own date, by another date that is named, or by when it happened first. */
const addGrain = (build: Build, home: SemanticModel, grain: DateUnit): void => {
  const { draft, context } = build
  if (build.groupBy.some(key => key.kind === 'grain')) return
  const place = cueOf(build, 'grain')?.at ?? -1
  const first = cueOf(build, 'first')
  const events =
    first &&
    build.models.find(
      ({ at, model }) =>
        at > first.at && at - first.at <= 3 && model.timeDimension !== null && model.name !== home.name,
    )?.model
  const happening = first && draft.events.find(({ at }) => Math.abs(at - first.at) <= 3)?.model
  const firstOf = events ?? happening
  // Whose first time it was: those that are counted, or those that the measured rows belong to.
  const whose =
    firstOf &&
    [home, ...build.models.map(({ model }) => model), ...context.layer.models.filter(isSomebody)].find(
      ({ name }) =>
        name !== firstOf.name &&
        pathBetween(context, firstOf.name, name)?.every(step => step.isToOne) &&
        pathBetween(context, home.name, name)?.every(step => step.isToOne),
    )
  if (first && firstOf && whose) {
    build.groupBy.unshift({ kind: 'cohort', of: whose.name, events: firstOf.name, grain })
    build.used.add('first')
    build.score += 0.4
    return
  }
  const event = draft.events.find(
    ({ isUsed, isOwn, model, at }) =>
      !isUsed &&
      Math.abs(at - place) <= 7 &&
      !(isOwn && model.name === home.name) &&
      pathBetween(context, home.name, model.name)?.every(step => step.isToOne) === true,
  )
  build.groupBy.unshift({
    kind: 'grain',
    at: event ? refOf(event.model, event.dimension) : (build.period?.at ?? null),
    grain,
  })
}

/** A series of the last so many periods begins with a whole one. A total is of exactly the days that were said. */
export const beginWithWholePeriod = (query: MetricQuery, today: string): MetricQuery => {
  const { period } = query
  const series = query.groupBy.find(key => key.kind === 'grain')
  return series && period
    ? { ...query, period: { ...period, from: firstDayOfSeries(period, series.grain, today) } }
    : query
}

/** "From Q2 to Q3" with growth: the two ends, not the time between them. */
const splitRange = (
  placed: Build['draft']['periods'][number],
  today: string,
): readonly Build['draft']['periods'][number][] => {
  const ends = /^(?:between|from) (.+?) (?:and|to|until|till|through|-) (.+)$/i.exec(placed.span.phrase)
  if (ends === null) return [placed]
  const day = DateTime.fromISO(today, { zone: 'utc' })
  const year = /(?:19|20)\d\d/.exec(ends[2] ?? '')?.[0]
  const from = year !== undefined && !/\d{4}/.test(ends[1] ?? '') ? `${ends[1]} ${year}` : (ends[1] ?? '')
  const spans = [from, ends[2] ?? ''].map((text): TimeSpan | undefined => findPeriods(text, day)[0])
  const [a, b] = spans
  return a && b
    ? [
        { ...placed, span: b },
        { ...placed, span: a },
      ]
    : [placed]
}
