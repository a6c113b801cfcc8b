import type { Column, Table } from '../../domain/catalog.ts'
import type { ValueKind } from '../../domain/result.ts'
import type { Dialect } from '../../domain/sql.ts'
import { splitName } from '../../lib/fold-text.ts'
import type { TextShape } from '../../sql/sql-dialect.ts'
import { chooseSource, type ReadWhole, type RunInternalQuery } from './internal-query.ts'
import { type ColumnStatistics, type ProfiledColumn, profileColumns } from './measure-columns.ts'
import { type MeasuredTable, measureSmallTable } from './measure-rows.ts'
import { readFrequentValues, sampleValues } from './sample-values.ts'
import { detectTextFormat, pickDiverseSamples } from './text-format.ts'

/** How a table is asked about. */
interface ProfileTableOptions {
  readonly dialect: Dialect
  readonly ask: RunInternalQuery
  readonly readWhole: ReadWhole
}

/**
 * The same table with a profile for each column, kinds refined by what was found, and an exact number of rows where
 * all of them were read. Masked columns are left as they are, unread. Rejects with `SqlError` when the table cannot be read.
 */
export const profileTable = async (table: Table, options: ProfileTableOptions): Promise<Table> => {
  const readable = table.columns.filter(column => column.masked !== true)
  if (readable.length === 0) return table
  const { rows, isSample, measured, frequent, samples } =
    (await measureSmallTable(table, readable, options)) ?? (await measureLargeTable(table, readable, options))
  const profiles = new Map(
    measured.map(one => {
      const values = { mostFrequent: frequent.get(one.column) ?? [], samples: samples.get(one.column) ?? [] }
      return [one.column, toColumnProfile(one, rows, values)] as const
    }),
  )
  return {
    ...table,
    rowCount: isSample ? table.rowCount : rows,
    columns: table.columns.map(column => profiles.get(column) ?? column),
  }
}

/** The database counts: its table, or a sample of it, is too large to be read. */
const measureLargeTable = async (
  table: Table,
  columns: readonly Column[],
  { dialect, ask }: ProfileTableOptions,
): Promise<MeasuredTable> => {
  const { from, sampled } = await chooseSource(table, { dialect, ask })
  const { rows, measured } = await profileColumns(columns, { from, dialect, ask })
  const frequent = rows === 0 ? new Map() : await readFrequentValues(measured, { from, dialect, ask })
  const samples = rows === 0 ? new Map() : await sampleValues(table, measured, { from, dialect, ask })
  return { rows, isSample: sampled, measured, frequent, samples }
}

const toColumnProfile = (
  { column, measures, shape }: ProfiledColumn,
  rows: number,
  {
    mostFrequent,
    samples,
  }: {
    readonly mostFrequent: NonNullable<Column['profile']>['mostFrequent']
    readonly samples: readonly string[]
  },
): Column => {
  const format = detectTextFormat(samples)
  const kind = refineKind(column, measures, shape)
  return {
    ...column,
    kind,
    profile: {
      nullShare: rows === 0 ? 0 : (rows - measures.values) / rows,
      distinctCount: measures.distinct,
      min: measures.min,
      max: measures.max,
      mostFrequent,
      meanLength: measures.meanLength,
      rowsRead: rows,
      ...(shape === 'number' && kind === 'text' && { numericText: true }),
      ...(format !== null && { format }),
      ...(samples.length > 0 && { samples: pickDiverseSamples(samples) }),
    },
  }
}

/** Names that sound like yes-or-no questions. */
const isBooleanName = /^(is|has|was|can|did|does|are|should|allows?|includes?)$/

/**
 * The kind of a column by its values. A declared type in SQLite is not enforced: a column can hold dates, texts or
 * numbers, whatever it was declared as. `shape` is the shape of all of its texts. Columns with numbers and texts
 * keep their declared kind. Text that is all numbers stays text, because it compares as text (see `numericText` of
 * the profile).
 */
const refineKind = (column: Column, measures: ColumnStatistics, shape: TextShape | null): ValueKind => {
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

/** Zeros and ones mean yes or no if the type or the name says so; otherwise they may be counts. */
const isFlag = (column: Column): boolean =>
  column.kind === 'boolean' ||
  /^(bit|tinyint\s*\(\s*1\s*\))$/i.test(column.type.trim()) ||
  isBooleanName.test(splitName(column.name)[0] ?? '')
