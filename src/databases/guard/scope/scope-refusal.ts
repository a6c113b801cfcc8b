import type { Dialect } from '../../../core/dialect.ts'
import { functionCalls } from '../../../sql/function-calls.ts'
import { nodeOf, type SqlTree } from '../../../sql/sql-tree.ts'
import { checkQueryShape } from './check-shape.ts'
import { foldName } from './fold-name.ts'
import { polyglotShape } from './polyglot-shape.ts'
import { postgresShape } from './postgres-shape.ts'
import { scopeMessages } from './scope-words.ts'
import type { FindTable, FoundTable } from './sight.ts'

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
  if (tree.parser === 'libpg-query') {
    const select = nodeOf(nodeOf(tree.statements[0])?.SelectStmt)
    if (select === null) throw new Error('a statement that is no SELECT')
    return checkQueryShape(postgresShape(select), dialect, remember)
  }
  const { query, placed } = polyglotShape(tree, dialect)
  const refusal = checkQueryShape(query, dialect, remember)
  if (refusal !== null) return refusal
  const secret = new Set(
    found.flatMap(({ columns }) =>
      [...columns].flatMap(([name, access]) => (access === 'open' ? [] : [name])),
    ),
  )
  return secret.size === 0
    ? null
    : (positionRefusal(tree, dialect) ?? unplacedNameRefusal(tree, dialect, { secret, placed }))
}

/** DuckDB can name columns by their place (`#1`) and by a pattern (`COLUMNS('e.*')`). */
const positionRefusal = (tree: SqlTree, dialect: Dialect): string | null => {
  if (dialect !== 'duckdb') return null
  if (tree.tokens.some(token => token.text === '#')) return scopeMessages.pattern('their place (#)')
  return functionCalls(tree).some(call => call.name === 'columns')
    ? scopeMessages.pattern('a pattern (COLUMNS)')
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
