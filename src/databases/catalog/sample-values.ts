import type { Column, ColumnProfile, Table } from '../../domain/catalog.ts'
import type { Cell } from '../../domain/result.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import { chunkStatements } from './internal-query.ts'
import {
  asText,
  cellOf,
  holdsTexts,
  type ProfileColumnsOptions,
  type ProfiledColumn,
} from './measure-columns.ts'

/** Rows that are read for samples: enough to tell how texts are written. */
export const maxSampledRows = 200

/** If there are few values, the most frequent ones are all of them. */
const fewSampledValues = 10

/** Columns of longer texts hold prose, which has no format. */
const maxMeanLengthForSamples = 60

const sampleLength = 100

/**
 * Some distinct values of each text column that has many, sorted. Whole rows are read, so that one short statement
 * serves all columns of a table (the guard reads every character). If the key is a number, rows come from all over
 * the table, the same ones each time.
 */
export const sampleValues = async (
  table: Table,
  measured: readonly ProfiledColumn[],
  { from, dialect, ask }: ProfileColumnsOptions,
): Promise<ReadonlyMap<Column, readonly string[]>> => {
  const columns = measured.filter(isWorthSampling).map(({ column }) => column)
  const order = scatteredBy(table)
  const scattered = order === null ? '' : ` ORDER BY ${scatter(quoteIdentifier(order.name, dialect))}`
  const found = new Map<Column, readonly string[]>()
  for (const chunk of chunkStatements(columns, column => asText(column, dialect))) {
    const list = chunk.map(column => asText(column, dialect)).join(', ')
    const rows = await ask(`SELECT ${list} FROM ${from}${scattered} LIMIT ${maxSampledRows}`)
    chunk.forEach((column, at) => {
      found.set(column, distinctTexts(rows.map(row => row[at] ?? null)))
    })
  }
  return found
}

/** The texts among cells, each once, sorted. */
export const distinctTexts = (cells: readonly Cell[]): readonly string[] => {
  const texts = cells.filter(cell => typeof cell === 'string')
  return [...new Set(texts.map(text => text.slice(0, sampleLength)))].sort()
}

export const isWorthSampling = ({ column, measures }: ProfiledColumn): boolean =>
  holdsTexts(column, measures) &&
  measures.distinct > fewSampledValues &&
  measures.meanLength <= maxMeanLengthForSamples

/** The key that rows can be scattered by. */
export const scatteredBy = ({ columns, primaryKey }: Table): Column | null =>
  primaryKey.length === 1
    ? (columns.find(({ name, kind }) => name === primaryKey[0] && kind === 'integer') ?? null)
    : null

/** Spreads neighboring keys: both numbers are primes, and the product fits into 32 bits. */
const scatter = (key: string): string => `${key} % 10007 * 7919 % 10007, ${key}`

/** Where `scatter` puts a key. */
export const scatteredPlace = (key: number): number => ((key % 10007) * 7919) % 10007

export type FrequentValues = ColumnProfile['mostFrequent']

const maxFrequentValues = 10

/** Columns of longer texts hold prose: one value says nothing about the next. */
const maxMeanLengthForFrequent = 100

/**
 * For numbers and dates the minimum and maximum are enough, unless there are only a few values: grades, years,
 * codes.
 */
const fewOrderedValues = 20

/** Values are cut to this length. */
export const frequentValueLength = 100

/**
 * The most frequent values of the columns whose values are informative, with the counts of many columns in one
 * statement. For a column of unique values, its smallest values.
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
        value: shortenFrequent(cellOf(value, column, options.dialect)),
        count: Number(count),
      })
    }
  }
  // UNION ALL guarantees no order. Where another sample is read, there can be more values than were counted.
  return new Map([...found].map(([column, values]) => [column, mostFrequentOf(values)]))
}

/** The first places, by count and then by value. */
export const mostFrequentOf = (values: FrequentValues): FrequentValues =>
  [...values].sort((a, b) => b.count - a.count || compare(a.value, b.value)).slice(0, maxFrequentValues)

export const isInformative = ({ column, measures }: ProfiledColumn): boolean => {
  if (column.kind === 'blob' || measures.stored === 'blobs' || measures.values === 0) return false
  const isOrdered = measures.stored === null ? isOrderedKind(column.kind) : measures.stored !== 'texts'
  return isOrdered ? measures.distinct <= fewOrderedValues : measures.meanLength <= maxMeanLengthForFrequent
}

const isOrderedKind = (kind: Column['kind']): boolean =>
  ['integer', 'number', 'date', 'timestamp', 'time'].includes(kind)

/** Numbers by size, everything else by its text. */
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
  // All values of such a column are wanted, and they are sorted here: a shorter statement is judged faster.
  // To ClickHouse before 22.7 a number is no position.
  if (repeats && measures.distinct <= maxFrequentValues) return `${counted} GROUP BY ${text}`
  const ordered = repeats ? `GROUP BY ${text} ORDER BY n DESC, v` : 'ORDER BY v'
  return `SELECT * FROM (${counted} ${ordered} LIMIT ${maxFrequentValues}) AS t${index}`
}

export const shortenFrequent = (cell: Cell): Cell =>
  typeof cell === 'string' && cell.length > frequentValueLength ? cell.slice(0, frequentValueLength) : cell
