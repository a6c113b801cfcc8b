import type { Column } from '../../core/catalog.ts'
import type { ValueKind } from '../../core/result.ts'
import { splitName } from '../../lib/split-name.ts'
import type { ColumnStatistics } from './column-measures.ts'
import type { TextShape } from './text-shape.ts'

/** Names that ask a yes-or-no question. */
const isBooleanName = /^(is|has|was|can|did|does|are|should|allows?|includes?)$/

/**
 * The kind of a column by what was found in it. A declaration in SQLite binds nobody: a column may hold dates, or
 * texts, or numbers, whatever it is called. `shape` is what all of its texts have turned out to be. Numbers and texts
 * mixed stay what was declared. Text that is all numbers stays text, because that is how it compares (see
 * `numericText` of the profile).
 */
export const refineKind = (
  column: Column,
  measures: ColumnStatistics,
  shape: TextShape | null,
): ValueKind => {
  if (column.kind === 'json') return column.kind
  switch (measures.stored) {
    case null:
      return column.kind
    case 'texts':
      return kindOfTexts(column, shape)
    case 'integers':
    case 'reals':
      return kindOfNumbers(column, measures)
    case 'blobs':
      return 'blob'
    case 'mixed':
      return column.kind === 'unknown' ? 'text' : column.kind
    default: {
      const never: never = measures.stored
      return never
    }
  }
}

const kindOfTexts = (column: Column, shape: TextShape | null): ValueKind => {
  if (shape === 'date' || shape === 'timestamp') return shape
  if (shape === 'time' && column.kind !== 'text') return 'time'
  return 'text'
}

const kindOfNumbers = (column: Column, measures: ColumnStatistics): ValueKind => {
  const { stored, min, max } = measures
  if (isFlag(column) && stored === 'integers' && (min === 0 || min === 1) && (max === 0 || max === 1))
    return 'boolean'
  if (column.kind === 'number' || stored === 'reals') return 'number'
  return 'integer'
}

/** Zeros and ones are a yes or no where the type or the name says so; else they may be counts. */
const isFlag = (column: Column): boolean =>
  column.kind === 'boolean' ||
  /^(bit|tinyint\s*\(\s*1\s*\))$/i.test(column.type.trim()) ||
  isBooleanName.test(splitName(column.name)[0] ?? '')
