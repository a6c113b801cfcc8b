import { distance } from 'fastest-levenshtein'
import { splitName } from '../../../src/lib/fold-text.ts'
import { toSingular } from '../../../src/lib/stem-word.ts'
import type { SqlToken } from '../../../src/sql/parse/sql-tokens.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote.ts'
import { type Edit, isName, type Statement, tableNamed } from './statement.ts'

/** Gives tables that the catalog does not know the name of the one table that must be meant, in its quotes. */
export const renameTables = (statement: Statement): readonly Edit[] => {
  const { catalog, dialect } = statement.database
  const sources = statement.scopes.flatMap(scope => scope.sources).filter(source => source.kind === 'table')
  const unknown = new Set(sources.flatMap(({ name }) => (name && !tableNamed(name, statement) ? [name] : [])))
  return [...unknown].flatMap(name => {
    const meant = nearestName(
      name,
      catalog.tables.map(table => table.name),
    )
    if (meant === null) return []
    const text = quoteIdentifier(meant, dialect)
    return statement.tokens
      .filter((token, at) => isName(token, name, statement) && isTableReference(at, name, statement))
      .map(({ start, end }) => ({ start, end, text }))
  })
}

/** In a FROM clause, or before the dot of a column; not an alias, and not a column of the same name. */
export const isTableReference = (at: number, name: string, statement: Statement): boolean => {
  const { tokens, scopes } = statement
  const before = tokens[at - 1]
  const next = tokens[at + 1]?.text
  if (next === '.') return before?.text !== '.' && !isAlias(name, statement)
  if (next === '(') return false
  if (isWord(before, 'from') || isWord(before, 'join')) return true
  const isAlsoColumn = scopes.some(scope => scope.columns.some(use => isSame(use.column, name)))
  return (before?.text === ',' || before?.text === '.') && !isAlsoColumn
}

const isAlias = (name: string, statement: Statement): boolean =>
  statement.scopes.some(scope => scope.sources.some(({ alias }) => alias !== null && isSame(alias, name)))

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const isWord = (token: SqlToken | undefined, word: string): boolean =>
  token?.kind === 'word' && token.value === word

/** The next best name must be this many letters further away, or the choice is a guess. */
const NAME_MARGIN = 2

/**
 * The one name that was meant: the same but for case, the same words (`glazeColours` for `glaze_colour`), or a
 * misspelling by a letter or two. Null when none is near, when two are, or when they differ by a number or a whole
 * word: neither `address_2` nor `address` is a misspelt `address_1`, and `section` is not `section_id`.
 */
export const nearestName = (wanted: string, names: readonly string[]): string | null => {
  const different = [...new Set(names)]
  return (
    onlyOne(different.filter(name => name.toLowerCase() === wanted.toLowerCase())) ??
    onlyOne(different.filter(name => wordsOf(name) === wordsOf(wanted))) ??
    misspelt(wanted, different)
  )
}

const onlyOne = (names: readonly string[]): string | null => (names.length === 1 ? (names[0] ?? null) : null)

const wordsOf = (name: string): string => splitName(name).map(toSingular).join('')

const misspelt = (wanted: string, names: readonly string[]): string | null => {
  const [best, second] = names
    .map(name => ({ name, far: distance(lettersOf(wanted), lettersOf(name)) }))
    .sort((a, b) => a.far - b.far)
  if (!best || best.far > typosIn(wanted) || digitsOf(best.name) !== digitsOf(wanted)) return null
  if (areWordsOf(best.name, wanted) || areWordsOf(wanted, best.name)) return null
  return second && second.far < best.far + NAME_MARGIN ? null : best.name
}

const areWordsOf = (name: string, other: string): boolean => {
  const words = splitName(other)
  return splitName(name).every(word => words.includes(word))
}

/** Letters that may be wrong in a word of this length: short names are near everything. */
const typosIn = (word: string): number => (word.length < 4 ? 0 : word.length < 7 ? 1 : 2)

const lettersOf = (name: string): string => splitName(name).join('')

const digitsOf = (text: string): string => text.replace(/\D+/g, ' ').trim()
