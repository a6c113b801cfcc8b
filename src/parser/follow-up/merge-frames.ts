import type { AnswerChange, ChangedFilter, ChangedGroup } from '../../domain/interpretation.ts'
import { columnLabel, tableLabel } from '../explain.ts'
import {
  type Condition,
  type Frame,
  type GroupKey,
  isMeasure,
  type Measure,
  type OrderKey,
  type Output,
} from '../frame.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'
import { type EditedFrame, findSubjectTable, isKey, measuresOf } from './edited-frame.ts'

/** Whether an edit adds to the frame or replaces a part of it. */
interface MergeMode {
  readonly adds: boolean
  /** "And" adds a grouping or measure, but replaces a value of the same column. */
  readonly joins: boolean
  readonly replaces: boolean
}

/**
 * Merges the frame of an edit into the frame before it. What the edit names replaces the same kind of thing (a value
 * of the same column, a period, a grouping) and is added if there is none. Null if nothing changes.
 */
export const mergeFrames = (base: Frame, edit: Frame, manner: MergeMode): EditedFrame | null => {
  // "Only A and B" keeps rows that are either; nobody means rows that are both.
  if (edit.both) return null
  const steps = [mergeConditions, mergeAbsences, mergeGroups, mergeMeasures, mergeOrders]
  const merged = steps.reduce<EditedFrame>(
    ({ frame, changes }, step) => {
      const next = step(frame, edit, manner)
      return { frame: next.frame, changes: [...changes, ...next.changes] }
    },
    { frame: base, changes: [] },
  )
  return merged.changes.length === 0 ? null : merged
}

type Step = (base: Frame, edit: Frame, manner: MergeMode) => EditedFrame

const mergeConditions: Step = (base, edit, manner) => {
  let conditions = base.conditions
  const changes: AnswerChange[] = []
  for (const given of edit.conditions) {
    const condition = given.test.kind === 'period' ? onKnownMoment(given, base) : given
    // Only of the question before: two values of one change stay together.
    const rivals = conditions.filter(other => base.conditions.includes(other) && isRival(other, condition))
    const at = conditions.findLastIndex(other => rivals.includes(other))
    if (manner.adds && at >= 0 && isEquality(condition)) {
      const either = { ...condition, or: true }
      conditions = [...conditions.slice(0, at + 1), either, ...conditions.slice(at + 1)]
      changes.push({ kind: 'filter', how: 'also', filter: changedFilter(condition) })
      continue
    }
    // The second value of the edit ("Germany or France") must not replace its first one.
    const kept = condition.or ? conditions : conditions.filter(other => !rivals.includes(other))
    conditions = [...kept, condition]
    const how = rivals.length > 0 && !condition.or ? 'now' : 'only'
    changes.push({ kind: 'filter', how, filter: changedFilter(condition) })
  }
  return { frame: { ...base, conditions }, changes }
}

/** A period applies to the date that the question is about already. */
const onKnownMoment = (condition: Condition, base: Frame): Condition => {
  const before = base.conditions.find(other => other.test.kind === 'period')?.column
  const unit = base.groups.find(group => group.unit !== null)?.column
  const column = before ?? unit
  return column ? { ...condition, column } : condition
}

const isEquality = ({ test, negated }: Condition): boolean =>
  !negated && test.kind === 'compare' && test.operator === '='

const isRival = (before: Condition, now: Condition): boolean => {
  if (before.column !== now.column) return false
  if (before.test.kind === 'period' || now.test.kind === 'period') return before.test.kind === now.test.kind
  if (isEquality(before) && isEquality(now)) return true
  if (before.test.kind !== 'compare' || now.test.kind !== 'compare') return false
  return before.test.operator.charAt(0) === now.test.operator.charAt(0) && !isEquality(now) && !now.negated
}

const mergeAbsences: Step = (base, edit) => {
  const absent = edit.absent.filter(table => !base.absent.includes(table))
  return {
    frame: { ...base, absent: [...base.absent, ...absent] },
    changes: absent.map(table => ({ kind: 'without', table: tableLabel(table) })),
  }
}

/** A unit of time replaces another; so do other groupings, unless they are added. */
const mergeGroups: Step = (base, edit, { adds, joins }) => {
  const manner = { adds: adds || joins }
  const measured = measuresOf(base).length > 0
  const named: readonly GroupKey[] = measured
    ? edit.outputs.flatMap(output =>
        output.kind === 'column' && !output.grouped && !output.column.traits.numeric
          ? [{ column: output.column, entity: null, unit: null }]
          : [],
      )
    : []
  const fresh = [...edit.groups, ...named].filter(
    (group, index, all) =>
      all.findIndex(other => other.column === group.column && other.unit === group.unit) === index,
  )
  if (fresh.length === 0) return { frame: base, changes: [] }
  const times = fresh.some(group => group.unit !== null)
  const kept = manner.adds ? base.groups.filter(group => !(times && group.unit !== null)) : []
  const groups = [...kept, ...fresh.filter(group => !kept.some(other => same(other, group)))]
  const table = findSubjectTable(base)
  const rows: Output = { kind: 'measure', measure: { fn: 'count', column: null, table, distinct: false } }
  const measures = base.outputs.filter(output => output.kind === 'measure')
  const orders = base.orders.filter(order => isMeasure(order.by))
  return {
    frame: {
      ...base,
      groups,
      outputs: [
        ...groups.flatMap(group => shownKey(group, base)),
        ...(measures.length > 0 ? measures : [rows]),
      ],
      orders,
      limit: orders.length > 0 ? base.limit : null,
      tables: [...new Set([...base.tables, ...edit.tables])],
    },
    changes: [{ kind: 'group', by: fresh.map(changedGroup), isAdded: manner.adds && kept.length > 0 }],
  }
}

