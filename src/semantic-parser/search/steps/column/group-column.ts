import type { ColumnEntry } from '../../../schema/schema-index.ts'
import type { StateChange } from '../../advance.ts'
import type { SearchState } from '../../state.ts'
import { addOutput } from './add-output.ts'

/** A key was announced: groups by the column and shows it. */
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
