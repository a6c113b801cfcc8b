import type { QueryScope, Source } from '../../../src/sql/query-scope.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote-identifier.ts'
import { bareColumnTokens } from './bare-column-tokens.ts'
import type { Edit } from './edit.ts'
import type { SelectBlock } from './select-blocks.ts'
import { nameOfSource } from './sources-in-sight.ts'
import { isName, type Statement, sameName, tableNamed } from './statement.ts'

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
