import type { ValueKind } from '../../domain/result.ts'
import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { type Condition, type Frame, isMeasure, type Measure } from '../frame.ts'

const numericTypes: readonly ValueKind[] = ['integer', 'number']

const temporalTypes: readonly ValueKind[] = ['date', 'timestamp']

const unorderedTypes: readonly ValueKind[] = ['boolean', 'json', 'blob']

/** A column of a condition or a measure. */
type NamedColumn = Condition['column']

/**
 * Whether a database with strict types accepts the frame: no sum of texts, no number next to a date. SQLite accepts
 * everything, and its declared types say little about the values. MySQL converts texts that are all numbers, and
 * would read others as zero.
 */
export const isWellTyped = (frame: Frame, dialect: Dialect): boolean => {
  if (databaseDialect(dialect).typing.columns === 'per-value') return true
  const measures = [
    ...frame.outputs.flatMap(output => (output.kind === 'measure' ? [output.measure] : [])),
    ...frame.havings.map(having => having.measure),
    ...frame.orders.flatMap(order => (isMeasure(order.by) ? [order.by] : [])),
  ]
  return (
    measures.every(measure => measureFits(measure, dialect)) &&
    frame.conditions.every(condition => conditionFits(condition, dialect))
  )
}

const allowsArithmetic = ({ column }: NamedColumn, dialect: Dialect): boolean =>
  numericTypes.includes(column.kind) ||
  (databaseDialect(dialect).typing.sumsNumericText && column.profile?.numericText === true)

const measureFits = ({ fn, column }: Measure, dialect: Dialect): boolean => {
  if (column === null || column === undefined || fn === 'count') return true
  return fn === 'sum' || fn === 'avg'
    ? allowsArithmetic(column, dialect)
    : !unorderedTypes.includes(column.column.kind)
}

const conditionFits = ({ column, test }: Condition, dialect: Dialect): boolean => {
  const { kind } = column.column
  switch (test.kind) {
    case 'compare':
      return valueFits(kind, test.value)
    case 'between':
      return numericTypes.includes(kind) || kind === 'text'
    case 'compare-aggregate':
      return test.fn === 'avg' || test.fn === 'sum'
        ? allowsArithmetic(column, dialect)
        : !unorderedTypes.includes(kind)
    case 'compare-column':
      return classOf(kind) === classOf(test.other.column.kind)
    case 'matches':
      return kind === 'text'
    case 'period':
      return temporalTypes.includes(kind) || kind === 'text'
    case 'missing':
      return true
  }
}

const valueFits = (kind: ValueKind, value: string | number | boolean): boolean => {
  if (kind === 'text') return typeof value !== 'boolean'
  if (kind === 'boolean') return typeof value === 'boolean'
  if (numericTypes.includes(kind)) return typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value))
  if (temporalTypes.includes(kind)) return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
  return typeof value === 'string'
}

const classOf = (kind: ValueKind): string => (numericTypes.includes(kind) ? 'numeric' : kind)
