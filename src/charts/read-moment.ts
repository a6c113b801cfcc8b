import type { Cell, ResultColumn } from '../core/result.ts'

const iso =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]00(?::?00)?)?)?)?)?$/

/**
 * Milliseconds since 1970 of a cell that names a year, month, day or moment; null for anything else. Moments are read
 * as they are written, in UTC, so that the picture says what the table says.
 */
export const parseMoment = (cell: Cell, column: ResultColumn): number | null => {
  if (typeof cell === 'number') return isYearColumn(column) && isYear(cell) ? Date.UTC(cell, 0, 1) : null
  if (typeof cell !== 'string') return null
  const parts = iso.exec(cell.trim())
  if (!parts) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map(part => Number(part ?? Number.NaN))
  const hasMonth = !Number.isNaN(month)
  // A text of four digits alone is a year only where the column says so: it may be any code.
  if (!hasMonth && !isYearColumn(column)) return null
  const or = (value: number | undefined, other: number): number =>
    value === undefined || Number.isNaN(value) ? other : value
  return Date.UTC(or(year, 0), or(month, 1) - 1, or(day, 1), or(hour, 0), or(minute, 0), or(second, 0))
}

const isYearColumn = ({ name }: ResultColumn): boolean => /year/i.test(name)

const isYear = (value: number): boolean => Number.isInteger(value) && value >= 1000 && value <= 9999
