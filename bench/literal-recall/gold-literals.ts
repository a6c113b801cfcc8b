import type { DatabaseSync } from 'node:sqlite'
import type { Catalog } from '../../src/domain/catalog.ts'
import { sqlLiterals, sqlReferences } from '../../src/sql/analyze/sql-scopes.ts'
import { quoteIdentifier } from '../../src/sql/render/quote.ts'

/** A text literal of a known answer, and what the column that it is compared to holds of it. */
export interface GoldLiteral {
  readonly text: string
  readonly table: string
  readonly column: string
  /** False where the column is declared as numbers: such values are not in the value index. */
  readonly isText: boolean
  /** Values of the column that the literal selects: itself as stored, or what a pattern (`%x%`) matches. */
  readonly values: ReadonlySet<string>
}

export interface GoldLiterals {
  readonly literals: readonly GoldLiteral[]
  /** Text literals that are compared to nothing, or that no row of their column holds. */
  readonly absent: number
  /** Patterns of a single letter (`%a%`): they ask for a spelling, not for a value, and are not counted. */
  readonly letters: number
}

/** Values of one pattern that are looked at. */
const MOST_VALUES = 20_000

/**
 * The text literals of a statement that its database holds, each once for each column. The column comes from the
 * statement's tree; a bare column goes to the tables of the statement that have one of that name and hold the text.
 */
export const goldLiterals = (sql: string, catalog: Catalog, file: DatabaseSync): GoldLiterals => {
  const tables = new Set(
    (sqlReferences(sql, 'sqlite')?.tables ?? []).map(({ name }) => name?.toLowerCase() ?? ''),
  )
  const known = new Map<string, GoldLiteral>()
  let absent = 0
  let letters = 0
  for (const { value: text, kind, column, mayBeColumn } of sqlLiterals(sql, 'sqlite') ?? []) {
    if (kind !== 'text' || text === '' || /^%*$/.test(text)) continue
    if (/^%.?$|^.?%+$|^%+.?%+$/.test(text)) {
      letters += 1
      continue
    }
    if (mayBeColumn && holders(catalog, tables, null, text).length > 0) continue
    const places = column === null ? [] : holders(catalog, tables, column.table, column.column)
    const found = places
      .map(place => ({ ...place, text, values: valuesOf(file, place, text) }))
      .find(({ values }) => values.size > 0)
    if (found) known.set(JSON.stringify([found.table, found.column, text]), found)
    else absent += 1
  }
  return { literals: [...known.values()], absent, letters }
}

type ColumnPlace = Pick<GoldLiteral, 'table' | 'column' | 'isText'>

const holders = (
  catalog: Catalog,
  read: ReadonlySet<string>,
  table: string | null,
  column: string,
): readonly ColumnPlace[] =>
  catalog.tables
    .filter(({ name }) =>
      table === null ? read.has(name.toLowerCase()) : name.toLowerCase() === table.toLowerCase(),
    )
    .flatMap(({ name, columns }) =>
      columns
        .filter(one => one.name.toLowerCase() === column.toLowerCase())
        .map(one => ({
          table: name,
          column: one.name,
          isText: one.kind === 'text' || one.kind === 'unknown',
        })),
    )

const valuesOf = (file: DatabaseSync, place: ColumnPlace, text: string): ReadonlySet<string> => {
  const column = quoteIdentifier(place.column, 'sqlite')
  const test = text.includes('%') ? 'LIKE' : '='
  const statement = file.prepare(
    `SELECT DISTINCT CAST(${column} AS TEXT) AS value FROM ${quoteIdentifier(place.table, 'sqlite')} WHERE ${column} ${test} ? LIMIT ${MOST_VALUES}`,
  )
  return new Set(statement.all(text).map(({ value }) => String(value)))
}
