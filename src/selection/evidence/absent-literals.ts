import type { Catalog, Column } from '../../core/catalog.ts'
import type { FindValues } from '../../core/value-match.ts'
import { type SqlLiteral, sqlLiterals } from '../../sql/sql-literals.ts'

/** What the values of a column are looked up in. */
export interface KnownValues {
  readonly catalog: Catalog
  readonly findValues: FindValues
}

/**
 * How many text literals of a statement stand beside a column that does not hold them. Patterns and dates are left
 * out, since they are not meant to be equal to anything; so are columns whose values are not indexed. 0 for a text
 * that cannot be parsed.
 */
export const countAbsentLiterals = (sql: string, { catalog, findValues }: KnownValues): number =>
  (sqlLiterals(sql, catalog.dialect) ?? []).filter(literal => isAbsent(literal, catalog, findValues)).length

const isAbsent = (
  { value, kind, column, mayBeColumn }: SqlLiteral,
  catalog: Catalog,
  findValues: FindValues,
): boolean => {
  if (kind !== 'text' || column === null || value === '' || /[%_]/.test(value) || isMoment(value))
    return false
  if (mayBeColumn && namesColumn(catalog, value)) return false
  const places = placesOf(catalog, column.table, column.column)
  if (places.length === 0 || !places.every(place => isIndexed(place.column))) return false
  const matches = findValues(value, { limit: LOOKED_AT })
  return !matches.some(match => match.value === value && places.some(place => isPlace(match, place)))
}

/** Equal texts score highest, and one text stands in few columns. */
const LOOKED_AT = 50

const isMoment = (value: string): boolean => /^\d{4}-\d{1,2}(?:-\d{1,2})?|^\d{1,2}:\d{2}/.test(value)

interface Place {
  readonly table: string
  readonly column: Column
}

/** Where a column of that name is; a table that is not told leaves every column of the name. */
const placesOf = (catalog: Catalog, table: string | null, column: string): readonly Place[] =>
  catalog.tables
    .filter(({ name }) => table === null || same(name, table))
    .flatMap(({ name, columns }) =>
      columns.filter(one => same(one.name, column)).map(one => ({ table: name, column: one })),
    )

const isPlace = (match: { readonly table: string; readonly column: string }, place: Place): boolean =>
  same(match.column, place.column.name) &&
  (same(match.table, place.table) || match.table.toLowerCase().endsWith(`.${place.table.toLowerCase()}`))

/** What the index may have left out says nothing: it holds texts of columns with not too many of them. */
const isIndexed = ({ kind, profile }: Column): boolean =>
  (kind === 'text' || kind === 'unknown') && profile !== null && profile.distinctCount <= MOST_INDEXED

const MOST_INDEXED = 20_000

const namesColumn = (catalog: Catalog, name: string): boolean =>
  catalog.tables.some(table => table.columns.some(column => same(column.name, name)))

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
