import type { Condition, ConditionTest } from '../../frame.ts'
import type { LinkedSpanOf } from '../../link/linked-span.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import { advanceState, amountColumns, type StateChange } from '../advance.ts'
import type { SearchContext, SearchStep } from '../search-context.ts'
import type { SearchState } from '../state.ts'

/** A number completes a comparison, or waits for what it counts, limits or compares with. */
export const readNumber: SearchStep<LinkedSpanOf<'number'>> = (context, state, item) =>
  changesOf(context, state, item).map(change => advanceState(context, state, item, change))

const changesOf = (
  context: SearchContext,
  state: SearchState,
  item: LinkedSpanOf<'number'>,
): readonly StateChange[] => {
  const { number } = item
  const { pending, frame, focus, lastTable } = state
  const changes: StateChange[] = []
  const condition = (column: ColumnEntry, test: ConditionTest): { conditions: readonly Condition[] } => ({
    conditions: [...frame.conditions, { column, test, negated: pending.not, or: pending.or }],
  })
  const cleared = { compare: null, number: null, or: false, not: false, between: false, high: null } as const
  const operator = pending.compare?.operator ?? '='
  if (pending.between && pending.number !== null) {
    const test = { kind: 'between', low: pending.number, high: number } as const
    const columns = focus ? [focus] : number >= 1500 && number <= 2100 ? context.yearColumns : []
    for (const column of columns) {
      changes.push({
        role: 'between',
        key: `b${column.id}`,
        touch: column.table,
        frame: condition(column, test),
        pending: cleared,
        focus: null,
      })
    }
    if (pending.high === null && !focus)
      changes.push({ role: 'highWaits', key: `hi${number}`, pending: { high: number } })
    return changes
  }
  if (pending.between) return [{ role: 'numberWaits', key: `n${number}`, pending: { number } }]
  const last = frame.conditions.at(-1)
  if (
    !focus &&
    !pending.compare &&
    pending.or &&
    last?.test.kind === 'compare' &&
    last.test.operator === '='
  ) {
    const test: ConditionTest = { kind: 'compare', operator: '=', value: literalFor(last.column, item) }
    changes.push({
      role: 'numberEither',
      key: `${last.column.id}|${number}`,
      frame: { conditions: [...frame.conditions, { column: last.column, test, negated: false, or: true }] },
      pending: cleared,
    })
  }
  if (focus) {
    const fits = focus.traits.numeric || focus.traits.key
    changes.push({
      role: pending.compare ? 'compareFocus' : 'equalFocus',
      key: `${focus.id}${operator}${number}`,
      frame: condition(focus, { kind: 'compare', operator, value: literalFor(focus, item) }),
      pending: cleared,
      focus: null,
      features: [
        ['fit.notNumeric', fits ? 0 : 1],
        ['fit.textEqual', !fits && operator === '=' ? 1 : 0],
        ...outside(focus, number),
      ],
    })
    if (pending.both && last?.column === focus) {
      changes.push({
        role: 'numberBoth',
        key: `${focus.id}${operator}${number}&`,
        frame: {
          ...condition(focus, { kind: 'compare', operator, value: literalFor(focus, item) }),
          both: true,
        },
        pending: { ...cleared, both: false },
        focus: null,
      })
    }
  }
  if (pending.compare?.adjective) {
    for (const { column, up } of context.columnsOf(pending.compare.adjective)) {
      if (!column.traits.numeric) continue
      const towards = up ? '>' : '<'
      changes.push({
        role: 'compareByAdjective',
        chosen: column,
        key: `${column.id}${towards}${number}`,
        touch: column.table,
        frame: condition(column, { kind: 'compare', operator: towards, value: number }),
        pending: cleared,
        features: [
          ['adjective.tableNamed', context.lattice.mentions[column.table.id]?.strength ?? 0],
          ...outside(column, number),
        ],
      })
    }
  }
  if (pending.compare && !pending.compare.adjective && !focus && pending.compare.operator !== '<>') {
    const table = lastTable ?? context.schema.tables[state.touched.at(-1) ?? -1]
    for (const column of table ? amountColumns(table) : []) {
      changes.push({
        role: 'compareUnnamed',
        chosen: column,
        key: `${column.id}${operator}${number}`,
        frame: condition(column, { kind: 'compare', operator, value: number }),
        pending: cleared,
        features: outside(column, number),
      })
    }
  }
  if (Number.isInteger(number) && number >= 1500 && number <= 2100) {
    for (const [rank, column] of context.yearColumns.entries()) {
      if (column === focus) continue
      changes.push({
        role: 'year',
        chosen: column,
        key: `${column.id}${operator}${number}`,
        touch: column.table,
        frame: condition(column, { kind: 'compare', operator, value: number }),
        pending: cleared,
        features: [['year.first', rank === 0 ? 1 : 0], ...outside(column, number)],
      })
    }
  }
  if (lastTable?.primaryKey.length === 1 && lastTable.primaryKey[0]?.traits.numeric && !pending.compare) {
    const [column] = lastTable.primaryKey
    changes.push({
      role: 'tableNumber',
      key: `${column.id}=${number}`,
      touch: lastTable,
      frame: condition(column, { kind: 'compare', operator: '=', value: number }),
      pending: cleared,
      features: outside(column, number),
    })
  }
  if (pending.number === null && Number.isInteger(number) && number >= 0) {
    changes.push({ role: 'numberWaits', key: `n${number}`, pending: { number } })
  }
  return changes
}

/** A column that stores numbers as text is compared with text; if it is compared by size, the number stays a number. */
const literalFor = (column: ColumnEntry, item: LinkedSpanOf<'number'>): string | number =>
  column.traits.text && (!column.traits.numeric || /^0\d/.test(item.text)) ? item.text : item.number

const outside = (column: ColumnEntry, number: number): readonly (readonly [string, number])[] => {
  const profile = column.column.profile
  if (!profile || profile.min === null || profile.max === null) return []
  const low = Number(profile.min)
  const high = Number(profile.max)
  if (Number.isNaN(low) || Number.isNaN(high)) return []
  return number < low || number > high ? [['fit.outsideRange', 1]] : []
}
