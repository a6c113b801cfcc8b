import type { DimensionRef, MetricFilter } from '../../domain/metrics/metric-query.ts'
import type { Segment, SegmentCondition } from '../../domain/metrics/semantic-layer.ts'
import { literalOf, matchOf, selectOf } from '../../sql/tree/compose-query.ts'
import { compareOf, type Expression } from '../../sql/tree/query-tree.ts'
import {
  comparable,
  dimensionIn,
  pathTo,
  type ReachedDimension,
  sqlCondition,
  truncated,
} from './expressions.ts'
import { type PathStep, timeDimensionOf } from './layer-index.ts'
import { measuredCondition } from './measured-filter.ts'
import { allOf, makeScope, type Scope, UncompilableError } from './scope.ts'

/**
 * A filter as a condition on the rows of the model that a scope is seen from. What lies on the side of many rows becomes
 * EXISTS, so that no row counts more than once. A scope that joins with `left` keeps all rows, for conditions inside of
 * OR and CASE; then a row without the partner that a filter is about does not meet it.
 */
export const filterCondition = (scope: Scope, filter: MetricFilter): Expression => {
  switch (filter.kind) {
    case 'values':
      return onDimension(scope, filter, at => valuesCondition(scope, at, filter))
    case 'compare':
      return onDimension(scope, filter, at => comparedWith(scope, at, filter.operator, filter.value))
    case 'compare-dimensions':
      return dimensionsCondition(scope, filter)
    case 'match':
      return onDimension(scope, filter, ({ expression }) => matchOf(comparable(expression), filter))
    case 'missing':
      return missingCondition(scope, filter)
    case 'period':
      return onDimension(scope, filter, at => {
        const inside = periodCondition(scope, at, filter)
        return filter.negated ? { kind: 'not', operand: inside } : inside
      })
    case 'segment':
      return segmentCondition(scope, filter)
    case 'related':
      return relatedCondition(scope, filter)
    case 'measured':
      return measuredCondition(scope, filter)
    case 'any': {
      // A join that drops rows for one of the conditions would drop those that meet another.
      const operands = filter.filters.map(one => filterCondition(scope.joining('left'), one))
      const [only] = operands
      if (only === undefined) return literalOf(false)
      return operands.length === 1 ? only : { kind: 'or', operands }
    }
    default: {
      const never: never = filter
      return never
    }
  }
}

type DimensionFilter = Extract<MetricFilter, { readonly at: DimensionRef }>

/** A condition on a dimension, wherever it is. */
const onDimension = (
  scope: Scope,
  filter: DimensionFilter,
  test: (at: ReachedDimension) => Expression,
): Expression => {
  const path = pathTo(scope, filter.at)
  const isNegated = 'negated' in filter && filter.negated
  const isMany = path.some(step => !step.isToOne)
  // "Not jazz" on the side of many rows means: none of them is jazz.
  if (isMany && isNegated) {
    const positive: MetricFilter = { ...filter, at: { ...filter.at, via: [] }, negated: false }
    return existsAlong(scope.untied(), path, {
      negated: true,
      conditions: at => [filterCondition(at, positive)],
    })
  }
  if (scope.canJoin(path)) return test(dimensionIn(scope.at(path), filter.at.dimension))
  // Groups of the same rows show those that meet the condition, and no others.
  const along = (rest: readonly PathStep[]): DimensionFilter => ({
    ...filter,
    at: { ...filter.at, via: namesOf(rest) },
  })
  const met = (inner: Scope, rest: readonly PathStep[]): Expression => onDimension(inner, along(rest), test)
  if (scope.isTied && scope.whereEach(path, met)) return literalOf(true)
  return existsAlong(scope, path, { negated: false, conditions: at => [met(at, [])] })
}

const namesOf = (path: readonly PathStep[]): readonly string[] => path.map(({ name }) => name)

const missingCondition = (scope: Scope, filter: Extract<MetricFilter, { kind: 'missing' }>): Expression => {
  const hasValue = ({ expression }: ReachedDimension): Expression => ({
    kind: 'null-test',
    operand: comparable(expression),
    negated: true,
  })
  if (filter.negated) return onDimension(scope, { ...filter, negated: false }, hasValue)
  const path = pathTo(scope, filter.at)
  if (path.every(step => step.isToOne)) {
    const { expression } = dimensionIn(scope.joining('left').at(path), filter.at.dimension)
    return { kind: 'null-test', operand: comparable(expression), negated: false }
  }
  // Where there are many, it is missing if none of them has it.
  return existsAlong(scope.untied(), path, {
    negated: true,
    conditions: at => [hasValue(dimensionIn(at, filter.at.dimension))],
  })
}

