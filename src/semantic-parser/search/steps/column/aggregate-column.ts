import type { ColumnEntry } from '../../../schema/schema-index.ts'
import type { StateChange } from '../../advance.ts'
import type { SearchState } from '../../state.ts'
import { addOutput, columnOutput, measureOutput } from './add-output.ts'

/** A count was announced: different values, or the number that the column holds already, alone or added up. */
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

/** Aggregates were announced: each of them of this column. */
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

/** The column before took aggregates, and this one shares them. */
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
