import type { Measure } from '../../../frame/frame.ts'
import type { ColumnEntry } from '../../../schema/schema-index.ts'
import type { StateChange } from '../../advance.ts'
import type { SearchContext } from '../../search-context.ts'
import type { SearchState } from '../../state.ts'
import { addOutput } from './add-output.ts'

/** A superlative was announced: by the column itself, by how many there are, or by how often each value occurs. */
export const rankByColumn = (
  state: SearchState,
  column: ColumnEntry,
  columnsOf: SearchContext['columnsOf'],
): readonly StateChange[] => {
  const { pending, frame } = state
  const top = pending.top
  if (!top) return []
  const limit = pending.number ?? frame.limit ?? 1
  const cleared = { top: null, number: null, count: false, distinct: false }
  const count: Measure = { fn: 'count', column: null, table: null, distinct: false }
  if (top.manner === 'frequency') {
    const key = { column, entity: null, unit: null }
    const shown = frame.outputs.some(output => output.kind === 'column' && output.column === column)
    return [
      {
        role: 'frequency',
        key: `f${column.id}`,
        pending: cleared,
        frame: {
          groups: [...frame.groups, key],
          orders: [{ by: count, direction: top.direction }],
          limit,
          ...(shown ? {} : addOutput(state, { kind: 'column', column, grouped: true })),
        },
      },
    ]
  }
  const known = top.adjective && columnsOf(top.adjective).find(entry => entry.column === column)
  const direction = known ? (known.up ? 'desc' : 'asc') : top.direction
  const by: ColumnEntry | Measure = top.fn
    ? { fn: top.fn, column, table: column.table, distinct: false }
    : column
  const comparable = column.traits.numeric || column.traits.moment
  const changes: StateChange[] = [
    {
      role: `topColumn.${top.manner}`,
      key: `top${column.id}${direction}`,
      pending: cleared,
      frame: { orders: [{ by, direction }], limit },
      clause: 'condition',
      features: [['fit.notNumeric', comparable ? 0 : 1]],
    },
  ]
  if (top.manner === 'most' && !(column.traits.numeric && !column.traits.key)) {
    const measure: Measure = { fn: 'count', column, table: column.table, distinct: true }
    changes.push({
      role: 'mostOfColumn',
      key: `mc${column.id}${direction}`,
      pending: cleared,
      frame: { orders: [{ by: measure, direction }], limit },
    })
  }
  return changes
}

/** An order was announced. */
export const orderByColumn = (state: SearchState, column: ColumnEntry): readonly StateChange[] => {
  const { order, number } = state.pending
  if (!order) return []
  const by: ColumnEntry | Measure = order.fn
    ? { fn: order.fn, column: order.fn === 'count' ? null : column, table: column.table, distinct: false }
    : column
  const direction = order.direction ?? 'asc'
  return [
    {
      role: 'orderColumn',
      key: `ord${column.id}${direction}`,
      pending: { order: null, number: null },
      frame: {
        orders: [...state.frame.orders, { by, direction }],
        limit: number ?? state.frame.limit,
      },
    },
  ]
}
