import type { Condition, Test } from '../../frame/frame.ts'
import type { ItemOf } from '../../link/item.ts'
import { advance, type Change } from '../advance.ts'
import type { Step } from '../search-context.ts'
import type { State } from '../state.ts'

/** A value makes a condition on its column: alone ("French singers") or for the column in focus. */
export const readValue: Step<ItemOf<'value'>> = (context, state, item) =>
  changesOf(state, item).map(change => advance(context, state, item, { touch: item.column.table, ...change }))

const changesOf = (state: State, item: ItemOf<'value'>): readonly Change[] => {
  const { pending, frame, focus } = state
  const { column, value } = item
  const last = frame.conditions.at(-1)
  const sameColumn = last?.column === column && last.test.kind === 'compare' && last.test.operator === '='
  const differs = pending.compare?.operator === '<>'
  const negated = pending.not || differs
  const test: Test =
    pending.matches && typeof value === 'string'
      ? { kind: 'matches', place: pending.matches, text: item.value as string }
      : { kind: 'compare', operator: '=', value }
  const base = {
    pending: { not: false, or: false, matches: null, compare: null },
    focus: null,
    features: [
      ['value.inFocus', focus === column ? 1 : 0],
      ['value.offFocus', focus !== null && focus !== column ? 1 : 0],
      ['value.nearFocus', focus !== null && focus !== column && focus.table === column.table ? 1 : 0],
      ['value.negated', negated ? 1 : 0],
      ['drop.compare', pending.compare && !differs && pending.compare.operator !== '=' ? 1 : 0],
    ] as readonly (readonly [string, number])[],
  }
  const with_ = (or: boolean): { conditions: readonly Condition[] } => ({
    conditions: [...frame.conditions, { column, test, negated, or }],
  })
  const key = `v${column.id}=${value}${negated ? '!' : ''}`
  if (!sameColumn) {
    return [{ ...base, role: 'value', key, frame: with_(pending.or) }]
  }
  const either: Change = { ...base, role: 'valueEither', key: `${key}|`, frame: with_(true) }
  const both: Change = { ...base, role: 'valueBoth', key: `${key}&`, frame: { ...with_(false), both: true } }
  if (pending.both) return [{ ...both, features: [...base.features, ['both.announced', 1]] }, either]
  return pending.or ? [{ ...either, features: [...base.features, ['or.announced', 1]] }] : [either, both]
}