const valuesCondition = (
  scope: Scope,
  at: ReachedDimension,
  { values, negated }: Extract<MetricFilter, { kind: 'values' }>,
): Expression => {
  const [only] = values
  if (only === undefined) return literalOf(negated)
  if (values.length === 1) return comparedWith(scope, at, negated ? '<>' : '=', only)
  const operand = comparable(at.expression)
  if (values.some(value => isDay(at, value))) {
    const operands = values.map(value => comparedWith(scope, at, '=', value))
    const any: Expression = { kind: 'or', operands }
    return negated ? { kind: 'not', operand: any } : any
  }
  return { kind: 'in', operand, among: values.map(literalOf), negated, bare: false, details: [] }
}

type Operator = '<' | '<=' | '>' | '>=' | '=' | '<>'

const isDay = ({ type }: ReachedDimension, value: unknown): value is string =>
  (type === 'date' || type === 'timestamp') && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** A comparison with a value. A day is the whole day for moments: "until May 3" includes its evening. */
const comparedWith = (
  { context: { timeZone } }: Scope,
  at: ReachedDimension,
  operator: Operator,
  value: string | number | boolean,
): Expression => {
  const left = comparable(at.expression)
  if (!isDay(at, value)) return compareOf(operator, left, literalOf(value))
  const { moment, type } = at
  const midnight = (day: string): Expression => ({ kind: 'moment', day, type: moment, timeZone })
  if (moment === 'date' || type === 'date') return compareOf(operator, left, midnight(value))
  const next = midnight(addDays(value, 1))
  switch (operator) {
    case '<':
    case '>=':
      return compareOf(operator, left, midnight(value))
    case '<=':
      return compareOf('<', left, next)
    case '>':
      return compareOf('>=', left, next)
    case '=':
      return allOf([compareOf('>=', left, midnight(value)), compareOf('<', left, next)])!
    case '<>':
      return { kind: 'or', operands: [compareOf('<', left, midnight(value)), compareOf('>=', left, next)] }
    default: {
      const never: never = operator
      return never
    }
  }
}

/** Two dimensions of a row. A day and a moment are compared by their days. */
const dimensionsCondition = (
  scope: Scope,
  { left, operator, right }: Extract<MetricFilter, { kind: 'compare-dimensions' }>,
): Expression => {
  const [a, b] = [left, right].map(ref => dimensionIn(scope.at(pathTo(scope, ref)), ref.dimension)) as [
    ReachedDimension,
    ReachedDimension,
  ]
  const isMixed =
    (a.type === 'date' && b.type === 'timestamp') || (a.type === 'timestamp' && b.type === 'date')
  const side = (one: ReachedDimension): Expression =>
    isMixed && one.type === 'timestamp'
      ? truncated(one, 'day', scope.context.timeZone)
      : comparable(one.expression)
  return compareOf(operator, side(a), side(b))
}

/** Whether a moment lies in a period; true for all of them if the period has no end. */
export const periodCondition = (
  { context: { timeZone } }: Scope,
  { expression, moment }: ReachedDimension,
  { from, until }: { readonly from: string | null; readonly until: string | null },
): Expression => {
  const bound = (operator: '>=' | '<', day: string | null): readonly Expression[] =>
    day === null ? [] : [compareOf(operator, expression, { kind: 'moment', day, type: moment, timeZone })]
  return allOf([...bound('>=', from), ...bound('<', until)]) ?? literalOf(true)
}

const segmentCondition = (
  scope: Scope,
  { segment: name, via, negated }: Extract<MetricFilter, { kind: 'segment' }>,
): Expression => {
  const segment = scope.context.index.segments.get(name)
  if (segment === undefined) throw new UncompilableError(`there is no segment ${name}`)
  const path = pathTo(scope, { model: segment.model, via })
  const isMany = path.some(step => !step.isToOne)
  if (isMany && (negated || !scope.canJoin(path))) {
    const conditions = (at: Scope): readonly Expression[] => segmentConditions(at, segment)
    const along = (inner: Scope, rest: readonly PathStep[]): Expression =>
      segmentCondition(inner, { kind: 'segment', segment: name, via: namesOf(rest), negated: false })
    if (!negated && scope.isTied && scope.whereEach(path, along)) return literalOf(true)
    return existsAlong(negated ? scope.untied() : scope, path, { negated, conditions })
  }
  const all = allOf(segmentConditions(scope.at(path), segment)) ?? literalOf(true)
  const met: Expression = negated ? { kind: 'not', operand: all } : all
  return allOf([met, ...present(scope, path)])!
}

