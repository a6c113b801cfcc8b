import type { DimensionRef, GroupKey, MetricQuery } from '../../../../src/domain/metrics/metric-query.ts'
import { type Bindings, type FilterHelpers, isInPeriod, meets, pathOf } from './reference-filters.ts'
import { aggregate, calculate, calculationOf, type Measure, measuresOf } from './reference-metrics.ts'
import {
  dateOf,
  dimensionOf,
  type ModelName,
  type NamedStep,
  namesOf,
  partOfMoment,
  rowsAlong,
  startOfUnit,
  wayTo,
  world,
} from './reference-world.ts'
import type { Row, Value } from './shop-rows.ts'

/** What tells a group from others: the values of each key, of which some are not shown. */
export interface GroupValues {
  readonly key: GroupKey
  readonly shown: readonly Value[]
  readonly hidden: readonly Value[]
}

/** A group, with the value of each measure, and its value in the other period. */
export interface Group {
  readonly id: string
  readonly keys: readonly GroupValues[]
  readonly value: (measure: Measure) => number | null
  readonly before: (measure: Measure) => number | null
}

type Asked = Pick<MetricQuery, 'groupBy' | 'filters' | 'period' | 'compare'>

/** Rows that a measure is taken over, and those that measures over other rows are not. */
interface Fact {
  readonly rows: string
  readonly measures: readonly Measure[]
}

const factsOf = (measures: readonly Measure[], { period, groupBy }: Asked): readonly Fact[] => {
  const isTimed =
    period?.at === null ||
    groupBy.some(key => (key.kind === 'grain' || key.kind === 'part') && key.at === null)
  const facts = new Map<string, Measure[]>()
  for (const measure of measures) {
    const rows = JSON.stringify([measure.model, isTimed ? measure.time : null])
    const known = facts.get(rows) ?? []
    if (!known.some(({ id }) => id === measure.id)) known.push(measure)
    facts.set(rows, known)
  }
  return [...facts].map(([rows, found]) => ({ rows, measures: found }))
}

/** All groups that a query's measures have. */
export const groupsOf = (measures: readonly Measure[], asked: Asked): readonly Group[] => {
  const facts = factsOf(measures, asked).map(fact => ({ ...fact, groups: groupsOfFact(fact, asked) }))
  const ids = new Map(facts.flatMap(({ groups }) => [...groups].map(([id, { keys }]) => [id, keys] as const)))
  return [...ids].map(([id, keys]) => {
    const valueOfMeasure = (measure: Measure, which: 'value' | 'before'): number | null => {
      const own = facts.find(fact => fact.measures.some(one => one.id === measure.id))!
      const isTotal = ['sum', 'count', 'count_distinct'].includes(measure.aggregation)
      const isElsewhere = facts.some(fact => fact !== own && fact.groups.has(id))
      // A total of nothing is 0 where something else makes the group.
      const nothing = isTotal && isElsewhere && keys.length > 0 ? 0 : null
      return own.groups.get(id)?.values.get(measure.id)?.[which] ?? nothing
    }
    return {
      id,
      keys,
      value: measure => valueOfMeasure(measure, 'value'),
      before: measure => valueOfMeasure(measure, 'before'),
    }
  })
}

type FactGroups = ReadonlyMap<
  string,
  {
    readonly keys: readonly GroupValues[]
    readonly values: ReadonlyMap<string, { readonly value: number | null; readonly before: number | null }>
  }
>

const groupsOfFact = ({ measures }: Fact, asked: Asked): FactGroups => {
  const [{ model, time }] = measures as [Measure]
  const { period, compare } = asked
  const other = compare?.kind === 'period' ? compare : null
  const date = period?.at ?? time
  const moment = (row: Row): Value => {
    if (date === null) return null
    const [at] = rowsAlong(row, wayTo(model, date.model, date.via))
    return at ? dimensionOf(date.model, date.dimension, at) : null
  }
  const isNow = (row: Row): boolean => period === null || isInPeriod(moment(row), period) === true
  const isBefore = (row: Row): boolean => other !== null && isInPeriod(moment(row), other) === true
  const conditions = measures.map(({ filters, where }) => JSON.stringify([filters, where?.text]))
  const isShared = new Set(conditions).size === 1
  const counts = ({ filters, where }: Measure, row: Row): boolean =>
    (where?.test(row) ?? true) && filters.every(filter => meets(model, row, filter, helpers))
  const members = new Map<string, { keys: readonly GroupValues[]; rows: Set<Row> }>()
  if (asked.groupBy.length === 0) members.set('[]', { keys: [], rows: new Set() })
  for (const row of world[model as ModelName]) {
    if (!isNow(row) && !isBefore(row)) continue
    if (isShared && !counts(measures[0]!, row)) continue
    for (const { keys, bound } of placesOf(model, row, asked.groupBy, date)) {
      if (!asked.filters.every(filter => meets(model, row, filter, helpers, bound))) continue
      const id = JSON.stringify(keys.map(({ shown, hidden }) => [shown, hidden]))
      const known = members.get(id) ?? { keys, rows: new Set() }
      known.rows.add(row)
      members.set(id, known)
    }
  }
  const hasOthers = !isShared || other !== null
  const valueIn = (measure: Measure, rows: ReadonlySet<Row>, isIn: (row: Row) => boolean): number | null => {
    const values = [...rows].map(row => {
      const isCounted = isIn(row) && (isShared || counts(measure, row))
      // Rows that only count for something else make a sum 0, not nothing.
      if (!isCounted) return measure.aggregation === 'sum' && hasOthers ? 0 : null
      return measure.operand === null ? 1 : measure.operand(row)
    })
    return aggregate(measure, values)
  }
  return new Map(
    [...members].map(([id, { keys, rows }]) => [
      id,
      {
        keys,
        values: new Map(
          measures.map(measure => [
            measure.id,
            {
              value: valueIn(measure, rows, isNow),
              before: other === null ? null : valueIn(measure, rows, isBefore),
            },
          ]),
        ),
      },
    ]),
  )
}

