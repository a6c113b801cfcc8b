import type { ColumnMeaning } from '../../domain/metrics/answer-meaning.ts'
import type { DimensionRef, GroupKey, MetricFilter } from '../../domain/metrics/metric-query.ts'
import type { Dimension, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { aggregateOf, columnOf, selectOf } from '../../sql/tree/compose-query.ts'
import { compareOf, type Expression } from '../../sql/tree/query-tree.ts'
import { dimensionIn, partOf, pathTo, reachDimension, truncated } from './expressions.ts'
import { dimensionAt, findPath, type IndexedModel, type PathStep, timeDimensionOf } from './layer-index.ts'
import { columnName } from './measures.ts'
import { allOf, derivedSource, makeScope, plainOutput, type Scope, UncompilableError } from './scope.ts'
import { withShortNames } from './short-names.ts'

/** One column that rows are grouped by. */
export interface KeyColumn {
  readonly name: string
  readonly expression: Expression
  readonly meaning: ColumnMeaning
  /** It tells groups apart, but nobody wants to see it: the id behind a name. */
  readonly isHidden: boolean
  readonly mayBeNull: boolean
  /** What must hold for a row to be in a group at all. */
  readonly present: Extract<MetricFilter, { kind: 'missing' }> | null
  readonly key: GroupKey
}

/**
 * The columns of a group key in the scope of a measure; `time` is the measure's own date. Where the first few are wanted, a
 * group without a name is none of them.
 */
export const keyColumns = (
  scope: Scope,
  key: GroupKey,
  time: DimensionRef | null,
  isRanked = false,
): readonly KeyColumn[] => {
  switch (key.kind) {
    case 'dimension':
      return [dimensionColumn(scope, key, isRanked)]
    case 'grain':
    case 'part':
      return [timeColumn(scope, key, time)]
    case 'model':
      return modelColumns(scope, key)
    case 'cohort':
      return [cohortColumn(scope, key)]
    default: {
      const never: never = key
      return never
    }
  }
}

const dimensionColumn = (
  scope: Scope,
  key: Extract<GroupKey, { kind: 'dimension' }>,
  isRanked: boolean,
): KeyColumn => {
  const found = dimensionAt(scope.context.index, key.at)
  if (found === null) throw new UncompilableError(`${key.at.model} has no dimension ${key.at.dimension}`)
  const { model, dimension } = found
  const isName = model.model.nameDimensions.length === 1 && model.model.nameDimensions[0] === dimension.name
  const path = pathTo(scope, key.at)
  const label = labelInRole(path, model.model, isName ? null : dimension.label)
  const name = columnName(label)
  return {
    name,
    expression: scope.each(path, at => dimensionIn(at, dimension.name).expression, name),
    meaning: {
      label,
      role: isName ? { kind: 'name' } : roleOf(dimension),
      unit: dimension.unit,
    },
    isHidden: false,
    mayBeNull: mayBeNull(model, dimension),
    present:
      isRanked && hasNulls(model, dimension)
        ? { kind: 'missing', at: { ...key.at, via: path.map(step => step.name) }, negated: true }
        : null,
    key,
  }
}

const roleOf = ({ type }: Dimension): ColumnMeaning['role'] =>
  type === 'date' || type === 'timestamp'
    ? { kind: 'moment' }
    : type === 'boolean'
      ? { kind: 'flag' }
      : { kind: 'category', isOrdered: type === 'number' }

const timeColumn = (
  scope: Scope,
  key: Extract<GroupKey, { kind: 'grain' | 'part' }>,
  time: DimensionRef | null,
): KeyColumn => {
  const { index, timeZone } = scope.context
  const ref = key.at ?? time
  if (ref === null) throw new UncompilableError(`${scope.base.model.name} has no date`)
  const found = dimensionAt(index, ref)
  if (key.kind === 'part' && key.part === 'hour' && found?.dimension.type === 'date')
    throw new UncompilableError(`hours of ${found.dimension.label}, which has days only`)
  const path = pathTo(scope, ref)
  const label = key.kind === 'grain' ? capitalize(key.grain) : partLabels[key.part]
  const name = columnName(label)
  const cut = (at: Scope): Expression => {
    const reached = dimensionIn(at, ref.dimension)
    return key.kind === 'grain'
      ? truncated(reached, key.grain, timeZone)
      : partOf(reached, key.part, timeZone)
  }
  const isPartial = found === null || mayBeNull(found.model, found.dimension)
  return {
    name,
    expression: scope.each(path, cut, name),
    meaning: {
      label,
      role:
        key.kind === 'grain' ? { kind: 'period', grain: key.grain } : { kind: 'date-part', part: key.part },
      unit: null,
    },
    isHidden: false,
    mayBeNull: false,
    // What has no date is in no period.
    present: isPartial
      ? { kind: 'missing', at: { ...ref, via: path.map(step => step.name) }, negated: true }
      : null,
    key,
  }
}

/**
 * What a dimension is called at the end of a path; `own` is null for a name. A model in a role of its own goes by that:
 * the last name of a manager is not that of the employee.
 */
const labelInRole = (
  path: readonly PathStep[],
  { name, label }: SemanticModel,
  own: string | null,
): string => {
  const last = path.at(-1)
  if (last === undefined || !last.isToOne || last.name === name) return own ?? label
  const role = capitalize(last.name.replaceAll('_', ' '))
  if (own === null) return role
  return `${role} ${/^\p{Lu}\p{Ll}/u.test(own) ? own.charAt(0).toLowerCase() + own.slice(1) : own}`
}

/** Whether a dimension is known to have no value in some rows. */
const hasNulls = ({ columns }: IndexedModel, { expression }: Dimension): boolean => {
  const column = expression.kind === 'column' ? columns.get(expression.column) : undefined
  return (column?.profile?.nullShare ?? 0) > 0
}

/** Whether a dimension has no value in some rows, as far as anybody knows. */
const mayBeNull = ({ columns }: IndexedModel, { expression }: Dimension): boolean => {
  const column = expression.kind === 'column' ? columns.get(expression.column) : undefined
  return column === undefined || (column.nullable && column.profile?.nullShare !== 0)
}

const partLabels = { weekday: 'Weekday', hour: 'Hour', 'month-of-year': 'Month' } as const

/** The id of each row, hidden, and its name. */
const modelColumns = (scope: Scope, key: Extract<GroupKey, { kind: 'model' }>): readonly KeyColumn[] => {
  const target = scope.context.index.models.get(key.model)
  if (target === undefined) throw new UncompilableError(`there is no model ${key.model}`)
  const { model } = target
  const path = pathTo(scope, key)
  const isAlone = model.nameDimensions.length === 1
  const names = model.nameDimensions.map((dimension): KeyColumn => {
    const own = target.dimensions.get(dimension)?.label ?? dimension
    const label = labelInRole(path, model, isAlone ? null : own)
    const name = columnName(label)
    return {
      name,
      expression: scope.each(path, at => dimensionIn(at, dimension).expression, name),
      meaning: { label, role: { kind: 'name' }, unit: null },
      isHidden: false,
      mayBeNull: true,
      present: null,
      key,
    }
  })
  // A key that is the name itself is shown once.
  const nameColumns = model.nameDimensions.flatMap(name => {
    const expression = target.dimensions.get(name)?.expression
    return expression?.kind === 'column' ? [expression.column] : []
  })
  const ids = model.primaryKey
    .filter(column => !nameColumns.includes(column))
    .map((column): KeyColumn => {
      const name = columnName(`${model.name} ${column}`)
      return {
        name,
        expression: scope.each(path, at => at.column([], column), name),
        meaning: { label: `${model.label} ${column}`, role: { kind: 'detail' }, unit: null },
        isHidden: true,
        mayBeNull: false,
        present: null,
        key,
      }
    })
  return [...ids, ...names]
}

/** The unit in which each row of a model had its first event. */
const cohortColumn = (scope: Scope, key: Extract<GroupKey, { kind: 'cohort' }>): KeyColumn => {
  const { index, timeZone } = scope.context
  const events = index.models.get(key.events)
  const target = index.models.get(key.of)
  const path = findPath(index, scope.base.model.name, key.of)
  const back = findPath(index, key.events, key.of)
  const time = events && timeDimensionOf(index, events, events.model.timeDimension)
  const isToOne = [path, back].every(steps => steps?.every(step => step.isToOne))
  if (!events || !target || !time || path === null || back === null || !isToOne)
    throw new UncompilableError(`${key.of} has no first ${key.events}`)
  const inner = makeScope(events, scope.context)
  const reached = reachDimension(inner, time)
  const ids = target.model.primaryKey.map(column => keyAlong(inner, back, column))
  const dated = dimensionAt(index, time)
  const isPartial = dated === null || mayBeNull(dated.model, dated.dimension)
  const alias = scope.freeAlias(`first_${columnName(events.model.plural)}`)
  const links = target.model.primaryKey.map((column, at) => ({ expression: ids[at]!, alias: column }))
  const query = selectOf({
    outputs: [...links, { expression: aggregateOf('min', reached.expression), alias: 'first_at' }].map(
      plainOutput,
    ),
    from: inner.sources(),
    where: isPartial ? { kind: 'null-test', operand: reached.expression, negated: true } : null,
    groupBy: ids,
  })
  const ends = target.model.primaryKey.map(column => keyAlong(scope, path, column))
  scope.add(
    derivedSource(withShortNames(query), alias, {
      join: 'inner',
      on: allOf(links.map((link, at) => compareOf('=', columnOf(link.alias, alias), ends[at]!))),
    }),
  )
  const label = `${capitalize(key.grain)} of first ${events.model.label.toLowerCase()}`
  const first = columnOf('first_at', alias)
  return {
    name: columnName(label),
    expression: truncated({ expression: first, moment: reached.moment }, key.grain, timeZone),
    meaning: { label, role: { kind: 'period', grain: key.grain }, unit: null },
    isHidden: false,
    mayBeNull: false,
    present: null,
    key,
  }
}

/** A column of the key at the end of a path, from the row that refers to it if one does; NULL where there is no partner. */
export const keyAlong = (scope: Scope, path: readonly PathStep[], column: string): Expression => {
  const pair = path.at(-1)?.columns.find(({ to }) => to === column)
  return pair && path.at(-1)?.isToOne
    ? scope.column(path.slice(0, -1), pair.from)
    : scope.column(path, column)
}

/** Gives columns of the same name a number. */
export const uniqueNames = <Named extends { readonly name: string }>(
  columns: readonly Named[],
): readonly Named[] => {
  const taken = new Set<string>()
  return columns.map(column => {
    let { name } = column
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${column.name}_${number}`
    taken.add(name.toLowerCase())
    return { ...column, name }
  })
}
