import type { TimeSpan, Understanding } from '../../core/understanding.ts'
import { splitName } from '../../lib/split-name.ts'
import type { DraftInterpretation } from '../read-question.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'
import { columnLabel } from './column-label.ts'
import { phraseOf } from './decisions.ts'

/** What a reading took for granted, in plain words: days of periods, columns that were not named, units. */
export const listAssumptions = (
  draft: DraftInterpretation,
  understanding: Understanding,
): readonly string[] => {
  const said = [
    ...draft.frame.conditions.flatMap(({ test, column }) =>
      test.kind === 'period' ? [formatAssumedPeriod(test.span, column, understanding.timeZone)] : [],
    ),
    ...draft.steps.flatMap(step => {
      const { item } = step
      if (item?.kind !== 'value') return []
      const named = draft.steps.some(
        other => other.item?.kind === 'column' && other.item.column === item.column,
      )
      return named ? [] : [`“${phraseOf(draft, step)}” means ${columnLabel(item.column)} = ${item.value}.`]
    }),
    ...draft.frame.outputs.flatMap(output =>
      output.kind === 'measure' && output.measure.column ? formatAssumedUnit(output.measure.column) : [],
    ),
  ]
  return [...new Set(said)]
}

const formatAssumedPeriod = (span: TimeSpan, column: ColumnEntry, timeZone: string): string => {
  const days =
    span.from && span.until
      ? `${span.from} to ${dayBefore(span.until)}`
      : span.from
        ? `${span.from} and later`
        : `until ${dayBefore(span.until ?? '')}`
  const zone = column.column.kind === 'timestamp' ? `, ${timeZone} time` : ''
  return `“${span.phrase}” is ${days} (${columnLabel(column)}${zone}).`
}

const dayBefore = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime())
    ? day
    : new Date(date.getTime() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

const units: ReadonlyMap<string, string> = new Map([
  ['cents', 'cents'],
  ['eur', 'euros'],
  ['usd', 'US dollars'],
  ['km', 'kilometres'],
  ['kg', 'kilograms'],
  ['grams', 'grams'],
  ['minutes', 'minutes'],
  ['seconds', 'seconds'],
  ['hours', 'hours'],
  ['days', 'days'],
])

const formatAssumedUnit = (column: ColumnEntry): readonly string[] => {
  const unit = units.get(splitName(column.column.name).at(-1) ?? '')
  return unit === undefined ? [] : [`The ${columnLabel(column)} is in ${unit}.`]
}
