import type { Condition, Measure } from '../../frame.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import type { StateChange } from '../advance.ts'
import type { SearchState } from '../state.ts'

/** "At least 3 towns": how many distinct values a group has. */
const filterByCount = ({ frame, pending }: SearchState, column: ColumnEntry): StateChange => {
  const measure: Measure = { fn: 'count', column, table: column.table, distinct: true }
  return {
    role: 'havingColumn',
    key: `h${column.id}`,
    frame: {
      havings: [
        ...frame.havings,
        { measure, operator: pending.compare?.operator ?? '=', number: pending.number ?? 0, high: null },
      ],
    },
    pending: { compare: null, number: null },
  }
}

/** "Patients with no insurance": the column itself is null. */
export const filterMissing = ({ frame, pending }: SearchState, column: ColumnEntry): StateChange => ({
  role: column.traits.moment ? 'notMoment' : 'notColumn',
  key: `null${column.id}`,
  frame: {
    conditions: [...frame.conditions, { column, test: { kind: 'missing' }, negated: false, or: pending.or }],
  },
  pending: { not: false, or: false },
  focus: null,
})

/** A yes-or-no column is a condition by itself: "active members". */
export const filterByFlag = (
  { frame, pending }: SearchState,
  column: ColumnEntry,
): readonly StateChange[] => {
  const { flag } = column.traits
  if (!flag || pending.compare) return []
  const value = pending.not ? flag.no : flag.yes
  const condition: Condition = {
    column,
    test: { kind: 'compare', operator: '=', value },
    negated: false,
    or: pending.or,
  }
  return [
    {
      role: pending.not ? 'flagNot' : 'flag',
      key: `flag${column.id}${value}`,
      frame: { conditions: [...frame.conditions, condition] },
      pending: { not: false, or: false },
      focus: null,
    },
  ]
}

/** "Between 20 and 30 pages": both numbers come before their column. */
export const filterBetween = (
  { frame, pending }: SearchState,
  column: ColumnEntry,
): readonly StateChange[] => {
  if (!pending.between || pending.number === null || pending.high === null) return []
  const test = { kind: 'between', low: pending.number, high: pending.high } as const
  return [
    {
      role: 'betweenColumn',
      key: `bc${column.id}`,
      frame: { conditions: [...frame.conditions, { column, test, negated: pending.not, or: pending.or }] },
      pending: { between: false, number: null, high: null, not: false, or: false },
      features: [['fit.notNumeric', column.traits.numeric ? 0 : 1]],
    },
  ]
}

/** "Books that were never lent": the verb names a date of another table, which must have no such row. */
export const filterAbsent = (
  { frame, touched }: SearchState,
  column: ColumnEntry,
): readonly StateChange[] => {
  const [subject] = touched
  if (!column.traits.moment || subject === undefined || subject === column.table.id) return []
  return [
    {
      role: 'absentByMoment',
      key: `abm${column.table.id}`,
      frame: { absent: [...frame.absent, column.table] },
      pending: { not: false },
      focus: null,
    },
  ]
}

/**
 * Completes a pending comparison: with an aggregate of the column, with the number before it, or with the column of
 * the current condition.
 */
export const compareColumn = (state: SearchState, column: ColumnEntry): readonly StateChange[] => {
  const { pending, frame } = state
  const { id, traits } = column
  const changes: StateChange[] = []
  if (pending.compare?.aggregate) {
    const test = {
      kind: 'compare-aggregate',
      operator: pending.compare.operator,
      fn: pending.compare.aggregate,
    } as const
    changes.push({
      role: 'compareWithAggregate',
      key: `${id}~${test.operator}${test.fn}`,
      frame: { conditions: [...frame.conditions, { column, test, negated: false, or: pending.or }] },
      pending: { compare: null, or: false },
      focus: null,
      features: [['fit.notNumeric', traits.numeric || traits.moment ? 0 : 1]],
    })
    return changes
  }
  if (pending.compare && pending.number !== null) {
    const test = { kind: 'compare', operator: pending.compare.operator, value: pending.number } as const
    changes.push({
      role: 'compareNumberColumn',
      key: `${id}${test.operator}${test.value}`,
      frame: { conditions: [...frame.conditions, { column, test, negated: false, or: pending.or }] },
      pending: { compare: null, number: null, or: false },
      features: [['fit.notNumeric', traits.numeric ? 0 : 1]],
    })
    changes.push(filterByCount(state, column))
  } else if (pending.compare && state.focus && state.focus !== column) {
    const test = { kind: 'compare-column', operator: pending.compare.operator, other: column } as const
    changes.push({
      role: 'compareColumns',
      key: `${state.focus.id}${test.operator}c${id}`,
      frame: {
        conditions: [...frame.conditions, { column: state.focus, test, negated: false, or: pending.or }],
      },
      pending: { compare: null, or: false },
      focus: null,
      features: [['fit.otherKind', state.focus.column.kind === column.column.kind ? 0 : 1]],
    })
  }
  return changes
}
