import { measureNames } from '../../domain/answer-wording/follow-ups.ts'
import type { RequestedView } from '../../domain/conversation.ts'
import type { AnswerChange, ChangeProblem } from '../../domain/interpretation.ts'
import { parseNumber } from '../../lib/parse-number.ts'
import { columnLabel, tableLabel } from '../explain.ts'
import { type Frame, isMeasure, type Measure, type OrderKey, type Output } from '../frame.ts'
import type { AggregateFunction, SortDirection } from '../lexicon.ts'
import { type EditedFrame, findSubjectTable, measuresOf, suggestEdits } from './edited-frame.ts'
import { changedOrder } from './merge-frames.ts'

/** An edit that names nothing of the database and is understood by its words alone. */
type PlainEdit =
  | { readonly kind: 'show'; readonly show: RequestedView }
  /** List the rows that were counted: "who are they?". */
  | { readonly kind: 'list' }
  | { readonly kind: 'count' }
  | { readonly kind: 'top'; readonly count: number; readonly direction: SortDirection }
  | { readonly kind: 'order'; readonly direction: SortDirection }
  | { readonly kind: 'measure'; readonly fn: Exclude<AggregateFunction, 'count'> }
  | { readonly kind: 'why' }

const chartPattern =
  /^(?:as|in|with|draw|plot|show)?\s*(?:it |this |that |them )?(?:as |in )?(?:an? |the )?(?:\w+ )?(?:chart|graph|plot|diagram)(?: of (?:it|this|that|them))?$|^(?:plot|chart|graph|draw)(?: (?:it|this|that|them))?$/i

const tablePattern = /^(?:as|in|show)?\s*(?:it |this |that |them )?(?:as |in )?(?:an? |the )?table$/i

const listPattern =
  /^(?:who|what|which)(?: ones?| people| exactly)? (?:are|were|is|was) (?:they|these|those|it|that|he|she|them)(?: exactly)?$|^(?:list|show|name|give)(?: me)? (?:them|those|these)(?: all)?$|^which(?: ones?)?$|^who(?: exactly)?$|^(?:their|the) names$/i

const countPattern =
  /^how many(?: (?:are|were) (?:there|they|those|these|it)| in total| of (?:them|those|these))?$|^(?:the )?(?:count|number)$/i

const topPattern =
  /^(?:the )?(top|first|best|largest|biggest|highest|most|bottom|last|worst|lowest|smallest|fewest|least) ([\w-]+)(?: ones| of (?:them|those|these)| rows)?$/i

const orderPattern =
  /^(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|with)?(?: (?:it|them|this|that))?(?: ?by| ?from)?(?: ?the)? ?(lowest|smallest|fewest|least|cheapest|shortest|worst|ascending|highest|largest|biggest|most|best|greatest|longest|descending)(?: (?:first|on top|at the top|to (?:the )?\w+|order|ones first))?$/i

const measurePattern =
  /^(?:the |an? |on )?(average|mean|avg|total|sum|maximum|max|highest|largest|minimum|min|lowest|smallest)(?: (?:value|one|of (?:it|them|that|those)))?$/i

const ascendingWords = new Set(
  'lowest smallest fewest least cheapest shortest worst ascending bottom last'.split(' '),
)

const functions: Readonly<Record<string, Exclude<AggregateFunction, 'count'>>> = {
  average: 'avg',
  mean: 'avg',
  avg: 'avg',
  total: 'sum',
  sum: 'sum',
  maximum: 'max',
  max: 'max',
  highest: 'max',
  largest: 'max',
  minimum: 'min',
  min: 'min',
  lowest: 'min',
  smallest: 'min',
}

/**
 * Interprets such an edit; null for any other text. `replaces`: it ended in "instead", so a superlative is a measure.
 */
