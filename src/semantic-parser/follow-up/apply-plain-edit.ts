import { columnLabel, tableLabel } from '../explain/column-label.ts'
import { type Frame, isMeasure, type Measure, type OrderKey, type Output } from '../frame/frame.ts'
import type { SortDirection } from '../lexicon/cue.ts'
import { type EditedFrame, findSubjectTable, measuresOf } from './edited-frame.ts'
import type { PlainEdit } from './plain-edit.ts'
import { suggestEdits } from './suggest-edits.ts'

/** Why an edit cannot be made, and what could be said instead. */
export interface ImpossibleEdit {
  readonly reason: string
  readonly examples: readonly string[]
}

const functionNames = {
  avg: 'average',
  sum: 'total',
  max: 'highest',
  min: 'lowest',
  count: 'number',
} as const

/** Makes an edit that names nothing of the database. */
export const applyPlainEdit = (
  frame: Frame,
  edit: Exclude<PlainEdit, { kind: 'why' }>,
  adds: boolean,
): EditedFrame | ImpossibleEdit => {
  switch (edit.kind) {
    case 'show':
      return { frame, changes: [edit.show === 'chart' ? 'as a chart' : 'as a table'] }
    case 'list':
      return listRowsOf(frame)
    case 'count': {
      const table = findSubjectTable(frame)
      if (!table) return impossibleEdit('I cannot tell what to count.', suggestEdits(frame))
      const rows: Measure = { fn: 'count', column: null, table, distinct: false }
      const outputs: readonly Output[] = [{ kind: 'measure', measure: rows }]
      return {
        frame: { ...frame, outputs, groups: [], havings: [], orders: [], limit: null },
        changes: ['their number'],
      }
    }
    case 'top':
      return orderRows(frame, edit.direction, edit.count)
    case 'order':
      return orderRows(frame, edit.direction, null)
    case 'measure':
      return remeasure(frame, edit.fn, adds)
    default: {
      const never: never = edit
      return never
    }
  }
}

const impossibleEdit = (reason: string, examples: readonly string[]): ImpossibleEdit => ({ reason, examples })

/** The rows themselves by what they are called, in place of their number. */
const listRowsOf = (frame: Frame): EditedFrame | ImpossibleEdit => {
  const table = findSubjectTable(frame)
  if (!table) return impossibleEdit('I cannot tell what to list.', suggestEdits(frame))
  const outputs = table.display.map((column): Output => ({ kind: 'column', column, grouped: false }))
  return {
    frame: { ...frame, outputs, groups: [], havings: [], orders: [], limit: null, distinct: false },
    changes: [`each ${tableLabel(table)} instead of the numbers`],
  }
}

/** By what is measured, else as it was ordered before, else by the first number that is shown. */
const orderRows = (
  frame: Frame,
  direction: SortDirection,
  count: number | null,
): EditedFrame | ImpossibleEdit => {
  const by = orderedBy(frame)
  const grouped = frame.groups.length > 0
  const isOneRow = !grouped && measuresOf(frame).length === frame.outputs.length
  if (by === null && count !== null && !isOneRow && direction === 'desc') {
    return { frame: { ...frame, limit: count }, changes: [`only ${count} rows`] }
  }
  if (by === null || (isMeasure(by) && isOneRow)) {
    return impossibleEdit('There is nothing in this answer to put in an order.', suggestEdits(frame))
  }
  const orders: readonly OrderKey[] = [{ by, direction }]
  const what = isMeasure(by) ? 'value' : columnLabel(by)
  const first = direction === 'asc' ? 'lowest' : 'highest'
  return {
    frame: { ...frame, orders, limit: count ?? frame.limit },
    changes: [count === null ? `${first} ${what} first` : `only the ${count} with the ${first} ${what}`],
  }
}

const orderedBy = (frame: Frame): OrderKey['by'] | null => {
  const [measure] = measuresOf(frame)
  if (measure) return measure
  const [before] = frame.orders
  if (before) return before.by
  const number = frame.outputs.find(
    output => output.kind === 'column' && output.column.traits.numeric && !output.column.traits.key,
  )
  return number?.kind === 'column' ? number.column : null
}

const remeasure = (frame: Frame, fn: Measure['fn'], adds: boolean): EditedFrame | ImpossibleEdit => {
  const changed = measuresOf(frame).find(measure => measure.column !== null)
  if (!changed?.column) {
    const table = findSubjectTable(frame)
    const numbers = (table?.columns ?? []).filter(
      ({ traits }) => traits.numeric && !traits.key && !traits.year,
    )
    const [first] = numbers
    const name = functionNames[fn]
    return impossibleEdit(
      `The answer counts rows, so I cannot tell the ${name} of what.`,
      first ? [`${name} ${first.column.name.replaceAll('_', ' ')} instead`] : suggestEdits(frame),
    )
  }
  const label = `the ${functionNames[fn]} ${columnLabel(changed.column)}`
  if (adds) {
    const more: Output = { kind: 'measure', measure: { ...changed, fn, distinct: false } }
    return { frame: { ...frame, outputs: [...frame.outputs, more] }, changes: [`also ${label}`] }
  }
  const swap = (measure: Measure): Measure =>
    measure === changed ? { ...measure, fn, distinct: false } : measure
  return {
    frame: {
      ...frame,
      outputs: frame.outputs.map(output =>
        output.kind === 'measure' ? { ...output, measure: swap(output.measure) } : output,
      ),
      orders: frame.orders.map(one =>
        isMeasure(one.by) && one.by.column === changed.column && one.by.fn === changed.fn
          ? { ...one, by: { ...one.by, fn } }
          : one,
      ),
    },
    changes: [label],
  }
}
