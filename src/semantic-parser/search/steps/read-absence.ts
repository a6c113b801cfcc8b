import type { ItemOf } from '../../link/item.ts'
import { advance } from '../advance.ts'
import type { Step } from '../search-context.ts'

/** "Unpaid invoices": the column must be empty, or must not be when that is denied. */
export const readAbsence: Step<ItemOf<'absence'>> = (context, state, item) => [
  advance(context, state, item, {
    role: 'absence',
    key: `null${item.column.id}`,
    touch: item.column.table,
    frame: {
      conditions: [
        ...state.frame.conditions,
        {
          column: item.column,
          test: { kind: 'missing' },
          negated: state.pending.not,
          or: state.pending.or,
        },
      ],
    },
    pending: { not: false, or: false },
    focus: null,
  }),
]