const segmentConditions = (at: Scope, { conditions }: Segment): readonly Expression[] =>
  conditions.map(condition => {
    switch (condition.kind) {
      case 'sql':
        return sqlCondition(at, condition.text)
      case 'past': {
        const { today } = at.context
        return periodCondition(at, dimensionIn(at, condition.dimension), { from: null, until: today })
      }
      case 'related':
        return segmentRows(at, condition)
      default: {
        const never: never = condition
        return never
      }
    }
  })

/** Rows of another model, by the conditions and the last days that a segment names. */
const segmentRows = (
  at: Scope,
  { model, negated, where, days }: Extract<SegmentCondition, { kind: 'related' }>,
): Expression =>
  existsAlong(at.untied(), relatedPath(at, model), {
    negated,
    conditions: target => {
      const { context, base } = target
      const date = days === null ? null : timeDimensionOf(context.index, base, base.model.timeDimension)
      if (days !== null && date === null) throw new UncompilableError(`${model} has no date`)
      return [
        ...where.map(text => sqlCondition(target, text)),
        ...(date !== null && days !== null
          ? [
              periodCondition(target, dimensionIn(target.at(pathTo(target, date)), date.dimension), {
                from: addDays(context.today, -days),
                until: null,
              }),
            ]
          : []),
      ]
    },
  })

const relatedCondition = (
  scope: Scope,
  { model, filters, negated }: Extract<MetricFilter, { kind: 'related' }>,
): Expression => {
  const path = relatedPath(scope, model)
  const conditions = (at: Scope): readonly Expression[] => filters.map(filter => filterCondition(at, filter))
  // One row at most: what it has to meet is asked of it directly. "None that meets it" is asked of the rows there are.
  return negated || path.some(step => !step.isToOne)
    ? existsAlong(scope.untied(), path, { negated, conditions })
    : allOf([isPresent(scope, path), ...conditions(scope.at(path))])!
}

/** The way to the other model; a model can be related to itself by a join of its own. */
const relatedPath = (scope: Scope, model: string): readonly PathStep[] => {
  if (model !== scope.base.model.name) return pathTo(scope, { model, via: null })
  const own = scope.base.steps.find(step => step.to === model && !step.isToOne)
  if (own === undefined) throw new UncompilableError(`${model} is not related to itself`)
  return [own]
}

/** That there is a partner. */
const isPresent = (scope: Scope, path: readonly PathStep[]): Expression => ({
  kind: 'null-test',
  operand: scope.column(path, path.at(-1)!.columns[0]!.to),
  negated: true,
})

/** That there is a partner, if the joins of a scope keep rows without one. */
const present = (scope: Scope, path: readonly PathStep[]): readonly Expression[] =>
  scope.join === 'left' && path.length > 0 ? [isPresent(scope, path)] : []

/** What the rows that must exist, or must not, have to meet. */
interface Wanted {
  readonly negated: boolean
  readonly conditions: (at: Scope) => readonly Expression[]
}

/** EXISTS over the part of a path that leads to many rows; the part before it is joined. */
const existsAlong = (
  scope: Scope,
  path: readonly PathStep[],
  { negated, conditions }: Wanted,
): Expression => {
  const { context } = scope
  const many = path.findIndex((_, at) => !scope.canJoin(path.slice(0, at + 1)))
  const start = Math.max(0, many)
  const [before, rest] = [path.slice(0, start), path.slice(start + 1)]
  const step = path[start]
  const first = step && context.index.models.get(step.to)
  if (step === undefined || first === undefined)
    throw new UncompilableError(`${scope.base.model.name} is not related to ${path.at(-1)?.to ?? 'itself'}`)
  const ends = step.columns.map(({ from }) => scope.column(before, from))
  const inner = makeScope(first, context, { taken: scope.aliases(), repeats: true })
  const links = step.columns.map(({ to }, at) => compareOf('=', inner.column([], to), ends[at]!))
  inner.reach(rest)
  const met = conditions(inner.at(rest))
  const query = selectOf({
    outputs: [{ expression: literalOf(1), alias: null }],
    from: inner.sources(),
    where: allOf([...links, ...met]),
  })
  const exists: Expression = { kind: 'exists', query, negated }
  // A row without the partner before the many has none of them, but is not what "without" asks for.
  return negated ? allOf([exists, ...present(scope, before)])! : exists
}

/** An ISO day so many days later. */
const addDays = (from: string, days: number): string => {
  const day = new Date(`${from}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}
