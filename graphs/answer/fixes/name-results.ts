import type { Dialect } from '../../../src/core/dialect.ts'
import { bareColumnTokens } from './bare-column-tokens.ts'
import type { Edit } from './edit.ts'
import type { SelectBlock } from './select-blocks.ts'
import { aggregateCalls, closingOf, type ListItem, selectItems } from './select-items.ts'
import { hasColumn, tableOfSource, visibleSources } from './sources-in-sight.ts'
import type { Statement } from './statement.ts'

/**
 * Puts what is meant in the place of a name that nothing has, in HAVING, WHERE and ORDER BY: the expression that the
 * SELECT list gives this name, where the database does not look there for it; else the only aggregate of the list,
 * when it was given no name (`SELECT city, count(*) ... ORDER BY number DESC`).
 */
export const expandAliases = (statement: Statement): readonly Edit[] =>
  statement.scopes.length === 0 ? [] : statement.blocks.flatMap(block => editsWithin(block, statement))

/** Where a database does not know the names that the SELECT list gives. */
const withoutAliases: Readonly<Record<'where' | 'having', ReadonlySet<Dialect>>> = {
  where: new Set(['postgres', 'mysql']),
  having: new Set(['postgres']),
}

const editsWithin = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const tables = visibleSources(block).map(source => tableOfSource(source, statement))
  const items = selectItems(block, statement)
  const bare = new Set(
    block.scope?.columns.flatMap(({ qualifier, column, mayBeText }) =>
      qualifier === null && column !== '*' && !mayBeText ? [column] : [],
    ),
  )
  return [...bare].flatMap(column => {
    if (tables.some(table => table === null || hasColumn(table, column, statement))) return []
    const named = items.filter(({ alias }) => alias?.toLowerCase() === column.toLowerCase())
    const item =
      named.length === 1 ? named[0] : named.length === 0 ? onlyAggregate(items, block, statement) : undefined
    if (!item) return []
    const text = textOf(item, statement)
    const isAggregate = aggregateCalls(item, block, statement).length > 0
    // What already reads the name's own expression would read itself.
    if (
      bareColumnTokens(column, block, statement).some(({ start, end }) =>
        isWithin(start, end, item, statement),
      )
    )
      return []
    const places = bareColumnTokens(column, block, statement).filter(({ start }) => {
      const clause = clauseAt(start, block, statement)
      if (item.alias === null) return clause === 'having' || clause === 'order'
      if (clause === 'where') return !isAggregate && withoutAliases.where.has(statement.database.dialect)
      return clause === 'having' && withoutAliases.having.has(statement.database.dialect)
    })
    return places.map(({ start, end }) => ({ start, end, text }))
  })
}

const onlyAggregate = (
  items: readonly ListItem[],
  block: SelectBlock,
  statement: Statement,
): ListItem | undefined => {
  const [only, ...others] = items.filter(item => aggregateCalls(item, block, statement).length > 0)
  return only && others.length === 0 && only.alias === null ? only : undefined
}

/** An expression in brackets, unless it is one call or one column. */
const textOf = ({ from, to }: ListItem, { sql, tokens }: Statement): string => {
  const text = sql.slice(tokens[from]?.start, tokens[to - 1]?.end)
  const isCall = tokens[from + 1]?.text === '(' && closingOf(from + 1, tokens) === to - 1
  return isCall || to - from === 1 ? text : `(${text})`
}

const isWithin = (start: number, end: number, { from, to }: ListItem, { tokens }: Statement): boolean =>
  start >= (tokens[from]?.start ?? 0) && end <= (tokens[to - 1]?.end ?? 0)

const clauseAt = (start: number, { clauses }: SelectBlock, { tokens }: Statement): string | null => {
  const at = tokens.findIndex(token => token.start === start)
  return Object.entries(clauses).find(([, { from, to }]) => from <= at && at < to)?.[0] ?? null
}
