import type { DimensionRef, MetricQuery } from '../../domain/metrics/metric-query.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import type { Expression, SelectTree } from '../../sql/tree/query-tree.ts'
import { pathTo, reachDimension } from './expressions.ts'
import { filterCondition, periodCondition } from './filters.ts'
import { type KeyColumn, keyColumns, uniqueNames } from './keys.ts'
import type { PathStep } from './layer-index.ts'
import { aggregateMeasure, type Measure, measureConditions } from './measures.ts'
import { allOf, type CompileContext, makeScope, type Scope, UncompilableError } from './scope.ts'

/** Measures over the same rows, which one SELECT can aggregate. */
export interface Fact {
  readonly model: string
  /** What tells its rows from those of other facts. */
  readonly rows: string
  readonly measures: readonly { readonly measure: Measure; readonly at: number }[]
  /** Whether all measures over these rows, in whatever fact, leave out the same of them. */
  readonly hasOneCondition: boolean
}

/** Puts measures together that one SELECT can aggregate: those of one model that go by the same date, if that matters. */
export const groupFacts = (
  measures: readonly Measure[],
  { period, groupBy }: Pick<MetricQuery, 'period' | 'groupBy'>,
  { dialect }: CompileContext,
): readonly Fact[] => {
  const isTimed =
    (period !== null && period.at === null) ||
    groupBy.some(key => (key.kind === 'grain' || key.kind === 'part') && key.at === null)
  const noPercentiles = databaseDialect(dialect).rendering.percentile === null
  const facts = new Map<string, Omit<Fact, 'hasOneCondition'>>()
  const conditions = new Map<string, Set<string>>()
  for (const [at, measure] of measures.entries()) {
    const alone = noPercentiles && isPercentile(measure) ? String(at) : ''
    const rows = JSON.stringify([measure.model, isTimed ? measure.time : null])
    const key = `${rows} ${alone}`
    const fact = facts.get(key) ?? { model: measure.model, rows, measures: [] }
    facts.set(key, { ...fact, measures: [...fact.measures, { measure, at }] })
    const texts = conditions.get(rows) ?? new Set()
    conditions.set(rows, texts.add(JSON.stringify([measure.filters, measure.where])))
  }
  return [...facts.values()].map(fact => ({
    ...fact,
    hasOneCondition: conditions.get(fact.rows)?.size === 1,
  }))
}

const isPercentile = ({ aggregation }: Measure): boolean =>
  aggregation === 'median' || aggregation === 'percentile'

/** True if a fact has to be computed from ranked rows, because the dialect has no percentiles. */
export const needsRanks = ({ measures }: Fact, { dialect }: CompileContext): boolean =>
  databaseDialect(dialect).rendering.percentile === null &&
  measures.some(({ measure }) => isPercentile(measure))

/** The part of a query that a fact is compiled for. `more` are keys that no query can name. */
export type FactQuery = Pick<MetricQuery, 'groupBy' | 'filters' | 'period' | 'compare'> & {
  readonly more?: (scope: Scope) => readonly KeyColumn[]
  /** Only the first few groups are wanted. */
  readonly isRanked?: boolean
}

/** The query that a fact is part of. */
export const factQuery = (query: MetricQuery): FactQuery => {
  const { groupBy, filters, period, compare, order, limit, share } = query
  return {
    groupBy,
    filters,
    period,
    compare,
    // A share is of all, with a name or without.
    isRanked: limit !== null && order.length > 0 && share === null,
  }
}

/** Figures as the clauses of a SELECT, whose outputs are still to be chosen. */
export interface FactClauses {
  readonly keys: readonly KeyColumn[]
  /** Each measure as an aggregate, by its position; `before` is the same in the other period. */
  readonly aggregates: ReadonlyMap<number, { readonly value: Expression; readonly before: Expression | null }>
  readonly select: Pick<SelectTree, 'from' | 'where' | 'groupBy'>
}

/** Compiles a fact to its clauses. */
export const compileFact = (fact: Fact, query: FactQuery, context: CompileContext): FactClauses => {
  const { scope, keys, where, current, before, counted } = openFact(fact, query, context)
  const { conditions, shared } = conditionsOf(scope, fact)
  const aggregates = new Map(
    fact.measures.map(({ measure, at }, index) => {
      const own = conditions[index] ?? []
      const within = (stretch: Expression | null): Expression =>
        aggregateMeasure(scope, measure, allOf([...own, ...(stretch ? [stretch] : [])]), counted)
      return [at, { value: within(current), before: before && within(before) }] as const
    }),
  )
  return {
    keys,
    aggregates,
    select: {
      from: scope.sources(),
      where: allOf([...where, ...shared].filter(one => !isTrue(one))),
      groupBy: keys.map(({ expression }) => expression),
    },
  }
}

const isTrue = (expression: Expression): boolean =>
  expression.kind === 'constant' && expression.value === 'true'

