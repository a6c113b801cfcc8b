import { quoteIdentifier } from '../../../src/sql/render/quote-identifier.ts'
import type { SqlToken } from '../../../src/sql/sql-tokens.ts'
import type { Edit } from './edit.ts'
import { nearestName } from './near-name.ts'
import { isName, type Statement, tableNamed } from './statement.ts'

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
