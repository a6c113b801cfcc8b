import { distance } from 'fastest-levenshtein'
import { foldText } from '../../../src/lib/fold-text.ts'
import { quoteLiteral } from '../../../src/sql/render/quote-literal.ts'
import { type SqlLiteral, sqlLiterals } from '../../../src/sql/sql-literals.ts'
import type { Edit } from './edit.ts'
import { type Statement, sameName } from './statement.ts'

/**
 * Gives a text that its column does not hold the spelling of the one value that must be meant: the same but for case,
 * accents and punctuation, or with a letter wrong here and there. Numbers are never touched, and neither is a
 * statement that changes case itself.
 */
export const correctLiterals = (statement: Statement): readonly Edit[] => {
  if (statement.tokens.some(({ kind, value }) => kind === 'word' && /^(?:lower|upper)$/.test(value)))
    return []
  const meant = new Map<string, (string | null)[]>()
  for (const literal of sqlLiterals(statement.sql, statement.database.dialect) ?? []) {
    if (literal.kind !== 'text') continue
    meant.set(literal.value, [...(meant.get(literal.value) ?? []), intendedValue(literal, statement)])
  }
  return [...meant].flatMap(([value, spellings]) => {
    const [spelling] = spellings
    if (!spelling || spellings.some(other => other !== spelling)) return []
    const text = quoteLiteral(spelling, statement.database.dialect)
    return statement.tokens
      .filter(({ kind, value: text }) => (kind === 'string' || kind === 'quoted') && text === value)
      .map(({ start, end }) => ({ start, end, text }))
  })
}

/** Values that are looked at for one literal; near spellings come first. */
const MOST = 20

/** The spelling in the database; null when the literal is there as it is, or when nothing or too much is near. */
const intendedValue = ({ value, column, mayBeColumn }: SqlLiteral, statement: Statement): string | null => {
  // A percent sign makes a pattern, and a pattern is not a value.
  if (!column || column.table === null || value.includes('%')) return null
  if (mayBeColumn && isNameOfColumn(value, statement)) return null
  const { table } = column
  const values = statement.database
    .findValues(value, { limit: MOST })
    .filter(
      match => sameName(match.table, table, statement) && sameName(match.column, column.column, statement),
    )
    .map(match => match.value)
  return values.includes(value) ? null : nearestValue(value, [...new Set(values)])
}

/** SQLite takes `"x"` for a column wherever there is one. */
const isNameOfColumn = (name: string, statement: Statement): boolean =>
  statement.database.catalog.tables.some(table =>
    table.columns.some(column => sameName(column.name, name, statement)),
  )

/** The next best value must be this many letters further away, or the choice is a guess. */
const MARGIN = 2

const nearestValue = (wanted: string, values: readonly string[]): string | null => {
  const [best, second] = values
    .map(value => ({ value, far: distance(plain(wanted), plain(value)) }))
    .sort((a, b) => a.far - b.far)
  if (!best || best.far > plain(wanted).length / 5 || digitsOf(best.value) !== digitsOf(wanted)) return null
  return second && second.far < best.far + MARGIN ? null : best.value
}

const plain = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]+/gu, '')

const digitsOf = (text: string): string => text.replace(/\D+/g, ' ').trim()
