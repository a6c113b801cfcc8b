import type { Condition } from '../../frame.ts'
import type { LinkedSpanOf } from '../../link/linked-span.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import { advanceState, continuesGrouping, type StateChange } from '../advance.ts'
import type { SearchContext, SearchStep } from '../search-context.ts'
import type { SearchState } from '../state.ts'
import {
  compareColumn,
  filterAbsent,
  filterBetween,
  filterByFlag,
  filterMissing,
} from './column-conditions.ts'
import {
  addOutput,
  aggregateColumn,
  columnOutput,
  countColumn,
  groupByColumn,
  orderByColumn,
  rankByColumn,
  shareAggregates,
} from './column-outputs.ts'

/** A named column completes what is pending for a column; otherwise it is an output or begins a condition. */
export const readColumn: SearchStep<LinkedSpanOf<'column'>> = (context, state, item) => {
  const { column } = item
  const changes = [...pendingChanges(state, column, context.columnsOf), ...plainChanges(state, column)]
  const elsewhere = belongsToSubject(context, state, item) ? [] : [['col.thoughOwnHasIt', 1] as const]
  const inComment = item.features.some(feature => feature[0] === 'col.comment')
  return changes.map(change =>
    advanceState(context, state, item, {
      touch: column.table,
      ...change,
      features: [
        ...(change.features ?? []),
        ...elsewhere,
        ...(inComment ? ([[`comment.${change.role}`, 1]] as const) : []),
      ],
    }),
  )
}

/** False if the table that the question is about has a column with the same words, and this one is another table's. */
const belongsToSubject = (
  context: SearchContext,
  state: SearchState,
  item: LinkedSpanOf<'column'>,
): boolean => {
  const [subject] = state.touched
  if (subject === undefined || item.column.table.id === subject) return true
  return !(context.lattice.startingAt[item.start] ?? []).some(
    other => other.kind === 'column' && other.end === item.end && other.column.table.id === subject,
  )
}

const pendingChanges = (
  state: SearchState,
  column: ColumnEntry,
  columnsOf: SearchContext['columnsOf'],
): readonly StateChange[] => {
  const { pending } = state
  const changes: StateChange[] = [...compareColumn(state, column), ...filterBetween(state, column)]
  if (pending.compare?.aggregate) return changes
  if (pending.count) changes.push(...countColumn(state, column))
  if (pending.aggregates.length > 0) changes.push(aggregateColumn(state, column))
  if (pending.shared.length > 0) changes.push(shareAggregates(state, column))
  if (pending.top) changes.push(...rankByColumn(state, column, columnsOf))
  if (pending.each || continuesGrouping(state)) changes.push(...groupByColumn(state, column))
  if (pending.not && column.column.nullable && !pending.compare) changes.push(filterMissing(state, column))
  if (pending.order) changes.push(...orderByColumn(state, column))
  if (pending.not) changes.push(...filterAbsent(state, column))
  return changes
}

const plainChanges = (state: SearchState, column: ColumnEntry): readonly StateChange[] => {
  const { frame, pending } = state
  const changes: StateChange[] = []
  const again = frame.outputs.some(output => output.kind === 'column' && output.column === column)
  const last: Condition | undefined = frame.conditions.at(-1)
  if (last?.column === column && state.trail?.item?.kind === 'value') {
    changes.push({ role: 'repeatsValueColumn', key: '' })
  }
  const { count, top, each, order, compare } = pending
  changes.push(...filterByFlag(state, column))
  const waits = count || top !== null || each || order !== null || pending.aggregates.length > 0
  if (!waits && !compare) {
    changes.push({
      role: again ? 'outputAgain' : 'output',
      key: again ? '' : `o${column.id}`,
      frame: again
        ? {}
        : {
            ...addOutput(state, columnOutput(column)),
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
