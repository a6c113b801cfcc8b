import type { Condition, ConditionTest } from '../../frame.ts'
import type { LinkedSpanOf } from '../../link/linked-span.ts'
import { advanceState, type StateChange } from '../advance.ts'
import type { SearchStep } from '../search-context.ts'
import type { SearchState } from '../state.ts'

/** A value is a condition on its column: alone ("French singers") or for the column of the current condition. */
export const readValue: SearchStep<LinkedSpanOf<'value'>> = (context, state, item) =>
  changesOf(state, item).map(change =>
    advanceState(context, state, item, { touch: item.column.table, ...change }),
  )

const changesOf = (state: SearchState, item: LinkedSpanOf<'value'>): readonly StateChange[] => {
  const { pending, frame, focus } = state
  const { column, value } = item
  const last = frame.conditions.at(-1)
  const sameColumn = last?.column === column && last.test.kind === 'compare' && last.test.operator === '='
  const differs = pending.compare?.operator === '<>'
  const negated = pending.not || differs
  const test: ConditionTest =
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
  const having = pending.number !== null && !pending.top ? [havingValue(state, item)] : []
  const plainly = pending.matches ? [ignoringMatches(state, item)] : []
  if (!sameColumn) {
    return [{ ...base, role: 'value', key, frame: with_(pending.or) }, ...having, ...plainly]
  }
  const either: StateChange = { ...base, role: 'valueEither', key: `${key}|`, frame: with_(true) }
  const both: StateChange = {
    ...base,
    role: 'valueBoth',
    key: `${key}&`,
    frame: { ...with_(false), both: true },
  }
  if (pending.both) return [{ ...both, features: [...base.features, ['both.announced', 1]] }, either]
  return pending.or ? [{ ...either, features: [...base.features, ['or.announced', 1]] }] : [either, both]
}

/** "At least ten professors": counts the rows with the value. */
const havingValue = (
  { pending, frame }: SearchState,
  { column, value }: LinkedSpanOf<'value'>,
): StateChange => ({
  role: 'havingValue',
  key: `hv${column.id}=${value}${pending.compare?.operator ?? '='}${pending.number}`,
  frame: {
    conditions: [
      ...frame.conditions,
      { column, test: { kind: 'compare', operator: '=', value }, negated: false, or: false },
    ],
    havings: [
      ...frame.havings,
      {
        measure: { fn: 'count', column: null, table: column.table, distinct: false },
        operator: pending.compare?.operator ?? '=',
        number: pending.number ?? 0,
        high: null,
      },
    ],
  },
  pending: { compare: null, number: null },
  focus: null,
})

/** "Albums containing Rock": the value is complete, so containing applies to rows, not to letters. */
const ignoringMatches = (
  { pending, frame }: SearchState,
  { column, value }: LinkedSpanOf<'value'>,
): StateChange => ({
  role: 'valueNotMatched',
  key: `v${column.id}=${value}`,
  frame: {
    conditions: [
      ...frame.conditions,
      { column, test: { kind: 'compare', operator: '=', value }, negated: pending.not, or: pending.or },
    ],
  },
  pending: { not: false, or: false, matches: null, compare: null },
  focus: null,
})

/**
 * Text that is not a known value: compared with the column of the current condition, else with the name column of the
 * table named before.
 */
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

/** "Unpaid invoices": the column must be null, or must not be if that is negated. */
export const readAbsence: SearchStep<LinkedSpanOf<'absence'>> = (context, state, item) => [
  advanceState(context, state, item, {
    role: 'absence',
    key: `null${item.column.id}`,
    touch: item.column.table,
    frame: {
      conditions: [
        ...state.frame.conditions,
        {
          column: item.column,
          test: { kind: 'missing' },
          negated: state.pending.not,
          or: state.pending.or,
        },
      ],
    },
    pending: { not: false, or: false },
    focus: null,
  }),
]
