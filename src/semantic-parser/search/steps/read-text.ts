import type { ConditionTest } from '../../frame/frame.ts'
import type { LinkedSpanOf } from '../../link/item.ts'
import { advanceState } from '../advance.ts'
import type { SearchStep } from '../search-context.ts'

/** Text that is no known value: compared with the column in focus, else with the name of the table named before. */
export const readText: SearchStep<LinkedSpanOf<'text'>> = (context, state, item) => {
  const { frame, focus, pending, lastTable } = state
  const differs = pending.compare?.operator === '<>'
  const test: ConditionTest = pending.matches
    ? { kind: 'matches', place: pending.matches, text: item.text }
    : { kind: 'compare', operator: '=', value: item.text }
  const named = lastTable?.display[0] ?? null
  const shown = frame.outputs.findLast(output => output.kind === 'column')
  const columns = focus
    ? [focus]
    : named
      ? [named]
      : shown?.kind === 'column' && pending.matches
        ? [shown.column]
        : []
  return columns.map(column =>
    advanceState(context, state, item, {
      role: pending.matches ? 'textMatches' : focus ? 'textInFocus' : 'textNames',
      key: `x${column.id}${item.text}`,
      touch: column.table,
      frame: {
        conditions: [...frame.conditions, { column, test, negated: pending.not || differs, or: pending.or }],
      },
      pending: { not: false, or: false, compare: null, matches: null },
      focus: null,
      features: [['fit.notText', column.traits.text ? 0 : 1]],
    }),
  )
}
