import type { Column, Table } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import { readFrequentValues } from './frequent-values.ts'
import type { RunInternalQuery } from './make-ask.ts'
import { type ProfiledColumn, profileColumns } from './measure-columns.ts'
import { refineKind } from './refine-kind.ts'
import { sampleValues } from './sample-values.ts'
import { chooseSource } from './table-source.ts'
import { detectTextFormat, pickDiverseSamples } from './text-format.ts'

/**
 * The same table with a profile for each column, kinds refined by what was found, and an exact number of rows where
 * all of them were read. Masked columns are left as they are, unread. Rejects with `SqlError` when the table cannot be read.
 */
export const profileTable = async (
  table: Table,
  { dialect, ask }: { readonly dialect: Dialect; readonly ask: RunInternalQuery },
): Promise<Table> => {
  const readable = table.columns.filter(column => column.masked !== true)
  if (readable.length === 0) return table
  const { from, sampled } = await chooseSource(table, { dialect, ask })
  const { rows, measured } = await profileColumns(readable, { from, dialect, ask })
  const frequent = rows === 0 ? new Map() : await readFrequentValues(measured, { from, dialect, ask })
  const samples = rows === 0 ? new Map() : await sampleValues(table, measured, { from, dialect, ask })
  const profiles = new Map(
    measured.map(one => {
      const values = { mostFrequent: frequent.get(one.column) ?? [], samples: samples.get(one.column) ?? [] }
      return [one.column, toColumnProfile(one, rows, values)] as const
    }),
  )
  return {
    ...table,
    rowCount: sampled ? table.rowCount : rows,
    columns: table.columns.map(column => profiles.get(column) ?? column),
  }
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