/** The conditions of each measure, or those that all of them share. */
export const conditionsOf = (
  scope: Scope,
  { measures, hasOneCondition }: Fact,
): { readonly conditions: readonly (readonly Expression[])[]; readonly shared: readonly Expression[] } => {
  const [first] = measures
  if (first !== undefined && hasOneCondition)
    return { conditions: [], shared: measureConditions(scope.untied(), first.measure) }
  const all = scope.joining('left')
  return { conditions: measures.map(({ measure }) => measureConditions(all, measure)), shared: [] }
}

/** The sources, keys and conditions of a fact. */
export interface OpenFact {
  readonly scope: Scope
  readonly keys: readonly KeyColumn[]
  readonly where: readonly Expression[]
  /** Which rows belong to the period and to the one before, if there are two. */
  readonly current: Expression | null
  readonly before: Expression | null
  /** The key to count instead of rows, if rows can repeat. */
  readonly counted: Expression | null
}

export const openFact = (fact: Fact, query: FactQuery, context: CompileContext): OpenFact => {
  const base = context.index.models.get(fact.model)
  if (base === undefined) throw new UncompilableError(`there is no model ${fact.model}`)
  const time = query.period?.at ?? fact.measures[0]?.measure.time ?? null
  const repeats = countsKeys(fact, query, time, makeScope(base, context))
  const scope = makeScope(base, context, { repeats })
  const keys = uniqueNames([
    ...query.groupBy.flatMap(key => keyColumns(scope, key, time, query.isRanked)),
    ...(query.more?.(scope) ?? []),
  ])
  const filters = query.filters.map(filter => filterCondition(scope, filter))
  const opened = {
    scope,
    keys,
    counted: repeats ? scope.column([], base.model.primaryKey[0]!) : null,
    current: null,
    before: null,
  }
  const { period } = query
  if (query.compare?.kind === 'period' && period === null)
    throw new UncompilableError('a comparison of periods without a period')
  if (period === null) return { ...opened, where: [...present(scope, keys, null), ...filters] }
  if (time === null) throw new UncompilableError(`${fact.model} has no date`)
  const moment = reachDimension(scope, time)
  const bounded = period.from === null && period.until === null ? null : time
  const where = [...present(scope, keys, bounded), ...filters]
  const current = periodCondition(scope, moment, period)
  if (query.compare?.kind !== 'period') return { ...opened, where: [...where, current] }
  if (query.groupBy.some(key => key.kind === 'grain'))
    throw new UncompilableError('two periods beside each other have no periods in common')
  const before = periodCondition(scope, moment, query.compare)
  const span = spanOf(period, query.compare)
  const either: Expression = span
    ? periodCondition(scope, moment, span)
    : { kind: 'or', operands: [current, before] }
  return { ...opened, where: [...where, either], current, before }
}

/** One stretch of days that is both periods, if nothing lies between them. */
const spanOf = (
  a: { readonly from: string | null; readonly until: string | null },
  b: { readonly from: string; readonly until: string },
): { readonly from: string | null; readonly until: string | null } | null => {
  const isApart = (a.from !== null && b.until < a.from) || (a.until !== null && a.until < b.from)
  if (isApart) return null
  return {
    from: a.from === null || a.from < b.from ? a.from : b.from,
    until: a.until === null || a.until > b.until ? a.until : b.until,
  }
}

/** Rows without a date are in no period; a period that has an end or a beginning says so already. */
const present = (
  scope: Scope,
  keys: readonly KeyColumn[],
  bounded: DimensionRef | null,
): readonly Expression[] => {
  const names = bounded && JSON.stringify([bounded.dimension, pathNames(pathTo(scope, bounded))])
  return keys.flatMap(({ present: filter }) => {
    if (filter === null) return []
    return JSON.stringify([filter.at.dimension, filter.at.via]) === names
      ? []
      : [filterCondition(scope, filter)]
  })
}

const pathNames = (path: readonly PathStep[]): readonly string[] => path.map(({ name }) => name)

/**
 * Whether a fact is aggregated over joined rows, in which each of its own may come several times: where groups are about
 * partners of which a row has many, and all that is asked for is how many rows there are, or which, or their extremes.
 */
const countsKeys = (
  { measures }: Fact,
  { groupBy }: FactQuery,
  time: DimensionRef | null,
  scope: Scope,
): boolean => {
  if (scope.base.model.primaryKey.length !== 1) return false
  const isMany = groupBy.some(key => {
    if (key.kind === 'cohort') return false
    const ref = key.kind === 'model' ? key : (key.at ?? time)
    return ref !== null && pathTo(scope, ref).some(step => !step.isToOne)
  })
  return (
    isMany &&
    measures.every(({ measure: { aggregation, operand } }) =>
      aggregation === 'count' ? operand === null : ['count_distinct', 'min', 'max'].includes(aggregation),
    )
  )
}
