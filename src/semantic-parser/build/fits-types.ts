import type { Dialect } from '../../core/dialect.ts'
import type { ValueKind } from '../../core/result.ts'
import { type Condition, type Frame, isMeasure, type Measure } from '../frame/frame.ts'

const numeric: readonly ValueKind[] = ['integer', 'number']
const momentary: readonly ValueKind[] = ['date', 'timestamp']
const unordered: readonly ValueKind[] = ['boolean', 'json', 'blob']

/**
 * Whether a database with strict types would take the frame: no sum of texts, no number next to a date. SQLite takes
 * everything, and what its columns declare says little about what they hold.
 */
export const fitsTypes = (frame: Frame, dialect: Dialect): boolean => {
  if (dialect === 'sqlite') return true
  const measures = [
    ...frame.outputs.flatMap(output => (output.kind === 'measure' ? [output.measure] : [])),
    ...frame.havings.map(having => having.measure),
    ...frame.orders.flatMap(order => (isMeasure(order.by) ? [order.by] : [])),
  ]
  return measures.every(measureFits) && frame.conditions.every(conditionFits)
}

const measureFits = ({ fn, column }: Measure): boolean => {
  const kind = column?.column.kind
  if (kind === undefined || fn === 'count') return true
  return fn === 'sum' || fn === 'avg' ? numeric.includes(kind) : !unordered.includes(kind)
}

const conditionFits = ({ column, test }: Condition): boolean => {
  const { kind } = column.column
  switch (test.kind) {
    case 'compare':
      return valueFits(kind, test.value)
    case 'between':
      return numeric.includes(kind) || kind === 'text'
    case 'compare-aggregate':
      return numeric.includes(kind) || (test.fn !== 'avg' && test.fn !== 'sum' && !unordered.includes(kind))
    case 'compare-column':
      return classOf(kind) === classOf(test.other.column.kind)
    case 'matches':
      return kind === 'text'
    case 'period':
      return momentary.includes(kind) || kind === 'text'
    case 'missing':
      return true
  }
}

const valueFits = (kind: ValueKind, value: string | number | boolean): boolean => {
  if (kind === 'text') return typeof value !== 'boolean'
  if (kind === 'boolean') return typeof value === 'boolean'
  if (numeric.includes(kind)) return typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value))
  if (momentary.includes(kind)) return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
  return typeof value === 'string'
}

const classOf = (kind: ValueKind): string => (numeric.includes(kind) ? 'numeric' : kind)
