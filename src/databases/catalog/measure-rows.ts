import type { Column, Table } from '../../domain/catalog.ts'
import type { Cell, ValueKind } from '../../domain/result.ts'
import type { Dialect } from '../../domain/sql.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import { type ReadWhole, tableReference } from './internal-query.ts'
import {
  asText,
  type ColumnStatistics,
  cellOf,
  comparesAsItIs,
  holdsTexts,
  type ProfiledColumn,
  shorten,
  storageTypes,
  storesAnyType,
} from './measure-columns.ts'
import {
  distinctTexts,
  type FrequentValues,
  isInformative,
  isWorthSampling,
  maxSampledRows,
  mostFrequentOf,
  scatteredBy,
  scatteredPlace,
  shortenFrequent,
} from './sample-values.ts'
import { hasShape, shapeOfExtremes } from './text-format.ts'

/** What was measured of a table. `rows` were read; `isSample` if there are more. */
export interface MeasuredTable {
  readonly rows: number
  readonly isSample: boolean
  readonly measured: readonly ProfiledColumn[]
  readonly frequent: ReadonlyMap<Column, FrequentValues>
  readonly samples: ReadonlyMap<Column, readonly string[]>
}

/** Tables up to this size are read whole: one short statement instead of four long ones, which the guard must read. */
const smallTable = { maxRows: 1_000, maxBytes: 4 * 1024 * 1024 }

/** Far below the guard's limit. */
const mostColumns = 300

/**
 * Reads a small table once and measures it here, as `profileColumns`, `readFrequentValues` and `sampleValues` let the
 * database measure. Null if it is not small, or not known to be.
 */
export const measureSmallTable = async (
  table: Table,
  columns: readonly Column[],
  { dialect, readWhole }: { readonly dialect: Dialect; readonly readWhole: ReadWhole },
): Promise<MeasuredTable | null> => {
  if (table.rowCount === null || table.rowCount > smallTable.maxRows || columns.length > mostColumns)
    return null
  const list = columns.map(column => readExpression(column, dialect)).join(', ')
  const read = await readWhole(`SELECT ${list} FROM ${tableReference(table, dialect)}`, {
    atMost: smallTable,
  })
  if (read === null) return null
  const cells = new Map(columns.map((column, at) => [column, read.rows.map(row => row[at] ?? null)]))
  const counted = columns.map((column, at) =>
    countColumn(column, cells.get(column) ?? [], { dialect, kind: read.columns[at]?.kind ?? 'unknown' }),
  )
  const measured = counted.map(({ one }) => one)
  const order = sampleOrder(table, cells, read.rows.length)
  return {
    rows: read.rows.length,
    isSample: false,
    measured,
    frequent: new Map(
      counted.flatMap(({ one, counts }) =>
        isInformative(one) ? [[one.column, mostFrequentOf(counts)]] : [],
      ),
    ),
    samples: new Map(
      measured
        .filter(isWorthSampling)
        .map(({ column }) => [column, distinctTexts(order.map(row => cells.get(column)?.[row] ?? null))]),
    ),
  }
}

/** Of bytes, only their number. Where the type of a column can be relied on, what does not compare as it is, as text. */
const readExpression = (column: Column, dialect: Dialect): string => {
  const name = quoteIdentifier(column.name, dialect)
  if (column.kind === 'blob') return `length(${name})`
  return storesAnyType(dialect) || comparesAsItIs(column) ? name : asText(column, dialect)
}

