import type { ColumnEntry } from '../../../schema/schema-index.ts'
import type { StateChange } from '../../advance.ts'
import type { SearchState } from '../../state.ts'
import { filterByCount } from './condition-on-column.ts'

/** A comparison was announced: with an aggregate of the column, with the number before it, or with the column in focus. */
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
