import type { Dialect } from '../../../domain/sql.ts'
import { functionCalls } from '../../../sql/analyze/function-calls.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { readQuery } from '../../../sql/parse/read-statements.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import { checkQueryTree } from './check-query.ts'
import { foldName } from './name-lookup.ts'
import { placedNames } from './placed-names.ts'
import { type FindTable, type FoundTable, scopeMessages } from './visible-sources.ts'

/**
 * Why a scope does not allow a statement that the guard found harmless, in words; null when it does. Throws where
 * the tree has a form that nobody has looked at: then the caller refuses.
 */
export const scopeRefusal = (tree: SqlTree, dialect: Dialect, findTable: FindTable): string | null => {
  const found: Extract<FoundTable, { ok: true }>[] = []
  const remember: FindTable = (schema, name) => {
    const table = findTable(schema, name)
    if (table.ok) found.push(table)
    return table
  }
  const query = readQuery(tree)
  if (query === null) throw new Error('a statement that is no query')
  const refusal = checkQueryTree(query, dialect, remember)
  if (refusal !== null || tree.parser === 'libpg-query') return refusal
  const secret = new Set(
    found.flatMap(({ columns }) =>
      columns.flatMap(({ name, access }) => (access === 'open' ? [] : [foldName(name, dialect)])),
    ),
  )
  return secret.size === 0
    ? null
    : (positionRefusal(tree, dialect) ??
        partRefusal(tree, dialect, found) ??
        searchRefusal(tree, dialect, found) ??
        unplacedNameRefusal(tree, dialect, { secret, placed: placedNames(query, dialect) }))
}

/** DuckDB can name columns by their place (`#1`) and by a pattern (`COLUMNS('e.*')`). */
const positionRefusal = (tree: SqlTree, dialect: Dialect): string | null => {
  if (!databaseDialect(dialect).scope.hasColumnPatterns) return null
  if (tree.tokens.some(token => token.text === '#')) return scopeMessages.pattern('their place (#)')
  return functionCalls(tree).some(call => call.name === 'columns')
    ? scopeMessages.pattern('a pattern (COLUMNS)')
    : null
}

/** Which rows are in a partition, and whether there is an index, follows from columns that may be hidden. */
const partRefusal = (
  { tokens }: SqlTree,
  dialect: Dialect,
  found: readonly Extract<FoundTable, { ok: true }>[],
): string | null => {
  const { readsByPart } = databaseDialect(dialect).scope
  const restricted = found.find(({ columns }) => columns.some(({ access }) => access !== 'open'))
  return restricted !== undefined && tokens.some((_, at) => readsByPart(tokens, at))
    ? scopeMessages.partition(restricted.title)
    : null
}

/** A search may name other columns than the one beside it: `title MATCH 'secret:x'`. */
const searchRefusal = (
  { tokens }: SqlTree,
  dialect: Dialect,
  found: readonly Extract<FoundTable, { ok: true }>[],
): string | null => {
  const { searchWord } = databaseDialect(dialect).scope
  const searched = found.find(
    ({ columns }) =>
      columns.some(({ unlisted }) => unlisted) && columns.some(({ access }) => access !== 'open'),
  )
  return searched !== undefined && tokens.some(({ value }) => value === searchWord)
    ? scopeMessages.search(searched.title)
    : null
}

/** Words that no dialect takes for a name without quotes. */
const reservedWords = new Set(
  'select from where group order having on union and or not in as case when then else'.split(' '),
)

/**
 * The second look: polyglot has hundreds of kinds of nodes, and some hold names that are no columns to it. A name
 * that is secret in one of the tables must not stand in the text more often than it was understood.
 */
const unplacedNameRefusal = (
  tree: SqlTree,
  dialect: Dialect,
  names: { readonly secret: ReadonlySet<string>; readonly placed: ReadonlyMap<string, number> },
): string | null => {
  const seen = new Map<string, number>()
  for (const token of tree.tokens) {
    if (token.kind !== 'word' && token.kind !== 'quoted') continue
    if (token.kind === 'word' && reservedWords.has(token.value)) continue
    const name = foldName(token.value, dialect)
    if (!names.secret.has(name)) continue
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    if (count > (names.placed.get(name) ?? 0)) return scopeMessages.unclear(token.text)
  }
  return null
}
