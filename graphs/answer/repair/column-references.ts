import type { QueryScope, Source } from '../../../src/sql/analyze/query-scope.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote.ts'
import type { SelectBlock } from './select-blocks.ts'
import {
  aggregateCalls,
  bareColumnTokens,
  closingOf,
  type Edit,
  hasColumn,
  isName,
  type ListItem,
  nameOfSource,
  type Statement,
  sameName,
  selectItems,
  tableNamed,
  tableOfSource,
  visibleSources,
} from './statement.ts'

/**
 * Says whose column an ambiguous one is where that makes no difference: when every table of the FROM that has it is
 * joined on it being equal, the first of them stands for all. Outer joins other than LEFT are left alone: there the
 * first may be the one that is missing.
 */
export const qualifyColumns = (statement: Statement): readonly Edit[] => {
  if (statement.tokens.some(({ kind, value }) => kind === 'word' && unclear.has(value))) return []
  return statement.blocks.flatMap(block => qualifyWithin(block, statement))
}

const qualifyWithin = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const names = new Set(
    block.scope?.columns.flatMap(({ qualifier, column, mayBeText }) =>
      qualifier !== null || column === '*' || mayBeText ? [] : [column.toLowerCase()],
    ),
  )
  return [...names].flatMap(column => {
    const owner = block.scope && ownerOf(column, block.scope, statement)
    const called = owner && nameOfSource(owner)
    if (!called) return []
    return bareColumnTokens(column, block, statement).map(({ start }) => ({
      start,
      end: start,
      text: `${quoteIdentifier(called, statement.database.dialect)}.`,
    }))
  })
}

const unclear = new Set(['right', 'full', 'using', 'natural'])

/** The first of several sources with this column, when all of them are joined on it; null when it is not ambiguous. */
const ownerOf = (column: string, scope: QueryScope, statement: Statement): Source | null => {
  if (scope.outputs.has(column.toLowerCase())) return null
  const having = scope.sources.filter(source => hasUnclearColumn(source, column, statement))
  const [first, ...others] = having
  if (!first || others.length === 0) return null
  return others.every(other => areJoinedOn(column, other, having, statement)) ? first : null
}

const hasUnclearColumn = (source: Source, column: string, statement: Statement): boolean => {
  // What a subquery returns is not in the catalog; the statement names its columns by its alias where it matters.
  if (source.kind === 'derived') {
    return statement.tokens.some((_, at) => isColumnOf(source, column, at, statement))
  }
  const table = source.name === null ? null : tableNamed(source.name, statement)
  return table?.columns.some(({ name }) => sameName(name, column, statement)) ?? false
}

/** `a.c = b.c` for this source on one side and any other on the other. */
const areJoinedOn = (
  column: string,
  source: Source,
  having: readonly Source[],
  statement: Statement,
): boolean =>
  statement.tokens.some(
    (token, at) =>
      token.text === '=' &&
      having.some(
        other =>
          other !== source &&
          ((isColumnOf(source, column, at - 3, statement) && isColumnOf(other, column, at + 1, statement)) ||
            (isColumnOf(other, column, at - 3, statement) && isColumnOf(source, column, at + 1, statement))),
      ),
  )

/** Whether `source.column` is written from this token on. */
const isColumnOf = (source: Source, column: string, at: number, statement: Statement): boolean => {
  const [qualifier, dot, name] = [statement.tokens[at], statement.tokens[at + 1], statement.tokens[at + 2]]
  const called = source.alias ?? source.name
  return (
    called !== null &&
    isName(qualifier, called, statement) &&
    dot?.text === '.' &&
    isName(name, column, statement)
  )
}

/**
 * Puts what is meant in the place of a name that nothing has, in HAVING, WHERE and ORDER BY: the expression that the
 * SELECT list gives this name, where the database does not look there for it; else the only aggregate of the list,
 * when it was given no name (`SELECT city, count(*) ... ORDER BY number DESC`).
 */
export const expandAliases = (statement: Statement): readonly Edit[] =>
  statement.scopes.length === 0 ? [] : statement.blocks.flatMap(block => editsWithin(block, statement))

const editsWithin = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { aliasesKnownIn } = databaseDialect(statement.database.dialect).repair
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
      if (clause === 'where') return !isAggregate && !aliasesKnownIn.where
      return clause === 'having' && !aliasesKnownIn.having
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
