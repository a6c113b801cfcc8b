import type { Adjective } from '../../../lib/lexicon/adjectives.ts'
import type { Test } from '../../frame/frame.ts'
import type { Change } from '../advance.ts'
import type { SearchContext } from '../search-context.ts'
import type { State } from '../state.ts'

/** "20 years old": the number or range that waits is about what the adjective measures. */
export const measuredBefore = (
  context: SearchContext,
  { pending, frame }: State,
  adjective: Adjective,
): readonly Change[] => {
  if (pending.number === null) return []
  const test: Test =
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
