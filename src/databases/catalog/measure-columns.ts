import type { Column } from '../../domain/catalog.ts'
import type { Cell } from '../../domain/result.ts'
import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import type { TextShape } from '../../sql/sql-dialect.ts'
import { chunkStatements, type RunInternalQuery } from './internal-query.ts'
import { shapeCountExpression, shapeOfExtremes } from './text-format.ts'

/** A column, its statistics, and the shape of its texts if all of them have the same. */
export interface ProfiledColumn {
  readonly column: Column
  readonly measures: ColumnStatistics
  readonly shape: TextShape | null
}

/** What to measure, and how to ask. */
export interface ProfileColumnsOptions {
  readonly from: string
  readonly dialect: Dialect
  readonly ask: RunInternalQuery
}

/** One aggregate statement over the columns of a table (more where it has very many), and one for the texts' shapes. */
export const profileColumns = async (
  columns: readonly Column[],
  options: ProfileColumnsOptions,
): Promise<{ readonly rows: number; readonly measured: readonly ProfiledColumn[] }> => {
  const { from, dialect, ask } = options
  let rows = 0
  const measures: { readonly column: Column; readonly measures: ColumnStatistics }[] = []
  const expressions = (column: Column): string => statisticsExpressions(column, dialect).join(', ')
  for (const chunk of chunkStatements(columns, expressions)) {
    const [row = []] = await ask(`SELECT count(*), ${chunk.map(expressions).join(', ')} FROM ${from}`)
    rows = Number(row[0] ?? 0)
    let at = 1
    for (const column of chunk) {
      const width = statisticsExpressions(column, dialect).length
      measures.push({ column, measures: readStatistics(row.slice(at, at + width), column, dialect) })
      at += width
    }
  }
  const shapes = await countTextShapes(measures, options)
  return { rows, measured: measures.map(one => ({ ...one, shape: shapes.get(one.column) ?? null })) }
}

const countTextShapes = async (
  measures: readonly { readonly column: Column; readonly measures: ColumnStatistics }[],
  { from, dialect, ask }: ProfileColumnsOptions,
): Promise<ReadonlyMap<Column, TextShape>> => {
  const promising = measures.flatMap(({ column, measures }) => {
    const shape = holdsTexts(column, measures) ? shapeOfExtremes(measures.min, measures.max) : null
    if (shape === null) return []
    return [
      {
        column,
        shape,
        texts: measures.values,
        sql: shapeCountExpression(shape, asText(column, dialect), dialect),
      },
    ]
  })
  const shapes = new Map<Column, TextShape>()
  for (const chunk of chunkStatements(promising, ({ sql }) => sql)) {
    const [row = []] = await ask(`SELECT ${chunk.map(({ sql }) => sql).join(', ')} FROM ${from}`)
    chunk.forEach(({ column, shape, texts }, index) => {
      if (Number(row[index] ?? 0) >= texts) shapes.set(column, shape)
    })
  }
  return shapes
}

/** Whether a column holds nothing but texts, as far as its type or its values tell. */
export const holdsTexts = (column: Column, { stored }: ColumnStatistics): boolean =>
  stored === 'texts' || (stored === null && column.kind === 'text')

/** The statistics of a column from one aggregate statement. Counts are of values that are not null. */
export interface ColumnStatistics {
  readonly values: number
  readonly distinct: number
  readonly meanLength: number
  readonly min: Cell
  readonly max: Cell
  /** What SQLite has stored; null if the declared type can be relied on. `mixed`: numbers and texts, or blobs. */
  readonly stored: 'integers' | 'reals' | 'texts' | 'blobs' | 'mixed' | null
}

/** Texts are cut to this length. */
const shownLength = 200

/** A column's value as text, to compare it, measure it or put it beside others. */
export const asText = (column: Column, dialect: Dialect): string =>
  databaseDialect(dialect).measuring.asText(column, quoteIdentifier(column.name, dialect))

/** Numbers, dates and times compare as they are, and come back as such. */
export const comparesAsItIs = (column: Column): boolean =>
  ['integer', 'number', 'date', 'timestamp', 'time'].includes(column.kind)

