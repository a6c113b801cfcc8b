import type { Measure, Output } from '../../../frame/frame.ts'
import type { ColumnEntry } from '../../../schema/schema-index.ts'
import type { SearchState } from '../../state.ts'

/** The outputs of a frame with more behind them. */
export const addOutput = (state: SearchState, ...outputs: readonly Output[]) => ({
  outputs: [...state.frame.outputs, ...outputs],
})

/** An aggregate of a column as an output. */
export const measureOutput = (fn: Measure['fn'], column: ColumnEntry, distinct: boolean): Output => ({
  kind: 'measure',
  measure: { fn, column, table: column.table, distinct },
})

/** A column as it is, as an output. */
export const columnOutput = (column: ColumnEntry): Output => ({ kind: 'column', column, grouped: false })