/** The groups that a row is in, and the rows that put it there. It is in none if a key has nothing to go by. */
const placesOf = (
  model: string,
  row: Row,
  groupBy: readonly GroupKey[],
  date: DimensionRef | null,
): readonly { readonly keys: readonly GroupValues[]; readonly bound: Bindings }[] => {
  let places: readonly { readonly keys: readonly GroupValues[]; readonly bound: Bindings }[] = [
    { keys: [], bound: new Map() },
  ]
  for (const key of groupBy) {
    const way = wayOf(model, key, date)
    places = places.flatMap(({ keys, bound }) =>
      walks(row, way, bound).flatMap(walked => {
        const values = valuesAt(key, walked.at, date)
        return values === null ? [] : [{ keys: [...keys, { key, ...values }], bound: walked.bound }]
      }),
    )
  }
  return places
}

const wayOf = (model: string, key: GroupKey, date: DimensionRef | null): readonly NamedStep[] => {
  if (key.kind === 'cohort') return wayTo(model, key.of, null)
  if (key.kind === 'model') return wayTo(model, key.model, key.via)
  const ref = key.at ?? date
  if (ref === null) throw new Error('the reference has no date')
  return wayTo(model, ref.model, ref.via)
}

/** Every way along the steps; where a step was taken before, it is taken to the same row. */
const walks = (
  row: Row,
  way: readonly NamedStep[],
  bound: Bindings,
): readonly { readonly at: Row; readonly bound: Bindings }[] => {
  let open: readonly { readonly at: Row; readonly bound: Bindings }[] = [{ at: row, bound }]
  for (const [index, step] of way.entries()) {
    const path = pathOf(way.slice(0, index + 1))
    open = open.flatMap(one => {
      const known = one.bound.get(path)
      return (known ? [known] : step.go(one.at)).map(next => ({
        at: next,
        bound: new Map([...one.bound, [path, next]]),
      }))
    })
  }
  return open
}

const valuesAt = (
  key: GroupKey,
  at: Row,
  date: DimensionRef | null,
): Pick<GroupValues, 'shown' | 'hidden'> | null => {
  switch (key.kind) {
    case 'dimension':
      return { shown: [dimensionOf(key.at.model, key.at.dimension, at)], hidden: [] }
    case 'model':
      return {
        shown: namesOf(key.model).map(name => dimensionOf(key.model, name, at)),
        hidden: [at.id ?? null],
      }
    case 'grain':
    case 'part': {
      const ref = key.at ?? date!
      const moment = dimensionOf(ref.model, ref.dimension, at)
      if (moment === null) return null
      const text = String(moment)
      return {
        shown: [key.kind === 'grain' ? startOfUnit(text, key.grain) : partOfMoment(text, key.part)],
        hidden: [],
      }
    }
    case 'cohort': {
      const ref = dateOf[key.events]!
      const moments = world[key.events as ModelName]
        .filter(event => rowsAlong(event, wayTo(key.events, key.of, null)).includes(at))
        .flatMap(event => rowsAlong(event, wayTo(key.events, ref.model, ref.via)))
        .map(found => dimensionOf(ref.model, ref.dimension, found))
        .filter(moment => moment !== null)
        .map(String)
        .sort()
      return moments[0] === undefined ? null : { shown: [startOfUnit(moments[0], key.grain)], hidden: [] }
    }
  }
}

/** The figure of a metric for one row of a model, over the rows that belong to it. */
const helpers: FilterHelpers = {
  figureFor: (use, of, row, period) => {
    const calculation = calculationOf(use)
    const groups = groupsOf(measuresOf(calculation), {
      groupBy: [{ kind: 'model', model: of, via: null }],
      filters: [],
      period: period && { ...period, at: null, phrase: '' },
      compare: null,
    })
    const own = groups.find(({ keys }) => keys[0]!.hidden[0] === row.id)
    const isTotal =
      calculation.kind === 'measure' &&
      ['sum', 'count', 'count_distinct'].includes(calculation.measure.aggregation)
    return { value: own ? calculate(calculation, own.value) : null, isTotal }
  },
}

/** Whether a row meets filters that are not about groups. */
export const meetsAll = (model: string, row: Row, filters: MetricQuery['filters']): boolean =>
  filters.every(filter => meets(model, row, filter, helpers))
