import type { Column, ColumnProfile } from '../../core/catalog.ts'
import type { Cell } from '../../core/result.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { chunkStatements } from './chunk-statements.ts'
import { asText, fromText } from './column-measures.ts'
import type { ProfileColumnsOptions, ProfiledColumn } from './measure-columns.ts'

type FrequentValues = ColumnProfile['mostFrequent']

const maxFrequentValues = 10

/** Columns of longer texts hold prose: no value of theirs says anything about the next. */
const maxMeanLengthForFrequent = 100

/** Of numbers and dates the ends tell enough, unless there are only a few different ones: grades, years, codes. */
const fewOrderedValues = 20

/** A value is shown by its beginning. */
const frequentValueLength = 100

/**
 * The most frequent values of the columns whose values tell something, with many columns' counts in one statement.
 * Of a column without repetitions they are the smallest values.
 */
export const readFrequentValues = async (
  measured: readonly ProfiledColumn[],
  options: ProfileColumnsOptions,
): Promise<ReadonlyMap<Column, FrequentValues>> => {
  const wanted = measured
    .filter(isInformative)
    .map((one, index) => ({ column: one.column, sql: countValues(one, index, options) }))
  const found = new Map<Column, { value: Cell; count: number }[]>()
  for (const chunk of chunkStatements(wanted, ({ sql }) => sql)) {
    const rows = await options.ask(chunk.map(({ sql }) => sql).join(' UNION ALL '))
    for (const [number, value = null, count] of rows) {
      const column = wanted[Number(number)]?.column
      if (column === undefined) continue
      const values = found.get(column) ?? []
      found.set(column, values)
      values.push({
        value: shortenFrequent(options.dialect === 'sqlite' ? value : fromText(value, column)),
        count: Number(count),
      })
    }
  }
  // UNION ALL promises no order.
  for (const values of found.values()) values.sort((a, b) => b.count - a.count || compare(a.value, b.value))
  return found
}

const isInformative = ({ column, measures }: ProfiledColumn): boolean => {
  if (column.kind === 'blob' || measures.stored === 'blobs' || measures.values === 0) return false
  const isOrdered = measures.stored === null ? isOrderedKind(column.kind) : measures.stored !== 'texts'
  return isOrdered ? measures.distinct <= fewOrderedValues : measures.meanLength <= maxMeanLengthForFrequent
}

const isOrderedKind = (kind: Column['kind']): boolean =>
  ['integer', 'number', 'date', 'timestamp', 'time'].includes(kind)

/** Numbers in the order of their size, everything else in the order of its text. */
const compare = (a: Cell, b: Cell): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

const countValues = (
  { column, measures }: ProfiledColumn,
  index: number,
  { from, dialect }: ProfileColumnsOptions,
): string => {
  const text = asText(column, dialect)
  const repeats = measures.distinct < measures.values
  const counted = `SELECT ${index} AS i, ${text} AS v, ${repeats ? 'count(*)' : '1'} AS n FROM ${from} WHERE ${quoteIdentifier(column.name, dialect)} IS NOT NULL`
  const ordered = repeats ? 'GROUP BY 2 ORDER BY 3 DESC, 2' : 'ORDER BY 2'
  return `SELECT * FROM (${counted} ${ordered} LIMIT ${maxFrequentValues}) AS t${index}`
}

const shortenFrequent = (cell: Cell): Cell =>
  typeof cell === 'string' && cell.length > frequentValueLength ? cell.slice(0, frequentValueLength) : cell
