import type { Adjective } from '../../../lib/lexicon/adjectives.ts'
import type { ConditionTest } from '../../frame.ts'
import type { StateChange } from '../advance.ts'
import type { SearchContext } from '../search-context.ts'
import type { SearchState } from '../state.ts'

/** "The youngest": ranks by each column that the adjective measures, although the column is not named. */
export const rankByAdjective = (
  context: SearchContext,
  state: SearchState,
  adjective: Adjective | null,
): readonly StateChange[] => {
  if (!adjective) return []
  return context.columnsOf(adjective).map(({ column, up }, index) => ({
    role: 'topByAdjective',
    chosen: column,
    key: `ta${column.id}`,
    touch: column.table,
    clause: 'condition',
    frame: {
      orders: [{ by: column, direction: up ? 'desc' : 'asc' }],
      limit: state.pending.number ?? state.frame.limit ?? 1,
    },
    pending: { number: null, top: null },
    features: [
      ['adjective.first', index === 0 ? 1 : 0],
      ['adjective.tableNamed', context.lattice.mentions[column.table.id]?.strength ?? 0],
    ],
  }))
}

/** "20 years old": the pending number or range applies to what the adjective measures. */
export const applyMeasuringAdjective = (
  context: SearchContext,
  { pending, frame }: SearchState,
  adjective: Adjective,
): readonly StateChange[] => {
  if (pending.number === null) return []
  const test: ConditionTest =
    pending.high === null
      ? { kind: 'compare', operator: pending.compare?.operator ?? '=', value: pending.number }
      : { kind: 'between', low: pending.number, high: pending.high }
  return context
    .columnsOf(adjective)
    .filter(({ column }) => column.traits.numeric)
    .map(({ column }, index) => ({
      role: 'measuredBefore',
      key: `mb${column.id}`,
      touch: column.table,
      chosen: column,
      frame: { conditions: [...frame.conditions, { column, test, negated: pending.not, or: pending.or }] },
      pending: { number: null, high: null, between: false, compare: null, not: false, or: false },
      features: [
        ['adjective.first', index === 0 ? 1 : 0],
        ['adjective.tableNamed', context.lattice.mentions[column.table.id]?.strength ?? 0],
      ],
    }))
}
