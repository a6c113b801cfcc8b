import type { Column } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import type { Cell } from '../../core/result.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'

/** What one aggregate statement tells of a column. Counts are of values that are not null. */
export interface ColumnStatistics {
  readonly values: number
  readonly distinct: number
  readonly meanLength: number
  readonly min: Cell
  readonly max: Cell
  /** What SQLite has stored; null where a column's type can be relied on. `mixed`: numbers and texts, or blobs. */
  readonly stored: 'integers' | 'reals' | 'texts' | 'blobs' | 'mixed' | null
}

/** Texts are shown by their beginnings. */
const shownLength = 200

/** Types of Postgres that min and max, and `length`, take as they are. */
const plainPostgresText = /^(text|character varying|varchar|character|char|bpchar|citext)\b/i

/**
 * A column's value as text, where the value itself cannot be compared, measured or put beside others. In MySQL by its
 * bytes: columns have collations of their own, which do not meet in a UNION, and most of them take é for e.
 */
export const asText = (column: Column, dialect: Dialect): string => {
  const name = quoteIdentifier(column.name, dialect)
  if (dialect === 'sqlite') return name
  if (dialect === 'mysql')
    return `CAST(${column.kind === 'boolean' ? `${name} + 0` : name} AS CHAR) COLLATE utf8mb4_bin`
  return column.kind === 'text' && plainPostgresText.test(column.type) ? name : `CAST(${name} AS text)`
}

/** Numbers, dates and times of a server compare as they are, and come back as such. */
const comparesAsItIs = (column: Column): boolean =>
  ['integer', 'number', 'date', 'timestamp', 'time'].includes(column.kind)

/** What a value's text takes in characters; MySQL's `length` counts bytes. */
export const textLength = (text: string, dialect: Dialect): string =>
  `${dialect === 'mysql' ? 'char_length' : 'length'}(${text})`

/**
 * The aggregates of one column, in the order that `readStatistics` expects. They are short, because the guard reads
 * every character: in SQLite the order of its storage classes (numbers, texts, blobs) makes the smallest, the
 * largest and the last-named class tell which there are.
 */
export const statisticsExpressions = (column: Column, dialect: Dialect): readonly string[] => {
  const name = quoteIdentifier(column.name, dialect)
  const text = asText(column, dialect)
  if (column.kind === 'blob') return [`count(${name})`, `avg(length(${name}))`]
  if (dialect === 'sqlite')
    return [
      `count(${name})`,
      `avg(length(${name}))`,
      `count(DISTINCT ${name})`,
      `min(${name})`,
      `max(${name})`,
      `max(typeof(${name}))`,
    ]
  const value = comparesAsItIs(column) ? name : text
  const measured = comparesAsItIs(column) && dialect !== 'mysql' ? `CAST(${name} AS text)` : text
  return [
    `count(${name})`,
    `avg(${textLength(measured, dialect)})`,
    `count(DISTINCT ${value})`,
    `min(${value})`,
    `max(${value})`,
  ]
}

/** Reads one column's part of the row that the aggregates gave. */
export const readStatistics = (
  cells: readonly Cell[],
  column: Column,
  dialect: Dialect,
): ColumnStatistics => {
  const [values = 0, meanLength = 0, distinct = 0, min = null, max = null, lastStored = null] = cells
  const own = (cell: Cell): Cell => shorten(dialect === 'sqlite' ? cell : fromText(cell, column))
  return {
    values: Number(values),
    distinct: Number(distinct),
    meanLength: Math.round(Number(meanLength) * 10) / 10,
    min: own(min),
    max: own(max),
    stored: dialect === 'sqlite' && min !== null ? storageTypes(min, max, lastStored) : null,
  }
}

const storageTypes = (min: Cell, max: Cell, lastStored: Cell): NonNullable<ColumnStatistics['stored']> => {
  if (min instanceof Uint8Array) return 'blobs'
  if (typeof min === 'string' && typeof max === 'string') return 'texts'
  if (typeof min === 'string' || typeof max === 'string' || max instanceof Uint8Array) return 'mixed'
  // Of the names of SQLite's classes only "text" comes behind "real", and there is none.
  return lastStored === 'real' ? 'reals' : 'integers'
}

const shorten = (cell: Cell): Cell => {
  if (typeof cell === 'string' && cell.length > shownLength) return cell.slice(0, shownLength)
  return cell instanceof Uint8Array ? null : cell
}

/** Takes a value that was cast to text back to what its column holds. */
export const fromText = (cell: Cell, column: Column): Cell => {
  if (typeof cell !== 'string') return cell
  switch (column.kind) {
    case 'boolean':
      // MySQL's booleans are small numbers, and nothing keeps a 7 out of them.
      return cell === 'true' || cell === '1' ? true : cell === 'false' || cell === '0' ? false : cell
    case 'integer': {
      const number = Number(cell)
      return Number.isSafeInteger(number) ? number : /^-?\d+$/.test(cell) ? BigInt(cell) : cell
    }
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(cell) && cell.replace(/\D/g, '').length <= 15 ? Number(cell) : cell
    case 'timestamp':
      return cell.replace(/^(\d{4,}-\d\d-\d\d) (?=\d\d:)/, '$1T')
    default:
      return cell
  }
}
