import type { Test } from '../../frame/frame.ts'
import type { ItemOf } from '../../link/item.ts'
import { advance } from '../advance.ts'
import type { Step } from '../search-context.ts'

/** Text that is no known value: compared with the column in focus, else with the name of the table named before. */
export const readText: Step<ItemOf<'text'>> = (context, state, item) => {
  const { frame, focus, pending, lastTable } = state
  const differs = pending.compare?.operator === '<>'
  const test: Test = pending.matches
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
    advance(context, state, item, {
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
