import { distance } from 'fastest-levenshtein'
import { foldText } from '../../../src/lib/fold-text.ts'
import { type SqlLiteral, sqlLiterals } from '../../../src/sql/analyze/sql-scopes.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import type { SqlToken } from '../../../src/sql/parse/sql-tokens.ts'
import { quoteLiteral } from '../../../src/sql/render/quote.ts'
import { nearestName } from './rename-tables.ts'
import { type Edit, isWord, likeWithoutCase, type Statement, sameName } from './statement.ts'

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

/**
 * Texts in the quotes of names (`city = "Bergen"`), which only some databases forgive, get quotes of texts: where
 * something is compared to them, and no table, column or alias has such a name or nearly. SQLite and MySQL take them
 * for texts by themselves, so there they are never what went wrong.
 */
export const useSingleQuotes = (statement: Statement): readonly Edit[] => {
  if (databaseDialect(statement.database.dialect).grammar.doubleQuotes !== 'name') return []
  const names = [...namesIn(statement)]
  const edits: Edit[] = []
  statement.tokens.forEach((token, at) => {
    if (token.kind !== 'quoted' || statement.tokens[at + 1]?.text === '.') return
    if (
      names.some(name => sameName(name, token.value, statement)) ||
      nearestName(token.value, names) !== null
    )
      return
    if (!isCompared(at, statement.tokens)) return
    edits.push({
      start: token.start,
      end: token.end,
      text: quoteLiteral(token.value, statement.database.dialect),
    })
  })
  return edits
}

const namesIn = ({ database, scopes }: Statement): ReadonlySet<string> =>
  new Set([
    ...database.catalog.tables.flatMap(table => [table.name, ...table.columns.map(column => column.name)]),
    ...scopes.flatMap(scope => [
      ...scope.outputs,
      ...scope.sources.flatMap(({ alias, name }) => [alias ?? '', name ?? '']),
    ]),
  ])

const comparisons = new Set([
  '=',
  '==',
  '<>',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'like',
  'ilike',
  'between',
  'then',
  'else',
])

/** Behind a comparison, or in the list of an IN that began with a text. */
const isCompared = (at: number, tokens: readonly SqlToken[]): boolean => {
  const before = tokens[at - 1]
  if (before === undefined) return false
  if (before.kind !== 'string' && before.kind !== 'quoted' && comparisons.has(before.value)) return true
  if (before.text === '(') return tokens[at - 2]?.kind === 'word' && tokens[at - 2]?.value === 'in'
  const earlier = tokens[at - 2]
  if (before.text !== ',' || (earlier?.kind !== 'quoted' && earlier?.kind !== 'string')) return false
  return isCompared(at - 2, tokens)
}

/** LIKE finds texts in any case in SQLite and MySQL; if it does not, a pattern that finds nothing is tried so. */
export const ignoreCaseInPatterns = (statement: Statement): readonly Edit[] =>
  databaseDialect(statement.database.dialect).rendering.ignoresCase === 'like'
    ? []
    : statement.tokens.flatMap((token, at) => (isWord(token, 'like') ? likeWithoutCase(at, statement) : []))
