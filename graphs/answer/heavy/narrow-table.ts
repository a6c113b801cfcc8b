import type { Dialect } from '../../../src/core/dialect.ts'
import { type SqlToken, sqlTokens } from '../../../src/sql/sql-tokens.ts'
import { applyEdits, type Edit } from '../fixes/edit.ts'
import { selectBlocks } from '../fixes/select-blocks.ts'

/** Words that may follow a table in FROM and are no alias of it. */
const AFTER_TABLE = new Set([
  ...[
    'on',
    'using',
    'join',
    'inner',
    'left',
    'right',
    'full',
    'cross',
    'natural',
    'lateral',
    'straight_join',
  ],
  ...['where', 'group', 'having', 'window', 'order', 'limit', 'offset', 'fetch', 'for', 'union', 'intersect'],
  ...['except', 'tablesample', 'indexed', 'not', 'use', 'force', 'ignore', 'partition', 'select'],
])

/**
 * A statement that reads only a part of a table, wherever it reads it: the table becomes a subquery that `rest` ends, for
 * instance `WHERE kind = 'a'`, under the name it had. Null where the table is not found in any FROM.
 */
export const narrowTable = (
  sql: string,
  dialect: Dialect,
  { table, rest }: { readonly table: string; readonly rest: string },
): string | null => {
  const read = sqlTokens(sql, dialect)
  if (!read.ok) return null
  const { tokens } = read
  const edits = selectBlocks(sql, tokens, dialect).flatMap(({ own, clauses: { from } }): Edit[] => {
    if (!from) return []
    return own
      .filter(at => from.from < at && at < from.to && isTable(tokens, at, table))
      .map(at => {
        const name = tokens[at] as SqlToken
        const start = firstOfName(tokens, at).start
        const inner = `(SELECT * FROM ${sql.slice(start, name.end)} ${rest})`
        return { start, end: name.end, text: hasAlias(tokens, at) ? inner : `${inner} AS ${name.text}` }
      })
  })
  return edits.length === 0 ? null : applyEdits(sql, edits)
}

const isTable = (tokens: readonly SqlToken[], at: number, table: string): boolean => {
  const [token, next] = [tokens[at] as SqlToken, tokens[at + 1]]
  if (token.kind !== 'word' && token.kind !== 'quoted') return false
  if (token.value.toLowerCase() !== table.toLowerCase() || next?.text === '.' || next?.text === '(')
    return false
  const first = tokens.indexOf(firstOfName(tokens, at))
  return ['from', 'join', ',', '('].includes(tokens[first - 1]?.value ?? '')
}

/** The first token of a name with a schema before it. */
const firstOfName = (tokens: readonly SqlToken[], at: number): SqlToken => {
  const qualifier = tokens[at - 1]?.text === '.' ? tokens[at - 2] : undefined
  return qualifier === undefined ? (tokens[at] as SqlToken) : firstOfName(tokens, at - 2)
}

const hasAlias = (tokens: readonly SqlToken[], at: number): boolean => {
  const next = tokens[at + 1]
  if (next === undefined) return false
  return next.kind === 'quoted' || (next.kind === 'word' && !AFTER_TABLE.has(next.value))
}
