import type { Condition, Measure } from '../../../frame/frame.ts'
import type { ColumnEntry } from '../../../schema/schema-index.ts'
import type { StateChange } from '../../advance.ts'
import type { SearchState } from '../../state.ts'

/** "At least 3 towns": how many different values a group has. */
export const filterByCount = ({ frame, pending }: SearchState, column: ColumnEntry): StateChange => {
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

/** "Patients with no insurance": the column itself is empty. */
export const filterMissing = ({ frame, pending }: SearchState, column: ColumnEntry): StateChange => ({
  role: column.traits.moment ? 'notMoment' : 'notColumn',
  key: `null${column.id}`,
  frame: {
    conditions: [...frame.conditions, { column, test: { kind: 'missing' }, negated: false, or: pending.or }],
  },
  pending: { not: false, or: false },
  focus: null,
})

/** A column of yes and no is its own condition: "active members". */
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

/** "Between 20 and 30 pages": both numbers came before their column. */
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

/** "Books that were never lent": the verb names a moment of another table, and no such row may be there. */
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
