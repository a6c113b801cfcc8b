import type { Condition } from '../../frame/frame.ts'
import type { ItemOf } from '../../link/item.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import { advance, type Change } from '../advance.ts'
import type { SearchContext, Step } from '../search-context.ts'
import type { State } from '../state.ts'
import { addOutput, columnOutput } from './column/add-output.ts'
import { aggregated, counted, sharing } from './column/aggregate-column.ts'
import { compared } from './column/compare-column.ts'
import { absentByMoment, betweenNumbers, flagged, missing } from './column/condition-on-column.ts'
import { grouped } from './column/group-column.ts'
import { ordered, topped } from './column/rank-column.ts'
import { regroups } from './regroups.ts'

/** A named column takes what waits for a column; with nothing waiting it is asked for, or a condition begins. */
export const readColumn: Step<ItemOf<'column'>> = (context, state, item) => {
  const { column } = item
  const changes = [...waitingChanges(state, column, context.columnsOf), ...plainChanges(state, column)]
  const elsewhere = isAtHome(context, state, item) ? [] : [['col.thoughOwnHasIt', 1] as const]
  const inComment = item.features.some(feature => feature[0] === 'col.comment')
  return changes.map(change =>
    advance(context, state, item, {
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

/** False where the table that the question is about has a column by the same words, and this is another table's. */
const isAtHome = (context: SearchContext, state: State, item: ItemOf<'column'>): boolean => {
  const [subject] = state.touched
  if (subject === undefined || item.column.table.id === subject) return true
  return !(context.lattice.startingAt[item.start] ?? []).some(
    other => other.kind === 'column' && other.end === item.end && other.column.table.id === subject,
  )
}

const waitingChanges = (
  state: State,
  column: ColumnEntry,
  columnsOf: SearchContext['columnsOf'],
): readonly Change[] => {
  const { pending } = state
  const changes: Change[] = [...compared(state, column), ...betweenNumbers(state, column)]
  if (pending.compare?.aggregate) return changes
  if (pending.count) changes.push(...counted(state, column))
  if (pending.aggregates.length > 0) changes.push(aggregated(state, column))
  if (pending.shared.length > 0) changes.push(sharing(state, column))
  if (pending.top) changes.push(...topped(state, column, columnsOf))
  if (pending.each || regroups(state)) changes.push(...grouped(state, column))
  if (pending.not && column.column.nullable && !pending.compare) changes.push(missing(state, column))
  if (pending.order) changes.push(...ordered(state, column))
  if (pending.not) changes.push(...absentByMoment(state, column))
  return changes
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
  changes.push(...flagged(state, column))
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