export const readPlainEdit = (text: string, replaces: boolean): PlainEdit | null => {
  if (/^(?:why|how come|what explains|what caused)\b/i.test(text)) return { kind: 'why' }
  if (chartPattern.test(text)) return { kind: 'show', show: 'chart' }
  if (tablePattern.test(text)) return { kind: 'show', show: 'table' }
  if (listPattern.test(text)) return { kind: 'list' }
  if (countPattern.test(text)) return { kind: 'count' }
  const [, which = '', many = ''] = topPattern.exec(text) ?? []
  // "Lowest first" is an order, not a single row.
  const number =
    many === '' || /^(?:first|second|third|last)$|(?:st|nd|rd|th)$/i.test(many) ? null : parseNumber(many)
  if (number !== null && Number.isInteger(number) && number > 0) {
    return { kind: 'top', count: number, direction: directionOf(which) }
  }
  const [, said = ''] = measurePattern.exec(text) ?? []
  const fn = functions[said.toLowerCase()]
  const [, ordered = ''] = orderPattern.exec(text) ?? []
  const isSuperlative = ordered !== '' && fn !== undefined
  if (fn !== undefined && (!isSuperlative || replaces)) return { kind: 'measure', fn }
  return ordered === '' ? null : { kind: 'order', direction: directionOf(ordered) }
}

const directionOf = (word: string): SortDirection => (ascendingWords.has(word.toLowerCase()) ? 'asc' : 'desc')

/** Why an edit cannot be made, and what to say instead. */
export interface ImpossibleEdit {
  readonly problem: ChangeProblem
  readonly examples: readonly string[]
}

/** Makes an edit that names nothing of the database. */
export const applyPlainEdit = (
  frame: Frame,
  edit: Exclude<PlainEdit, { kind: 'why' }>,
  adds: boolean,
): EditedFrame | ImpossibleEdit => {
  switch (edit.kind) {
    case 'show':
      return { frame, changes: [{ kind: 'view', view: edit.show }] }
    case 'list':
      return listRowsOf(frame)
    case 'count': {
      const table = findSubjectTable(frame)
      if (!table) return impossibleEdit({ code: 'nothing-to-count' }, suggestEdits(frame))
      const rows: Measure = { fn: 'count', column: null, table, distinct: false }
      const outputs: readonly Output[] = [{ kind: 'measure', measure: rows }]
      return {
        frame: { ...frame, outputs, groups: [], havings: [], orders: [], limit: null },
        changes: [{ kind: 'count' }],
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

const impossibleEdit = (problem: ChangeProblem, examples: readonly string[]): ImpossibleEdit => ({
  problem,
  examples,
})

/** Lists the rows by name, in place of their number. */
const listRowsOf = (frame: Frame): EditedFrame | ImpossibleEdit => {
  const table = findSubjectTable(frame)
  if (!table) return impossibleEdit({ code: 'nothing-to-list' }, suggestEdits(frame))
  const outputs = table.display.map((column): Output => ({ kind: 'column', column, grouped: false }))
  return {
    frame: { ...frame, outputs, groups: [], havings: [], orders: [], limit: null, distinct: false },
    changes: [{ kind: 'list', table: tableLabel(table) }],
  }
}

/** Sorts by the measure, else as before, else by the first number that is shown. */
const orderRows = (
  frame: Frame,
  direction: SortDirection,
  count: number | null,
): EditedFrame | ImpossibleEdit => {
  const by = orderedBy(frame)
  const grouped = frame.groups.length > 0
  const isOneRow = !grouped && measuresOf(frame).length === frame.outputs.length
  if (by === null && count !== null && !isOneRow && direction === 'desc') {
    return { frame: { ...frame, limit: count }, changes: [{ kind: 'limit', count }] }
  }
  if (by === null || (isMeasure(by) && isOneRow)) {
    return impossibleEdit({ code: 'nothing-to-sort' }, suggestEdits(frame))
  }
  const order: OrderKey = { by, direction }
  return {
    frame: { ...frame, orders: [order], limit: count ?? frame.limit },
    changes: [changedOrder(order, count)],
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
    return impossibleEdit(
      { code: 'only-counts', measure: fn },
      first ? [`${measureNames[fn]} ${first.column.name.replaceAll('_', ' ')} instead`] : suggestEdits(frame),
    )
  }
  const change: AnswerChange = {
    kind: 'measure',
    measure: fn,
    column: columnLabel(changed.column),
    isAdded: adds,
  }
  if (adds) {
    const more: Output = { kind: 'measure', measure: { ...changed, fn, distinct: false } }
    return { frame: { ...frame, outputs: [...frame.outputs, more] }, changes: [change] }
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
    changes: [change],
  }
}