const countColumn = (
  column: Column,
  cells: readonly Cell[],
  { dialect, kind }: { readonly dialect: Dialect; readonly kind: ValueKind },
): { readonly one: ProfiledColumn; readonly counts: FrequentValues } => {
  const values = cells.filter(cell => cell !== null)
  if (column.kind === 'blob') return { one: { column, measures: sizesOf(values), shape: null }, counts: [] }
  const counts = new Map<Cell, { readonly value: Cell; count: number }>()
  for (const value of values) {
    const key = keyOf(value)
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { value, count: 1 })
  }
  const distinct = [...counts.values()].map(({ value }) => value)
  const order = comparesAsNumber(column, dialect) ? byNumber : byClass
  const [min = null, max = null] = [
    distinct.reduce(lesser(order), null),
    distinct.reduce(greater(order), null),
  ]
  const isReal = storesAnyType(dialect) && hasReals(column, values, kind)
  const own = (cell: Cell): Cell => shorten(cellOf(cell, column, dialect))
  const measures: ColumnStatistics = {
    values: values.length,
    distinct: counts.size,
    meanLength: mean(values.map(lengthOf)),
    min: own(min),
    max: own(max),
    stored:
      storesAnyType(dialect) && min !== null ? storageTypes(min, max, isReal ? 'real' : 'integer') : null,
  }
  const shape = holdsTexts(column, measures) ? shapeOfExtremes(measures.min, measures.max) : null
  const hasIt = shape !== null && distinct.every(value => typeof value === 'string' && hasShape(value, shape))
  return {
    one: { column, measures, shape: hasIt ? shape : null },
    counts: [...counts.values()].map(({ value, count }) => ({
      value: shortenFrequent(cellOf(value, column, dialect)),
      count,
    })),
  }
}

const sizesOf = (lengths: readonly Cell[]): ColumnStatistics => ({
  values: lengths.length,
  distinct: 0,
  meanLength: mean(lengths.map(Number)),
  min: null,
  max: null,
  stored: null,
})

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0
    ? 0
    : Math.round((numbers.reduce((sum, one) => sum + one, 0) / numbers.length) * 10) / 10

/** Equal values have equal keys. */
const keyOf = (value: Cell): Cell =>
  value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('base64')}` : value

const comparesAsNumber = (column: Column, dialect: Dialect): boolean =>
  !storesAnyType(dialect) && (column.kind === 'integer' || column.kind === 'number')

type Order = (a: Cell, b: Cell) => number

/** Decimals that a double cannot hold come as texts. */
const byNumber: Order = (a, b) =>
  typeof a === 'string' || typeof b === 'string' ? Number(a) - Number(b) || byClass(a, b) : byClass(a, b)

/** As SQLite orders what it stores: numbers, texts, bytes. */
const byClass: Order = (a, b) => {
  const rank = classOf(a) - classOf(b)
  if (rank !== 0 || a === null || b === null) return rank
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

const classOf = (value: Cell): number => (value instanceof Uint8Array ? 2 : typeof value === 'string' ? 1 : 0)

const lesser =
  (order: Order) =>
  (best: Cell, value: Cell): Cell =>
    best === null || order(value, best) < 0 ? value : best

const greater =
  (order: Order) =>
  (best: Cell, value: Cell): Cell =>
    best === null || order(value, best) > 0 ? value : best

/**
 * Whether SQLite stores any of the numbers as a real. Whole ones look alike once they are read; the kind of the result
 * tells them apart, unless the column's type alone made it one of decimals.
 */
const hasReals = (column: Column, values: readonly Cell[], kind: ValueKind): boolean =>
  values.some(value => typeof value === 'number' && !Number.isInteger(value)) ||
  (kind === 'number' && (column.kind !== 'number' || /real|floa|doub/i.test(column.type)))

/** Characters of a text; of anything else, about as many as a database would write. */
const lengthOf = (value: Cell): number => {
  if (value instanceof Uint8Array) return value.length
  const text = String(value)
  let length = text.length
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) length--
  return length
}

/** Which rows are shown as samples: some from all over the table if its key is a number, otherwise the first. */
const sampleOrder = (
  table: Table,
  cells: ReadonlyMap<Column, readonly Cell[]>,
  rows: number,
): readonly number[] => {
  const numbers = [...Array(rows).keys()]
  const key = scatteredBy(table)
  const keys = key === null ? undefined : cells.get(key)?.map(Number)
  if (keys !== undefined)
    numbers.sort(
      (a, b) =>
        scatteredPlace(keys[a] ?? 0) - scatteredPlace(keys[b] ?? 0) || (keys[a] ?? 0) - (keys[b] ?? 0),
    )
  return numbers.slice(0, maxSampledRows)
}
