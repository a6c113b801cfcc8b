import type { MetricFilter, MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { countOf, refOf, scaled, wordsAt } from '../draft/query-draft.ts'
import { type Build, cueOf, hasCue } from './build.ts'
import { readEvents } from './events.ts'
import {
  amountDimension,
  baseOf,
  columnOfFigure,
  distanceTo,
  eventsOf,
  labelOfUse,
  modelNamed,
  pathBetween,
  unitOfUse,
} from './layer-facts.ts'

/** Everything that says which rows count. */
export const readConditions = (build: Build, home: SemanticModel): void => {
  const { draft, context } = build
  const mentioned = new Set(build.models.filter(({ at }) => at >= 0).map(({ model }) => model.name))
  for (const { filter, at } of draft.filters) {
    const settled = settleSegment(build, filter, home)
    build.filters.push({ filter: settled, at })
    if (settled.kind === 'segment' && isOfAnother(build, settled.segment, at)) {
      build.lost.push(wordsAt(draft, at, settled.segment.split('_')[0] ?? ''))
      build.score -= 1
    }
    const target =
      'at' in settled
        ? settled.at.model
        : settled.kind === 'segment'
          ? (context.index.segments.get(settled.segment)?.model ?? home.name)
          : home.name
    build.score -= distanceTo(context, home.name, target)
    if (mentioned.has(target)) build.score += 0.25
  }
  for (const clause of draft.clauses) {
    const filters = clause.filters.map(filter => settleSegment(build, filter, clause.model))
    build.filters.push({
      filter: { kind: 'related', model: clause.model.name, filters, negated: clause.negated },
      at: clause.at,
    })
    for (const filter of filters)
      if ('at' in filter) build.score -= distanceTo(context, clause.model.name, filter.at.model)
    const steps = pathBetween(context, home.name, clause.model.name)?.length ?? 0
    build.score += steps > NEAR_STEPS ? -FAR_CLAUSE : 0.3
  }
  separateSegments(build)
  doubtMixedName(build)
  readNow(build, home)
  readFirstTime(build)
  readRepeated(build)
  readRoles(build, home)
  readMeasured(build, home)
  readEvents(build, home)
  if (build.isRows) {
    readOtherModels(build, home)
    doubtFarColumns(build, home)
  }
  for (const key of build.groupBy) {
    const target = key.kind === 'model' ? key.model : key.kind === 'dimension' ? key.at.model : null
    if (target === null) continue
    build.score -= distanceTo(context, home.name, target, key.kind === 'model' ? key.via : null)
    if (key.kind === 'dimension' && mentioned.has(target)) build.score += 0.25
  }
}

const MIXED_NAME = 1

/** A first and a last name in a row are of one person: not of a customer, and of an employee whom others have met. */
const doubtMixedName = (build: Build): void => {
  const names = build.draft.filters.flatMap(({ filter, at }) => {
    const model = filter.kind === 'values' ? modelNamed(build.context, filter.at.model) : null
    const isPart =
      filter.kind === 'values' &&
      model !== null &&
      model.nameDimensions.length > 1 &&
      model.nameDimensions.includes(filter.at.dimension)
    return isPart ? [{ at, model: model.name }] : []
  })
  if (names.some(one => names.some(other => other.at === one.at + 1 && other.model !== one.model)))
    build.score -= MIXED_NAME
}

/**
 * What of other rows is hardly shown with each row that is listed and has many of them: the ids of customers with employees,
 * and their cities with stores that have one.
 */
const doubtFarColumns = (build: Build, home: SemanticModel): void => {
  for (const { role, dimension, model } of build.draft.dimensions)
    if (role === 'asked' && model.name !== home.name) {
      const distance = distanceTo(build.context, home.name, model.name)
      build.score -= dimension.isKey ? distance : distance * FAR_COLUMN
    }
}

const FAR_COLUMN = 0.1

/** "Active customers" are none whose support rep is active, and "discontinued customers" none who bought such a product. */
const isOfAnother = ({ context, models }: Build, name: string, at: number): boolean => {
  const segment = context.index.segments.get(name)
  const described = models.find(one => one.at === at + 1)?.model
  if (segment === undefined || described === undefined || described.name === segment.model) return false
  const isToOne = (from: string, to: string): boolean =>
    pathBetween(context, from, to)?.every(step => step.isToOne) === true
  return (
    segment.synonyms.some(word => ['active', 'inactive', 'current', 'former'].includes(word)) ||
    !(isToOne(segment.model, described.name) || isToOne(described.name, segment.model))
  )
}

/** A condition on rows this many joins away is hardly meant. */
const NEAR_STEPS = 2

const FAR_CLAUSE = 0.5

/** "At the moment": those that are still customers, where the layer knows which are. */
const readNow = (build: Build, home: SemanticModel): void => {
  const { draft } = build
  // "Have been with us for over five years".
  const stays = draft.periods.find(({ span }) => /^for\b/i.test(span.phrase) && span.from === null)
  const still = cueOf(build, 'still') ?? stays
  const now = still ?? cueOf(build, 'now')
  const isSaid = build.filters.some(
    ({ filter }) =>
      filter.kind === 'segment' || (filter.kind === 'values' && /status|state/i.test(filter.at.dimension)),
  )
  if (!now || (isSaid && !still)) return
  const segments = [...build.context.index.segments.values()].filter(({ model }) => model === home.name)
  const current = ['current', 'ongoing']
    .map(word => segments.find(({ synonyms }) => synonyms.includes(word)))
    .find(Boolean)
  if (!current) return
  build.filters.push({
    filter: { kind: 'segment', segment: current.name, via: null, negated: false },
    at: now.at,
  })
  // "People who work here today": not those who came today.
  if (!still && draft.events.length === 0) build.score += NOW_FITS
  build.used.add('still')
}

const NOW_FITS = 0.3

/** "Boys and girls" are two values of one column; no row is in both segments. */
const separateSegments = (build: Build): void => {
  const { index } = build.context
  const valueNamed = ({ filter }: Build['filters'][number]) => {
    if (filter.kind !== 'segment' || filter.negated) return null
    const segment = index.segments.get(filter.segment)
    const [condition, ...others] = segment?.conditions ?? []
    if (!segment || condition?.kind !== 'sql' || others.length > 0) return null
    const said = /^["`]?(\w+)["`]?\s*=\s*(?:'([^']*)'|(\d+))$/.exec(condition.text.trim())
    const dimension = index.models
      .get(segment.model)
      ?.model.dimensions.find(({ name }) => name.toLowerCase() === said?.[1]?.toLowerCase())
    return said && dimension
      ? {
          at: { model: segment.model, dimension: dimension.name, via: filter.via },
          value: said[2] ?? Number(said[3]),
        }
      : null
  }
  const valued = build.filters.map(one => ({ one, found: valueNamed(one) }))
  build.filters = valued.map(({ one, found }) => {
    const isShared = valued.some(
      other =>
        other.one !== one &&
        other.found?.at.model === found?.at.model &&
        other.found?.at.dimension === found?.at.dimension,
    )
    return found && isShared
      ? { at: one.at, filter: { kind: 'values', at: found.at, values: [found.value], negated: false } }
      : one
  })
}

/** "Who ordered for the first time this year": this year, and never before. */
const readFirstTime = (build: Build): void => {
  const first = cueOf(build, 'first')
  if (!first || build.used.has('first')) return
  for (const { filter } of [...build.filters]) {
    if (filter.kind !== 'related' || filter.negated) continue
    const period = filter.filters.find(one => one.kind === 'period')
    if (period?.kind !== 'period' || period.from === null) continue
    const before: MetricFilter = { ...period, from: null, until: period.from }
    const filters = filter.filters.map(one => (one === period ? before : one))
    build.filters.push({ filter: { ...filter, filters, negated: true }, at: first.at })
    build.used.add('first')
    build.score += 0.3
  }
}

/** "Repeat customers", "customers who ordered again": those with more than one order. */
const readRepeated = (build: Build): void => {
  const repeat = build.used.has('repeat') ? null : cueOf(build, 'repeat')
  const done =
    repeat &&
    build.filters.findLast(({ filter, at }) => filter.kind === 'related' && !filter.negated && at < repeat.at)
  const whose = build.models.find(
    ({ at, role }) => at >= 0 && role !== 'group' && repeat && at < repeat.at,
  )?.model
  if (repeat && whose && done?.filter.kind === 'related' && done.filter.filters.length === 0) {
    const again = modelNamed(build.context, done.filter.model)
    if (again) {
      done.filter = {
        kind: 'measured',
        of: whose.name,
        metric: countOf(again),
        operator: '>',
        value: 1,
        period: null,
      }
      build.used.add('repeat')
      return
    }
  }
  const of = repeat && build.models.find(({ at }) => at > repeat.at && at - repeat.at <= 2)?.model
  const events = of && eventsOf(of, build.context)
  if (!repeat || !of || !events) return
  build.filters.push({
    filter: { kind: 'measured', of: of.name, metric: events, operator: '>', value: 1, period: null },
    at: repeat.at,
  })
  build.used.add('repeat')
}

/** "Active" of the model that is asked about, where several have such a segment. */
export const settleSegment = (
  { context: { index } }: Pick<Build, 'context'>,
  filter: MetricFilter,
  home: SemanticModel,
): MetricFilter => {
  if (filter.kind !== 'segment') return filter
  const segment = index.segments.get(filter.segment)
  if (segment === undefined || segment.model === home.name) return filter
  const own = [...index.segments.values()].find(
    one => one.model === home.name && one.synonyms.some(word => segment.synonyms.slice(0, 2).includes(word)),
  )
  return own ? { ...filter, segment: own.name } : filter
}

const OUR_COST = 0.5

/** Conditions on figures: a column of the rows themselves, a figure of the group, or one measured for each row. */
const readMeasured = (build: Build, home: SemanticModel): void => {
  const { draft, context } = build
  for (const { condition, metric, model, at } of draft.measured) {
    const grouped = build.groupBy.find(key => key.kind === 'model')
    const entity =
      rowOfFigure(build, metric) ??
      build.subject ??
      build.models.find(({ role }) => role === 'counted')?.model ??
      (grouped?.kind === 'model' ? modelNamed(context, grouped.model) : null)
    const compare = (target: SemanticModel, dimension: SemanticModel['dimensions'][number]): void => {
      build.filters.push({
        filter: {
          kind: 'compare',
          at: refOf(target, dimension),
          operator: condition.operator,
          value: scaled(condition.value, dimension),
        },
        at,
      })
    }
    const figure: MetricUse | null = metric ?? (model ? countOf(model) : null)
    if (figure === null) {
      const target = entity ?? home
      const amount = amountDimension(target, context.layer)
      if (amount) compare(target, amount)
      else build.score -= 1
      continue
    }
    const own = entity && columnOfFigure(figure, entity, context)
    if (entity && own) {
      compare(entity, own)
      continue
    }
    const homeOwn = columnOfFigure(figure, home, context)
    if (homeOwn && !build.isRows && entity?.name !== home.name && build.groupBy.length === 0) {
      compare(home, homeOwn)
      continue
    }
    const value = scaled(condition.value, { unit: unitOfUse(figure, context) })
    const isOfGroup =
      build.groupBy.length > 0 &&
      !build.isRows &&
      (grouped === undefined ||
        entity === null ||
        (grouped.kind === 'model' && grouped.model === entity.name))
    const counted = figureOfEntity(build, figure, entity)
    if (entity && !isOfGroup) {
      // A figure of the rows themselves is of no other days than they are.
      const isOwn = counted.kind === 'made' && counted.of !== null && counted.model === entity.name
      const [period] = isOwn ? [] : draft.periods
      build.filters.push({
        filter: {
          kind: 'measured',
          of: entity.name,
          metric: counted,
          operator: condition.operator,
          value,
          period: period ? { from: period.span.from, until: period.span.until } : null,
        },
        at,
      })
      if (period) draft.periods.shift()
      // What customers spend is what they pay us, and none of our costs.
      const isCost = /cost|spend/i.test(labelOfUse(counted, context))
      if (isCost && /^spen[dt]s?$/i.test(wordsAt(draft, at, ''))) build.score -= OUR_COST
    } else build.having.push({ metric: figure, operator: condition.operator, value })
  }
}

/** "Bookings made more than 60 days ahead": each booking by itself, where nothing is grouped. */
const rowOfFigure = ({ context, groupBy }: Build, metric: MetricUse | null): SemanticModel | null =>
  groupBy.length === 0 && metric?.kind === 'made' && metric.of !== null && 'from' in metric.of
    ? modelNamed(context, metric.model)
    : null

/** Products of a shipment are counted by its lines, each once. */
const figureOfEntity = ({ context }: Build, use: MetricUse, entity: SemanticModel | null): MetricUse => {
  if (use.kind !== 'made' || use.aggregation !== 'count' || entity === null) return use
  const path = pathBetween(context, use.model, entity.name)
  if (path === null || path.every(step => step.isToOne)) return use
  const first = path.find(step => !step.isToOne)
  const bridge = first && modelNamed(context, first.to)
  const [key] = modelNamed(context, use.model)?.primaryKey ?? []
  return bridge && key
    ? {
        ...use,
        model: bridge.name,
        aggregation: 'count_distinct',
        of: { model: use.model, dimension: key, via: null },
      }
    : use
}

/** Models named beside the one that is listed: what to show with it, or what it must have. */
const readOtherModels = (build: Build, home: SemanticModel): void => {
  const { context, models, draft } = build
  for (const { model, at, role } of models) {
    if (at < 0 || role !== 'other' || model.name === home.name) continue
    if (draft.clauses.some(clause => clause.model.name === model.name)) continue
    const path = pathBetween(context, home.name, model.name)
    if (path === null) {
      build.score -= 1
      continue
    }
    if (path.every(step => step.isToOne)) {
      for (const dimension of model.nameDimensions)
        build.show.push({ model: model.name, dimension, via: null })
    } else if (
      hasCue(build, 'condition') ||
      build.filters.some(({ filter }) => 'at' in filter && filter.at.model === model.name)
    )
      build.filters.push({ filter: { kind: 'related', model: model.name, filters: [], negated: false }, at })
  }
}

/** Managers and other roles: whose they are, who has them, and who earns more than they do. */
const readRoles = (build: Build, home: SemanticModel): void => {
  const { draft, context } = build
  const reports = cueOf(build, 'reports-to')
  const selfJoin = context.layer.models.flatMap(model =>
    model.joins.filter(join => join.to === model.name).map(join => ({ model, join })),
  )
  const role = draft.roles[0]
    ? { model: draft.roles[0].model, join: draft.roles[0].join }
    : reports
      ? (selfJoin.find(
          ({ model }) =>
            model.name === home.name ||
            draft.filters.some(({ filter }) => 'at' in filter && filter.at.model === model.name),
        ) ?? null)
      : null
  if (role === null) return
  const via = [role.join.name]
  const target = modelNamed(context, role.join.to)
  if (target === null) return
  build.used.add('reports-to')
  if (draft.thanRole !== null) {
    const [metric] = build.metrics
    const column = metric && columnOfFigure(metric.use, role.model, context)
    if (column) {
      build.filters.push({
        filter: {
          kind: 'compare-dimensions',
          left: refOf(role.model, column),
          operator: draft.thanRole,
          right: { model: target.name, dimension: column.name, via },
        },
        at: metric.at,
      })
      build.metrics = []
      build.isRows = true
      build.subject = role.model
    } else build.score -= 2
    return
  }
  const people = build.filters.filter(
    ({ filter }) =>
      'at' in filter &&
      filter.at.model === target.name &&
      (filter.kind === 'values' || filter.kind === 'match'),
  )
  const named = (): void => {
    for (const dimension of target.nameDimensions) build.show.push({ model: target.name, dimension, via })
  }
  const first = people[0]
  const bossIsNamed =
    first !== undefined &&
    reports !== null &&
    (reports.cue.isActive ? first.at < reports.at : first.at > reports.at)
  if (bossIsNamed) {
    // "Who reports to Roland": the role is his.
    for (const person of people) {
      const { filter } = person
      if ('at' in filter && 'via' in filter.at)
        person.filter = { ...filter, at: { ...filter.at, via } } as MetricFilter
    }
    if (build.metrics.length === 0) {
      build.isRows = true
      build.subject = role.model
    }
    return
  }
  if (build.metrics.length === 0 || build.isRows) {
    build.isRows = true
    if (build.subject === null || first !== undefined) build.subject = role.model
    named()
  } else build.score -= 0.5
}

/** The model that conditions are about: what is listed, or what the first figure is measured over. */
export const homeOf = (build: Build): SemanticModel | null => {
  const [metric] = build.metrics
  return build.isRows || !metric ? build.subject : baseOf(metric.use, build.context)
}