const same = (a: GroupKey, b: GroupKey): boolean => a.column === b.column && a.unit === b.unit

const shownKey = (group: GroupKey, base: Frame): readonly Output[] => {
  if (group.unit !== null) return [{ kind: 'unit', column: group.column, unit: group.unit }]
  const before = base.outputs.filter(
    output => isKey(output) && output.kind === 'column' && output.column === group.column,
  )
  if (before.length > 0) return before
  const columns = group.entity ? group.entity.display : [group.column]
  return columns.map(column => ({ kind: 'column', column, grouped: true }))
}

/** "Average discount instead": measures replace those of the frame or are added to them. */
const mergeMeasures: Step = (base, edit, { adds, joins }) => {
  const manner = { adds: adds || joins }
  const measures = edit.outputs.flatMap((output): Measure[] => {
    if (output.kind === 'measure') return output.measure.column ? [output.measure] : []
    const isNumber =
      output.kind === 'column' && !output.grouped && output.column.traits.numeric && !output.column.traits.key
    return isNumber && measuresOf(base).length > 0
      ? [{ fn: 'sum', column: output.column, table: output.column.table, distinct: false }]
      : []
  })
  if (measures.length === 0) return { frame: base, changes: [] }
  const fresh = measures.map((measure): Output => ({ kind: 'measure', measure }))
  const others = base.outputs.filter(output => (manner.adds ? true : isKey(output)))
  const orders = manner.adds ? base.orders : base.orders.filter(order => !isMeasure(order.by))
  return {
    frame: { ...base, outputs: [...others, ...fresh], orders, limit: orders.length > 0 ? base.limit : null },
    changes: measures.map(({ fn, column }) => ({
      kind: 'measure',
      measure: fn,
      column: column ? columnLabel(column) : '',
      isAdded: manner.adds,
    })),
  }
}

const mergeOrders: Step = (base, edit) => {
  const [order] = edit.orders
  const havings = edit.havings
  if (!order && havings.length === 0) return { frame: base, changes: [] }
  return {
    frame: {
      ...base,
      havings: [...base.havings, ...havings],
      ...(order ? { orders: edit.orders, limit: edit.limit ?? base.limit } : {}),
    },
    changes: [
      ...(order ? [changedOrder(order, null)] : []),
      ...havings.map(({ operator, number }) => ({ kind: 'having', operator, number }) as const),
    ],
  }
}

/** The change to an order; `count` is how many of the first are kept, null for all. */
export const changedOrder = ({ by, direction }: OrderKey, count: number | null): AnswerChange => ({
  kind: 'order',
  by: isMeasure(by) ? null : columnLabel(by),
  direction,
  count,
})

const changedGroup = ({ column, unit, entity }: GroupKey): ChangedGroup => ({
  label: unit === null && entity ? tableLabel(entity) : columnLabel(column),
  unit,
})

const changedFilter = ({ column: entry, test, negated }: Condition): ChangedFilter => {
  const column = columnLabel(entry)
  switch (test.kind) {
    case 'compare':
      return { kind: 'compare', column, operator: test.operator, value: test.value, negated }
    case 'compare-column':
      return { kind: 'compare-column', column, operator: test.operator, other: columnLabel(test.other) }
    case 'compare-aggregate':
      return { kind: 'compare-aggregate', column, operator: test.operator, fn: test.fn }
    case 'between':
      return { kind: 'between', column, low: test.low, high: test.high }
    case 'matches':
      return { kind: 'matches', column, text: test.text, negated }
    case 'period':
      return { kind: 'period', phrase: test.span.phrase, negated }
    case 'missing':
      return { kind: 'missing', column, negated }
    default: {
      const never: never = test
      return never
    }
  }
}

/** How well the columns of an edit fit the question before it: columns that it uses already come first. */
export const affinity = (base: Frame, edit: Frame, distance: (column: ColumnEntry) => number): number => {
  const known = new Set(base.conditions.map(condition => condition.column))
  const touched = [
    ...edit.conditions.filter(({ test }) => test.kind !== 'period').map(condition => condition.column),
    ...edit.groups.map(group => group.column),
    ...edit.outputs.flatMap(output => (output.kind === 'column' && !output.grouped ? [output.column] : [])),
  ]
  return touched.reduce((sum, column) => {
    if (known.has(column)) return sum + 3
    const steps = distance(column)
    return sum + (steps === 0 ? 1.5 : steps === 1 ? 0 : Number.isFinite(steps) ? -1.5 * steps : -20)
  }, 0)
}
