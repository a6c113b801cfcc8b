import type { Condition, Measure, Output } from '../../frame/frame.ts'
import type { ItemOf } from '../../link/item.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import { advance, type Change } from '../advance.ts'
import type { Step } from '../search-context.ts'
import type { State } from '../state.ts'
import { regroups } from './regroups.ts'

/** A named column takes what waits for a column; with nothing waiting it is asked for, or a condition begins. */
export const readColumn: Step<ItemOf<'column'>> = (context, state, item) => {
  const { column } = item
  const changes = [...waitingChanges(state, column, context.columnsOf), ...plainChanges(state, column)]
  return changes.map(change => advance(context, state, item, { touch: column.table, ...change }))
}

type ColumnsOf = Parameters<Step<unknown>>[0]['columnsOf']

const waitingChanges = (state: State, column: ColumnEntry, columnsOf: ColumnsOf): readonly Change[] => {
  const { pending, frame } = state
  const { id, traits } = column
  const changes: Change[] = []
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
    changes.push(havingCount(state, column))
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
  if (pending.count) changes.push(...counted(state, column))
  if (pending.aggregates.length > 0) changes.push(aggregated(state, column))
  if (pending.shared.length > 0) changes.push(sharing(state, column))
  if (pending.top) changes.push(...topped(state, column, columnsOf))
  if (pending.each || regroups(state)) changes.push(...grouped(state, column))
  if (pending.not && column.column.nullable && !pending.compare) changes.push(missing(state, column))
  if (pending.order) changes.push(...ordered(state, column))
  return changes
}

const havingCount = ({ frame, pending }: State, column: ColumnEntry): Change => {
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

const addOutput = (state: State, ...outputs: readonly Output[]) => ({
  outputs: [...state.frame.outputs, ...outputs],
})

const measureOutput = (fn: Measure['fn'], column: ColumnEntry, distinct: boolean): Output => ({
  kind: 'measure',
  measure: { fn, column, table: column.table, distinct },
})

const counted = (state: State, column: ColumnEntry): readonly Change[] => {
  const pending = { count: false, distinct: false, shared: ['count'] } as const
  const { traits } = column
  const changes: Change[] = [
    {
      role: state.pending.distinct ? 'countDistinctColumn' : 'countColumn',
      key: `cd${column.id}`,
      pending,
      frame: addOutput(state, measureOutput('count', column, true)),
      features: [['fit.countNumber', traits.numeric && !traits.key ? 1 : 0]],
    },
  ]
  if (traits.numeric && !traits.key) {
    changes.push(
      { role: 'countIsColumn', key: `o${column.id}`, pending, frame: addOutput(state, column1(column)) },
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

const column1 = (column: ColumnEntry): Output => ({ kind: 'column', column, grouped: false })

const aggregated = (state: State, column: ColumnEntry): Change => {
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

const sharing = (state: State, column: ColumnEntry): Change => {
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

const topped = (state: State, column: ColumnEntry, columnsOf: ColumnsOf): readonly Change[] => {
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
  const changes: Change[] = [
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

const grouped = (state: State, column: ColumnEntry): readonly Change[] => {
  const { frame } = state
  const shown = frame.outputs.some(output => output.kind === 'column' && output.column === column)
  const key = { column, entity: null, unit: null }
  const group: Change = {
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

/** "Patients with no insurance": the column itself is empty. */
const missing = ({ frame, pending }: State, column: ColumnEntry): Change => ({
  role: column.traits.moment ? 'notMoment' : 'notColumn',
  key: `null${column.id}`,
  frame: {
    conditions: [...frame.conditions, { column, test: { kind: 'missing' }, negated: false, or: pending.or }],
  },
  pending: { not: false, or: false },
  focus: null,
})

const ordered = (state: State, column: ColumnEntry): readonly Change[] => {
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

const plainChanges = (state: State, column: ColumnEntry): readonly Change[] => {
  const { frame, pending } = state
  const changes: Change[] = []
  const again = frame.outputs.some(output => output.kind === 'column' && output.column === column)
  const last: Condition | undefined = frame.conditions.at(-1)
  if (last?.column === column && state.trail?.item?.kind === 'value') {
    changes.push({ role: 'repeatsValueColumn', key: '' })
  }
  const { count, top, each, order, compare } = pending
  const waits = count || top !== null || each || order !== null || pending.aggregates.length > 0
  if (!waits && !compare) {
    changes.push({
      role: again ? 'outputAgain' : 'output',
      key: again ? '' : `o${column.id}`,
      frame: again
        ? {}
        : {
            ...addOutput(state, column1(column)),
            distinct: frame.distinct || pending.distinct,
          },
      pending: { distinct: false, not: false },
      features: [['drop.not', pending.not ? 1 : 0]],
    })
  }
  if (!(compare && pending.number !== null)) {
    changes.push({
      role: state.focus ? 'focusAgain' : 'focus',
      key: `f${column.id}`,
      focus: column,
      ...(state.clause === 'select' ? { clause: 'condition' as const } : {}),
      features: [['focus.whileWaiting', waits ? 1 : 0]],
    })
  }
  return changes
}
