import type { Catalog, Table } from '../../../src/domain/catalog.ts'
import type { ConversationTurn, PreviousAnswer } from '../../../src/domain/conversation.ts'
import { readQueryTree } from '../../../src/sql/rewrite/plain-query.ts'
import type { QueryTree } from '../../../src/sql/tree/query-tree.ts'

/** What a later message can build on: the last answer of a thread with the columns that its SQL names. */
export const previousAnswer = (
  { text: question, sql }: Pick<ConversationTurn, 'text' | 'sql'>,
  { dialect }: Pick<Catalog, 'dialect'>,
): PreviousAnswer => ({ question, sql, columns: outputNames(readQueryTree(sql, dialect)) })

const outputNames = (query: QueryTree | null): readonly string[] => {
  if (query === null) return []
  if (query.kind === 'set') return outputNames(query.left)
  return query.outputs.flatMap(({ expression, alias }) => {
    const name = alias ?? (expression.kind === 'column' ? expression.name : null)
    return name === null ? [] : [name]
  })
}

/** Enough to tell what a database is about; more of a wide table is left out. */
const MOST_COLUMNS = 10

const MOST_CHARACTERS = 3_000

/**
 * Names of tables with some of their columns, one table a line, in the order of the catalog. If not all fit, those of the
 * last answer and the tables they are joined to come first. Holds no value.
 */
export const outlineForThread = (
  { tables, foreignKeys }: Pick<Catalog, 'tables' | 'foreignKeys'>,
  sql: string,
): string => {
  const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_]+/gu))
  const isUsed = (name: string): boolean => words.has(name.toLowerCase())
  const neighbors = new Set(
    foreignKeys.flatMap(({ from, to }) => [
      ...(isUsed(from.table) ? [to.table] : []),
      ...(isUsed(to.table) ? [from.table] : []),
    ]),
  )
  const rank = ({ name }: Table): number => (isUsed(name) ? 0 : neighbors.has(name) ? 1 : 2)
  const kept = new Set<Table>()
  let characters = 0
  for (const table of tables.toSorted((a, b) => rank(a) - rank(b))) {
    characters += outline(table).length + 1
    if (characters > MOST_CHARACTERS) break
    kept.add(table)
  }
  return tables
    .filter(table => kept.has(table))
    .map(outline)
    .join('\n')
}

const outline = ({ name, columns }: Table): string => {
  const names = columns.slice(0, MOST_COLUMNS).map(column => column.name)
  return `${name}(${names.join(', ')}${columns.length > MOST_COLUMNS ? ', …' : ''})`
}
