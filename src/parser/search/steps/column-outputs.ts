import type { Measure, Output } from '../../frame.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import type { StateChange } from '../advance.ts'
import type { SearchContext } from '../search-context.ts'
import type { SearchState } from '../state.ts'

/** A state's frame with more outputs. */
export const addOutput = (state: SearchState, ...outputs: readonly Output[]) => ({
  outputs: [...state.frame.outputs, ...outputs],
})

/** An aggregate of a column as an output. */
const measureOutput = (fn: Measure['fn'], column: ColumnEntry, distinct: boolean): Output => ({
  kind: 'measure',
  measure: { fn, column, table: column.table, distinct },
})

/** A column as it is, as an output. */
export const columnOutput = (column: ColumnEntry): Output => ({ kind: 'column', column, grouped: false })

/** Completes a pending count: distinct values, or the number that the column already holds, alone or added up. */
export const countColumn = (state: SearchState, column: ColumnEntry): readonly StateChange[] => {
  const pending = { count: false, distinct: false, shared: ['count'] } as const
  const { traits } = column
  const changes: StateChange[] = [
    {
      role: state.pending.distinct ? 'countDistinctColumn' : 'countColumn',
      key: `cd${column.id}`,
      pending,
      frame: addOutput(state, measureOutput('count', column, true)),
      features: [
        ['fit.countNumber', traits.numeric && !traits.key ? 1 : 0],
        ['fit.countForeign', traits.foreign && !state.pending.distinct ? 1 : 0],
      ],
    },
  ]
  if (traits.numeric && !traits.key) {
    changes.push(
      { role: 'countIsColumn', key: `o${column.id}`, pending, frame: addOutput(state, columnOutput(column)) },
      {
        role: 'countIsSum',
        key: `sum${column.id}`,
        pending,
        frame: addOutput(state, measureOutput('sum', column, false)),
      },
    )
  }
  return changes
}

/** Completes pending aggregates: each of them of this column. */
export const aggregateColumn = (state: SearchState, column: ColumnEntry): StateChange => {
  const { traits } = column
  const { aggregates } = state.pending
  const adds = aggregates.some(fn => fn === 'avg' || fn === 'sum')
  const misfit = adds ? !traits.numeric || traits.key : !traits.numeric && !traits.moment
  return {
    role: 'aggregateColumn',
    key: `${aggregates.join()}${column.id}`,
    pending: { aggregates: [], shared: aggregates, distinct: false, count: false },
    frame: addOutput(state, ...aggregates.map(fn => measureOutput(fn, column, state.pending.distinct))),
    features: [
      ['fit.notNumeric', misfit ? 1 : 0],
      ['fit.sumOfYear', adds && traits.year ? 1 : 0],
    ],
  }
}

/** Shares the aggregates of the column before. */
export const shareAggregates = (state: SearchState, column: ColumnEntry): StateChange => {
  const { shared } = state.pending
  return {
    role: shared.includes('count') ? 'sharedCount' : 'sharedAggregate',
    key: `${shared.join()}${column.id}`,
    pending: { shared: [] },
    frame: addOutput(state, ...shared.map(fn => measureOutput(fn, column, fn === 'count'))),
    features: [
      ['fit.notNumeric', !shared.includes('count') && !column.traits.numeric ? 1 : 0],
      ['shared.next', state.trail?.item?.kind === 'cue' && state.trail.item.cue.kind === 'and' ? 1 : 0],
    ],
  }
}

/** Completes a pending grouping: groups by the column and shows it. */
export const groupByColumn = (state: SearchState, column: ColumnEntry): readonly StateChange[] => {
  const { frame } = state
  const shown = frame.outputs.some(output => output.kind === 'column' && output.column === column)
  const key = { column, entity: null, unit: null }
  const group: StateChange = {
    role: state.pending.each ? 'group' : 'regroup',
    key: `g${column.id}`,
    pending: { each: false, regroup: true, distinct: false },
    frame: {
      groups: [...frame.groups, key],
      ...(shown ? {} : addOutput(state, { kind: 'column', column, grouped: true })),
    },
    features: [
      ['fit.groupMeasure', column.traits.numeric && !column.traits.key && !column.traits.year ? 1 : 0],
    ],
  }
  return [group]
}

/** Completes a pending superlative: by the column itself, by how many there are, or by how often each value occurs. */
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

/** Completes a pending order. */
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
