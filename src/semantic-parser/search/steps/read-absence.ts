import type { LinkedSpanOf } from '../../link/item.ts'
import { advanceState } from '../advance.ts'
import type { SearchStep } from '../search-context.ts'

/** "Unpaid invoices": the column must be empty, or must not be when that is denied. */
export const readAbsence: SearchStep<LinkedSpanOf<'absence'>> = (context, state, item) => [
  advanceState(context, state, item, {
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
