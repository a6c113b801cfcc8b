import type { LinkedSpanOf } from '../../link/item.ts'
import { advanceState } from '../advance.ts'
import type { SearchStep } from '../search-context.ts'
import { momentColumns, momentFeatures } from './moment-columns.ts'

/** A period limits a column of moments: the one in focus, else each that could be meant. */
export const readPeriod: SearchStep<LinkedSpanOf<'period'>> = (context, state, item) => {
  const { frame, focus, pending } = state
  const columns = focus?.traits.moment ? [focus] : momentColumns(context, state)
  return columns.map(column =>
    advanceState(context, state, item, {
      role: column === focus ? 'periodInFocus' : 'period',
      key: `p${column.id}${item.span.phrase}`,
      touch: column.table,
      chosen: column,
      frame: {
        conditions: [
          ...frame.conditions,
          { column, test: { kind: 'period', span: item.span }, negated: pending.not, or: pending.or },
        ],
      },
      pending: { not: false, or: false, compare: null },
      focus: null,
      features: column === focus ? [] : momentFeatures(context, state, column),
    }),
  )
}
