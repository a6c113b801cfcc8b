import type { MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { stemWord } from '../../../lib/stem-word.ts'
import { pluralOf } from '../../propose/names.ts'
import { aggregated, type Clause, countOf, refOf } from '../draft/query-draft.ts'
import { readActiveUsers } from './active-users.ts'
import { type Build, cueOf, hasCue } from './build.ts'
import { inAskedUnit, readDuration } from './duration.ts'
import {
  amountMetric,
  baseOf,
  bridgeBetween,
  definedCount,
  distanceTo,
  eventsOf,
  isAdditive,
  isSomebody,
  labelOfUse,
  modelNamed,
  pathBetween,
  quantityMetric,
  revenueMetric,
  somebodyOf,
} from './layer-facts.ts'

/** What is measured, and what the question is about, as far as its own words say so. */
export const readFigures = (build: Build): void => {
  const { draft, models, context } = build
  build.metrics = draft.metrics.map(({ use, isOrder, at, metric }) => ({
    use: metric === null ? use : aggregated(use, metric, draft),
    isOrder,
    at,
  }))
  for (const { model, dimension, at, role } of draft.dimensions) {
    if (role !== 'counted') continue
    const base = models.find(one => one.role !== 'group' && one.at >= 0)?.model ?? model
    const use: MetricUse = {
      kind: 'made',
      label: `Number of ${pluralOf(dimension.label.toLowerCase().split(' '))}`,
      model: base.name,
      aggregation: 'count_distinct',
      of: refOf(model, dimension),
      percentile: null,
      filters: [],
    }
    build.metrics.push({ use, isOrder: false, at })
  }
  groupByMany(build)
  countAsDefined(build)
  readDuration(build)
  inAskedUnit(build)
  readSales(build)
  readActiveUsers(build)
  build.subject = models.find(({ role, at }) => role === 'subject' && at >= 0)?.model ?? null
  if (build.subject === null && build.metrics.length === 0) guessSubject(build)
  const who = cueOf(build, 'who')
  if (who && build.subject && build.metrics.length === 0) {
    const person = somebodyOf(build.subject, context)
    if (person) readWho(build, build.subject, person)
  }
}

/** "Cities with more than 20 customers": groups by what the counted rows say, and not the rows. */
const groupByMany = (build: Build): void => {
  const { draft } = build
  const [many, ...others] = draft.measured.filter(({ model }) => model !== null)
  const model = many?.model
  if (!many || !model || others.length > 0 || build.groupBy.length > 0 || build.metrics.length > 0) return
  const asked = draft.dimensions.find(
    one =>
      one.role === 'asked' &&
      one.at < many.at &&
      one.dimension.type === 'categorical' &&
      !one.dimension.isKey,
  )
  if (!asked || build.models.some(({ at }) => at >= 0 && at < many.at)) return
  asked.role = 'used'
  build.groupBy.push({ kind: 'dimension', at: refOf(asked.model, asked.dimension) })
  build.metrics.push({ use: countOf(model), isOrder: false, at: many.at })
  build.onlyKeeps = true
  build.score -= asked.model.name === model.name ? 0 : 0.3
}

/** People are counted as the layer defines it, if it does: those who work here, not those who ever did. */
const countAsDefined = (build: Build): void => {
  const { draft, context } = build
  const isPlain =
    draft.filters.length + draft.events.length + draft.periods.length + draft.clauses.length === 0
  if (!isPlain) return
  build.metrics = build.metrics.map(metric => {
    const { use } = metric
    if (use.kind !== 'made' || use.aggregation !== 'count' || use.filters.length > 0) return metric
    const model = modelNamed(context, use.model)
    const defined = model && definedCount(model, context)
    return defined ? { ...metric, use: defined } : metric
  })
}

/** The subject of a question that names no model: of its events, segments or values. */
const guessSubject = (build: Build): void => {
  const { draft, context } = build
  const event = draft.events.find(({ isOwn }) => isOwn) ?? draft.events[0]
  const segment = draft.filters.map(({ filter }) => filter).find(filter => filter.kind === 'segment')
  const value = draft.filters.map(({ filter }) => filter).find(filter => filter.kind === 'values')
  const asked = draft.dimensions.find(({ role }) => role === 'asked')
  build.subject =
    event?.model ??
    (segment?.kind === 'segment'
      ? modelNamed(context, context.index.segments.get(segment.segment)?.model ?? '')
      : null) ??
    asked?.model ??
    (value?.kind === 'values' ? modelNamed(context, value.at.model) : null)
  // "No-show rate" needs no noun.
  build.score -= event || (value && hasCue(build, 'rate')) ? 0.2 : 0.6
}

/** "Who canceled": the people behind the rows that are meant. */
const readWho = (build: Build, subject: SemanticModel, person: SemanticModel): void => {
  if (person.name === subject.name || build.draft.ranks.length > 0) return
  const { draft, context } = build
  const filters = draft.filters.map(({ filter }) => filter)
  const periods = draft.periods.map(({ span, date }) => ({
    kind: 'period' as const,
    at: date ?? dateOf(build, subject),
    from: span.from,
    until: span.until,
    negated: false,
  }))
  draft.filters.length = 0
  draft.periods.length = 0
  for (const event of draft.events) event.isUsed = true
  build.filters.push({
    filter: { kind: 'related', model: subject.name, filters: [...filters, ...periods], negated: false },
    at: 0,
  })
  build.subject = person
  for (const filter of filters)
    if ('at' in filter) build.score -= distanceTo(context, subject.name, filter.at.model)
}

const dateOf = (build: Build, model: SemanticModel) => {
  const event = build.draft.events.find(one => one.model.name === model.name)
  const [first, ...rest] = (event?.dimension.name ?? model.timeDimension ?? '').split('.')
  return rest.length === 0
    ? { model: model.name, dimension: first ?? '', via: null }
    : {
        model: model.joins.find(({ name }) => name === first)?.to ?? model.name,
        dimension: rest[0] ?? '',
        via: null,
      }
}

/** "How many songs did we sell": pieces, not rows of the catalog. */
const readSales = (build: Build): void => {
  const { draft, context } = build
  const quantity = quantityMetric(context.layer)
  const base = quantity && baseOf(quantity, context)
  if (!quantity || !base) return
  const clause = saleClause(build, base)
  if (clause) {
    draft.clauses.splice(draft.clauses.indexOf(clause), 1)
    draft.periods.push(...clause.spans.map(span => ({ span, date: clause.date, at: clause.at })))
    if (build.metrics.length === 0) build.metrics.push({ use: quantity, isOrder: false, at: clause.at })
    else build.metrics = build.metrics.map(metric => ({ ...metric, use: quantity }))
    return
  }
  const sale = draft.events.find(event => event.model.name === base.name && event.isOwn && !event.negated)
  if (!sale || draft.clauses.length > 0) return
  sale.isUsed = true
  const counted = build.metrics.findIndex(
    ({ use }) =>
      use.kind === 'made' &&
      use.aggregation === 'count' &&
      use.model !== base.name &&
      pathBetween(context, base.name, use.model)?.every(step => step.isToOne) === true,
  )
  if (counted !== -1) {
    build.metrics[counted] = { ...build.metrics[counted]!, use: quantity }
    return
  }
  if (build.metrics.length > 0) return
  const revenue = hasCue(build, 'how-much') ? revenueMetric(context.layer) : null
  const wantsFigure =
    draft.ranks.length > 0 ||
    draft.groups.length > 0 ||
    hasCue(build, 'how-much', 'grain', 'share', 'growth', 'running') ||
    context.isYesNo
  if (wantsFigure)
    build.metrics.push({
      use: revenue ?? quantity,
      isOrder: draft.ranks.some(({ isMost }) => isMost),
      at: sale.at,
    })
}

/** "Songs sold in 2025", "how many songs did we sell per label": only that they were sold, and nothing that is listed. */
const saleClause = (build: Build, base: SemanticModel): Clause | null => {
  const { draft, context } = build
  const [clause, ...others] = draft.clauses
  // "How many different songs": each once.
  if (/\b(?:different|distinct|unique)\b/i.test(draft.words)) return null
  if (!clause || others.length > 0 || clause.negated) return null
  const holds = (model: SemanticModel): boolean =>
    pathBetween(context, base.name, model.name)?.every(step => step.isToOne) === true
  const isCounted =
    build.metrics.length > 0
      ? build.metrics.every(({ use }) => use.kind === 'made' && use.aggregation === 'count')
      : draft.periods.length + clause.spans.length > 0 && !hasCue(build, 'list', 'which', 'who', 'condition')
  const subject = build.models.find(({ at }) => at >= 0)?.model
  const isSold = subject !== undefined && holds(subject) && holds(clause.model) && !isSomebody(subject)
  return isCounted && isSold && clause.filters.length === clause.spans.length ? clause : null
}

/** Whether a question is about what money moved: "tuition billed", "what did we bill", "running total of payments". */
export const saysMoney = (build: Build): boolean =>
  // How often something is billed is no amount.
  !/\b(?:billed|charged|invoiced) (?:yearly|annually|quarterly|monthly|weekly|daily)\b/i.test(
    build.draft.words,
  ) &&
  /\b(?:billed|(?<!(?:monthly|quarterly|yearly|annual) )billings?(?! (?:cycle|period|interval))|invoiced|charged|collected|earned|spent|did we (?:bill|invoice|charge|collect|earn|spend)|total of (?:\w+ )?(?:payments|fees|expenses|costs|refunds|charges|sales))\b/i.test(
    build.draft.words,
  ) &&
  !/\b(?:how many|number|count)\b/i.test(build.draft.words)

/** What is counted if the question names no figure: the rows that it is about, or their amount. */
export const supplyFigure = (build: Build): boolean => {
  const { context, models, draft } = build
  if (build.metrics.length > 0 || build.isRows) return true
  const named = build.subject ?? models.find(({ role, at }) => role !== 'group' && at >= 0)?.model ?? null
  // A treatment has no date; what is counted in a period is how often it was given.
  const isTimeless = named?.timeDimension === null && draft.periods.length > 0
  const happened = named && isTimeless ? eventsOf(named, context) : null
  const base = (happened && baseOf(happened, context)) ?? named
  const wantsAmount =
    hasCue(build, 'how-much') ||
    saysMoney(build) ||
    (draft.aggregate?.fn === 'sum' &&
      base !== null &&
      amountMetric(base, context.layer) !== null &&
      !hasCue(build, 'grain'))
  const amount = wantsAmount
    ? ((base && amountMetric(base, context.layer)) ?? revenueMetric(context.layer))
    : null
  if (amount) {
    build.metrics.push({ use: amount, isOrder: false, at: -1 })
    // What was given away in discounts is no revenue.
    if (draft.filters.some(({ filter }) => filter.kind === 'segment')) build.score -= 0.3
  } else if (base) build.metrics.push({ use: countOf(base), isOrder: false, at: -1 })
  else {
    const grouped = build.groupBy.find(key => key.kind === 'model')
    const model = grouped?.kind === 'model' ? modelNamed(context, grouped.model) : null
    const figure = model ? countOf(model) : namesOnlyPeriods(build) ? revenueMetric(context.layer) : null
    if (!figure) return false
    build.metrics.push({ use: figure, isOrder: false, at: -1 })
    build.score -= 0.5
  }
  return true
}

/** "How does this month compare to last month?", "how did we do last week": business as a whole, and so revenue. */
const namesOnlyPeriods = (build: Build): boolean => {
  const { draft } = build
  const named = [draft.models, draft.dimensions, draft.filters, draft.events, draft.clauses, draft.groups]
  const isCompared = draft.periods.length > 1 && hasCue(build, 'versus', 'compare')
  const isBusiness = draft.cues.some(({ cue }) => cue.kind === 'growth' && cue.isBusiness)
  return (isCompared || isBusiness) && named.every(one => one.length === 0)
}

/** "Average orders per customer", "how many courses does a student take on average": a total over how many there are. */
export const averagePerModel = (build: Build): void => {
  const { draft, context, models } = build
  const [first, ...others] = build.metrics
  const metric = first && plainRevenue(build, first)
  if (
    draft.aggregate?.fn !== 'avg' ||
    !metric ||
    others.length > 0 ||
    draft.ranks.length > 0 ||
    !isAdditive(metric.use, context)
  )
    return
  const base = baseOf(metric.use, context)
  if (base === null) return
  const group = build.groupBy.find(key => key.kind === 'model')
  const per =
    (group?.kind === 'model' ? modelNamed(context, group.model) : null) ??
    (build.groupBy.every(key => key.kind !== 'dimension')
      ? (models.find(({ model, at, role }) => at >= 0 && role !== 'counted' && model.name !== base.name)
          ?.model ?? null)
      : null)
  const [key] = per?.primaryKey ?? []
  if (!per || key === undefined) return
  const isCount = metric.use.kind === 'made' && metric.use.aggregation === 'count'
  const reaches = pathBetween(context, base.name, per.name)?.every(step => step.isToOne) === true
  const over = reaches ? base : isCount ? bridgeBetween(context, base.name, per.name) : null
  if (over === null) return
  const numerator =
    over === base
      ? metric.use
      : { ...countOf(over), filters: metric.use.kind === 'ratio' ? [] : metric.use.filters }
  const denominator: MetricUse = {
    kind: 'made',
    label: per.plural,
    model: over.name,
    aggregation: 'count_distinct',
    of: { model: per.name, dimension: key, via: null },
    percentile: null,
    filters: [],
  }
  const label = `${labelOfUse(metric.use, context)} per ${per.label.toLowerCase()}`
  build.metrics = [{ ...metric, use: { kind: 'ratio', label, numerator, denominator, isShare: false } }]
  build.groupBy = build.groupBy.filter(one => one !== group)
}

/** "Average revenue per customer" has the total above the line, not the mean of invoices. */
const plainRevenue = (build: Build, metric: Build['metrics'][number]): Build['metrics'][number] => {
  const own = build.draft.metrics.find(({ at }) => at === metric.at)
  const said = own?.text.toLowerCase()
  const isSaid =
    own?.metric?.label.toLowerCase() === said ||
    own?.metric?.synonyms.some(synonym => synonym === said) === true
  return own && isSaid && metric.use.kind === 'made'
    ? {
        ...metric,
        use:
          own.use.kind === 'made' && own.metric
            ? { kind: 'named', metric: own.metric.name, filters: [] }
            : own.use,
      }
    : metric
}

/** Patients that a doctor saw are counted where they met, and by the day on which they did. */
export const countWhereTheyMeet = (build: Build): void => {
  const { context, draft } = build
  build.metrics = build.metrics.map(metric => {
    const { use } = metric
    if (use.kind !== 'made' || use.aggregation !== 'count' || use.filters.length > 0) return metric
    const met = build.groupBy
      .map(key => (key.kind === 'model' ? key.model : key.kind === 'dimension' ? key.at.model : null))
      .find(model => model && pathBetween(context, use.model, model)?.some(step => !step.isToOne) === true)
    const [id] = modelNamed(context, use.model)?.primaryKey ?? []
    const meeting = met ? bridgeBetween(context, use.model, met) : deedsOfPeriod(build, use.model)
    if (!meeting || id === undefined || draft.clauses.length > 0) return metric
    const moved: MetricUse = {
      ...use,
      model: meeting.name,
      aggregation: 'count_distinct',
      of: { model: use.model, dimension: id, via: null },
    }
    build.order = build.order.map(order =>
      order.kind === 'metric' && order.metric === use ? { ...order, metric: moved } : order,
    )
    return { ...metric, use: moved }
  })
}

/** "How many different patients did we see in October": the rows in which they came, not the day they signed up. */
const deedsOfPeriod = (build: Build, name: string): SemanticModel | null => {
  const { draft, context } = build
  const model = modelNamed(context, name)
  const isDone = /\b(?:different|distinct|unique)\b/i.test(draft.words) || hasCue(build, 'activity')
  const isUndated = draft.events.length === 0 && draft.periods.some(({ date }) => date === null)
  if (!model || !isSomebody(model) || !isDone || !isUndated || build.groupBy.length > 0) return null
  const events = eventsOf(model, context)
  return events && baseOf(events, context)
}

/** A column of a model with one of these words in its name. Nobody is newest by year of birth, or by how long it took. */
export const dimensionWith = (
  model: SemanticModel,
  words: readonly string[],
): SemanticModel['dimensions'][number] | undefined => {
  const wanted = new Set(words.map(stemWord))
  const isMoment = wanted.has('date')
  return model.dimensions.find(({ name, type, isKey }) => {
    const said = splitName(name)
    return (
      !isKey &&
      (type === 'number' || type === 'date' || type === 'timestamp') &&
      said.some(word => wanted.has(stemWord(word))) &&
      (!said.includes('birth') || wanted.has(stemWord('birth'))) &&
      (type !== 'number' || !isMoment || !said.includes('time'))
    )
  })
}
