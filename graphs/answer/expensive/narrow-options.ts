import type { Column, Table } from '../../../src/domain/catalog.ts'
import type { Cell } from '../../../src/domain/result.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { quoteIdentifier, quoteLiteral } from '../../../src/sql/render/quote.ts'
import { nameInWords, newestRows } from './newest-rows.ts'

/** A part of a table that could be asked about in place of all of it. */
export interface NarrowOption {
  /** What a question ends in to mean it, for instance `in the last 30 days`. */
  readonly words: string
  /** What ends a SELECT of the table to mean it. */
  readonly rest: string
  /** How much of the table it is by the profile, 0 to 1; null if that does not tell. */
  readonly share: number | null
}

const DAY_MS = 86_400_000

/** With more values than this a column tells rows apart rather than kinds of them. */
const MOST_VALUES = 30

/** Columns whose values are tried, and values of each. */
const MOST_COLUMNS = 4

const VALUES_EACH = 5

/** Periods up to `today` (`YYYY-MM-DD`), by the first date of the table that the questions of people are about. */
export const periodOptions = (table: Table, dialect: Dialect, today: string): readonly NarrowOption[] => {
  const column = table.columns.find(
    ({ kind, masked, profile }) =>
      (kind === 'date' || kind === 'timestamp') && masked !== true && profile?.nullShare !== 1,
  )
  if (!column) return []
  const name = quoteIdentifier(column.name, dialect)
  const from = (days: number): string =>
    new Date(Date.parse(`${today}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
  const since = (words: string, days: number): NarrowOption => ({
    words,
    rest: `WHERE ${name} >= ${quoteLiteral(from(days), dialect)}`,
    share: shareSince(column, from(days)),
  })
  return [
    since('in the last 30 days', 30),
    since('in the last 7 days', 7),
    {
      ...since('from yesterday', 1),
      rest: `WHERE ${name} >= ${quoteLiteral(from(1), dialect)} AND ${name} < ${quoteLiteral(today, dialect)}`,
    },
  ]
}

/** As if dates were spread evenly between the first and the last. */
const shareSince = ({ profile }: Column, from: string): number | null => {
  const [min, max] = [timeOf(profile?.min), timeOf(profile?.max)]
  if (min === null || max === null || max < min) return null
  const last = max + DAY_MS
  return Math.min(1, Math.max(0, (last - Math.max(min, Date.parse(from))) / (last - min)))
}

const timeOf = (cell: Cell | undefined): number | null => {
  const time = typeof cell === 'string' ? Date.parse(cell.slice(0, 10)) : Number.NaN
  return Number.isNaN(time) ? null : time
}

/**
 * Common values of the columns that tell kinds of rows apart, those with the fewest values first. Columns that the
 * statement uses already (`used`, in lower case) are left out: it may be about another value of them.
 */
export const valueOptions = (
  table: Table,
  dialect: Dialect,
  used: ReadonlySet<string>,
): readonly NarrowOption[] =>
  table.columns
    .flatMap(column => {
      const { profile, kind, masked, name } = column
      const tells = profile !== null && profile.distinctCount >= 2 && profile.distinctCount <= MOST_VALUES
      return kind === 'text' && masked !== true && tells && !used.has(name.toLowerCase())
        ? [{ column, profile }]
        : []
    })
    .sort((a, b) => a.profile.distinctCount - b.profile.distinctCount)
    .slice(0, MOST_COLUMNS)
    .flatMap(({ column, profile }) => {
      const counted = profile.rowsRead ?? table.rowCount
      return profile.mostFrequent.slice(0, VALUES_EACH).flatMap(({ value, count }) =>
        typeof value === 'string' && value.trim() !== ''
          ? [
              {
                words: `where the ${nameInWords(column.name)} is ${value}`,
                rest: `WHERE ${quoteIdentifier(column.name, dialect)} = ${quoteLiteral(value, dialect)}`,
                share: counted === null || counted === 0 ? null : Math.min(1, count / counted),
              },
            ]
          : [],
      )
    })

/** Its newest rows: the most first that are well below what may be read unasked, `most`. */
export const newestOptions = (
  table: Table,
  dialect: Dialect,
  most: number | null,
): readonly NarrowOption[] => {
  const total = table.rowCount
  if (total === null) return []
  return NEWEST.filter(rows => rows < total && rows <= (most ?? total) / 2).flatMap(rows => {
    const newest = newestRows(table, dialect, rows)
    return newest === null ? [] : [{ ...newest, share: rows / total }]
  })
}

const NEWEST = [10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10]
