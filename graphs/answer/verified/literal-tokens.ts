import type { Dialect } from '../../../src/core/dialect.ts'
import { sqlLiterals } from '../../../src/sql/sql-literals.ts'
import { sqlTokens } from '../../../src/sql/sql-tokens.ts'

/** A literal where it stands in the text of a statement, [start, end). */
export interface LiteralToken {
  readonly kind: 'text' | 'number'
  readonly value: string
  readonly start: number
  readonly end: number
  /** Names of the columns that literals of this value are compared to; a table is null where the text does not say it. */
  readonly columns: readonly { readonly table: string | null; readonly column: string }[]
}

/** The text and number literals of a statement in the order of the text; null when it cannot be parsed. */
export const literalTokens = (sql: string, dialect: Dialect): readonly LiteralToken[] | null => {
  const literals = sqlLiterals(sql, dialect)
  const cut = sqlTokens(sql, dialect)
  if (literals === null || !cut.ok) return null
  // SQLite takes "x" for a text where no column is called so.
  const quotedTexts = new Set(literals.filter(({ mayBeColumn }) => mayBeColumn).map(({ value }) => value))
  return cut.tokens.flatMap(({ kind, value, start, end }) => {
    const isText = kind === 'string' || (kind === 'quoted' && quotedTexts.has(value))
    if (!isText && kind !== 'number') return []
    const columns = literals.flatMap(literal =>
      literal.column !== null && literal.value === value ? [literal.column] : [],
    )
    return [{ kind: isText ? ('text' as const) : ('number' as const), value, start, end, columns }]
  })
}