/** The length of a text in characters. */
export const textLength = (text: string, dialect: Dialect): string =>
  databaseDialect(dialect).measuring.textLength(text)

export const storesAnyType = (dialect: Dialect): boolean =>
  databaseDialect(dialect).typing.columns === 'per-value'

/**
 * The aggregates of one column, in the order that `readStatistics` expects. They are short, because the guard reads
 * every character. If columns hold values of any type, the order of SQLite's storage classes (numbers, texts, blobs)
 * makes the smallest value, the largest value and the last class name show which types there are.
 */
const statisticsExpressions = (column: Column, dialect: Dialect): readonly string[] => {
  const name = quoteIdentifier(column.name, dialect)
  const text = asText(column, dialect)
  const { measuring } = databaseDialect(dialect)
  if (column.kind === 'blob') return [`count(${name})`, `avg(length(${name}))`]
  if (storesAnyType(dialect))
    return [
      `count(${name})`,
      `avg(length(${name}))`,
      measuring.countDistinct(name),
      `min(${name})`,
      `max(${name})`,
      `max(typeof(${name}))`,
    ]
  const value = comparesAsItIs(column) ? name : text
  return [
    `count(${name})`,
    `avg(${textLength(text, dialect)})`,
    measuring.countDistinct(value),
    `min(${value})`,
    `max(${value})`,
  ]
}

/** Reads one column's part of the row that the aggregates gave. */
const readStatistics = (cells: readonly Cell[], column: Column, dialect: Dialect): ColumnStatistics => {
  const [values = 0, meanLength = 0, distinct = 0, min = null, max = null, lastStored = null] = cells
  const own = (cell: Cell): Cell => shorten(cellOf(cell, column, dialect))
  return {
    values: Number(values),
    distinct: Number(distinct),
    meanLength: Math.round(Number(meanLength) * 10) / 10,
    min: own(min),
    max: own(max),
    stored: storesAnyType(dialect) && min !== null ? storageTypes(min, max, lastStored) : null,
  }
}

/** Which types the smallest and the largest value leave possible; `lastStored` is the last name of SQLite's classes. */
export const storageTypes = (
  min: Cell,
  max: Cell,
  lastStored: Cell,
): NonNullable<ColumnStatistics['stored']> => {
  if (min instanceof Uint8Array) return 'blobs'
  if (typeof min === 'string' && typeof max === 'string') return 'texts'
  if (typeof min === 'string' || typeof max === 'string' || max instanceof Uint8Array) return 'mixed'
  // Of the names of SQLite's classes only "text" sorts after "real", and there is none.
  return lastStored === 'real' ? 'reals' : 'integers'
}

/** The smallest and largest value as profiles keep them. */
export const shorten = (cell: Cell): Cell => {
  if (typeof cell === 'string' && cell.length > shownLength) return cell.slice(0, shownLength)
  return cell instanceof Uint8Array ? null : cell
}

/** A value that `asText` selected, as the type of its column. */
export const cellOf = (cell: Cell, column: Column, dialect: Dialect): Cell =>
  storesAnyType(dialect) ? cell : fromText(cell, column)

const fromText = (cell: Cell, column: Column): Cell => {
  if (typeof cell !== 'string') return cell
  switch (column.kind) {
    case 'boolean':
      // MySQL's booleans are small numbers, so a 7 is possible.
      return cell === 'true' || cell === '1' ? true : cell === 'false' || cell === '0' ? false : cell
    case 'integer': {
      const number = Number(cell)
      return Number.isSafeInteger(number) ? number : /^-?\d+$/.test(cell) ? BigInt(cell) : cell
    }
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(cell) && cell.replace(/\D/g, '').length <= 15 ? Number(cell) : cell
    case 'timestamp':
      return cell.replace(/^(\d{4,}-\d\d-\d\d) (?=\d\d:)/, '$1T').replace(/\.0+(?=$|[Z+-])/, '')
    default:
      return cell
  }
}
