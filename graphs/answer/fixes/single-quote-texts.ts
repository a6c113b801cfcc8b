import { quoteLiteral } from '../../../src/sql/render/quote-literal.ts'
import type { SqlToken } from '../../../src/sql/sql-tokens.ts'
import type { Edit } from './edit.ts'
import { nearestName } from './near-name.ts'
import { type Statement, sameName } from './statement.ts'

/**
 * Texts in the quotes of names (`city = "Bergen"`), which only some databases forgive, get quotes of texts: where
 * something is compared to them, and no table, column or alias has such a name or nearly. SQLite and MySQL take them
 * for texts by themselves, so there they are never what went wrong.
 */
export const useSingleQuotes = (statement: Statement): readonly Edit[] => {
  if (statement.database.dialect === 'sqlite' || statement.database.dialect === 'mysql') return []
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
