import type { Table } from '../../../src/domain/catalog.ts'
import { splitName } from '../../../src/lib/fold-text.ts'
import type { ColumnUse, Source } from '../../../src/sql/analyze/query-scope.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote.ts'
import { nearestName } from './rename-tables.ts'
import type { SelectBlock } from './select-blocks.ts'
import {
  bareColumnTokens,
  type Edit,
  hasColumn,
  isName,
  nameOfSource,
  type Statement,
  sameName,
  tableNamed,
  tableOfSource,
  visibleSources,
} from './statement.ts'

/** What a column should have been called; null when it is fine, `unclear` when nobody can tell. */
type IntendedColumn = { readonly qualifier: string | null; readonly column: string } | 'unclear' | null

/**
 * Gives columns that their tables do not have the name of the one column that must be meant. A column under the wrong
 * table goes to the only other table in sight that has it, unless it is one word that its own table has something of:
 * of those two a model can choose better.
 */
export const renameColumns = (statement: Statement): readonly Edit[] =>
  statement.scopes.length === 0 ? [] : statement.blocks.flatMap(block => editsWithin(block, statement))

const editsWithin = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const uses = new Map(
    block.scope?.columns.map(use => [JSON.stringify([use.qualifier, use.column]).toLowerCase(), use]),
  )
  return [...uses.values()].flatMap(use => {
    const meant = intendedColumn(use, block, statement)
    return meant && meant !== 'unclear' ? editsOf(use, meant, block, statement) : []
  })
}

const intendedColumn = (use: ColumnUse, block: SelectBlock, statement: Statement): IntendedColumn => {
  if (use.column === '*' || use.mayBeText) return null
  return use.qualifier === null
    ? intendedForBare(use.column, block, statement)
    : intendedForQualified(use.qualifier, use.column, block, statement)
}

const intendedForQualified = (
  qualifier: string,
  column: string,
  block: SelectBlock,
  statement: Statement,
): IntendedColumn => {
  const source = sourceNamed(qualifier, block, statement)
  if (!source) return intendedForSource(intendedSource(qualifier, block, statement), column, statement)
  const table = tableOfSource(source, statement)
  if (!table) return 'unclear'
  if (hasColumn(table, column, statement)) return null
  const near = nearestName(column, namesOf(table))
  if (near !== null) return { qualifier, column: near }
  const words = splitName(column)
  // `role_code` is no other code; `name` may be any name.
  if (words.length === 1 && namesOf(table).some(name => splitName(name).includes(words[0] ?? '')))
    return 'unclear'
  const owners = visibleSources(block).filter(other => {
    const its = tableOfSource(other, statement)
    return other !== source && its !== null && hasColumn(its, column, statement)
  })
  return intendedForSource(owners.length === 1 ? (owners[0] ?? null) : null, column, statement)
}

/** The column under the name that this source goes by, if it has it. */
const intendedForSource = (source: Source | null, column: string, statement: Statement): IntendedColumn => {
  const table = source && tableOfSource(source, statement)
  const called = source && nameOfSource(source)
  return table && called && hasColumn(table, column, statement) ? { qualifier: called, column } : 'unclear'
}

/** What a qualifier that stands for nothing must stand for: an aliased table, a misspelt name, or the only source. */
const intendedSource = (qualifier: string, { scope }: SelectBlock, statement: Statement): Source | null => {
  const sources = scope?.sources ?? []
  const aliased = sources.filter(({ name }) => name !== null && sameName(name, qualifier, statement))
  if (aliased.length > 0) return aliased.length === 1 ? (aliased[0] ?? null) : null
  // A table of the database that is not in the FROM was forgotten there, not misspelt.
  if (tableNamed(qualifier, statement)) return null
  const called = (source: Source): string => nameOfSource(source) ?? ''
  const near = nearestName(qualifier, sources.map(called))
  if (near !== null) return sources.find(source => called(source) === near) ?? null
  return sources.length === 1 ? (sources[0] ?? null) : null
}

const intendedForBare = (column: string, block: SelectBlock, statement: Statement): IntendedColumn => {
  const sources = visibleSources(block)
  const tables = sources.map(source => tableOfSource(source, statement))
  if (tables.some(table => table !== null && hasColumn(table, column, statement))) return null
  if (isNamedElsewhere(column, sources, statement) || tables.includes(null)) return 'unclear'
  const known = tables.filter(table => table !== null)
  const near = nearestName(column, known.flatMap(namesOf))
  if (near === null) return 'unclear'
  const owners = known.filter(table => hasColumn(table, near, statement))
  return owners.length === 1 ? { qualifier: null, column: near } : 'unclear'
}

/** A name that the statement itself gives to something is not a misspelt column. */
const isNamedElsewhere = (name: string, sources: readonly Source[], statement: Statement): boolean =>
  statement.scopes.some(scope => scope.outputs.has(name.toLowerCase())) ||
  sources.some(source => [source.alias, source.name].some(own => own?.toLowerCase() === name.toLowerCase()))

const sourceNamed = (name: string, block: SelectBlock, statement: Statement): Source | null =>
  visibleSources(block).find(source => {
    const called = nameOfSource(source)
    return called !== null && sameName(called, name, statement)
  }) ?? null

const namesOf = (table: Table): readonly string[] => table.columns.map(column => column.name)

const editsOf = (
  use: ColumnUse,
  meant: { readonly qualifier: string | null; readonly column: string },
  block: SelectBlock,
  statement: Statement,
): readonly Edit[] => {
  const { dialect } = statement.database
  const column = quoteIdentifier(meant.column, dialect)
  if (use.qualifier === null || meant.qualifier === null) {
    return bareColumnTokens(use.column, block, statement).map(({ start, end }) => ({
      start,
      end,
      text: column,
    }))
  }
  const before = use.qualifier
  // An unchanged qualifier keeps its spelling: it may be an alias, which only the statement knows how to write.
  const moved = sameName(before, meant.qualifier, statement)
    ? null
    : quoteIdentifier(meant.qualifier, dialect)
  const edits = block.own.flatMap((at): readonly (Edit | 'itself')[] => {
    const [token, dot, name] = statement.tokens.slice(at, at + 3)
    if (!token || !isName(token, before, statement) || dot?.text !== '.' || !name) return []
    if (!isName(name, use.column, statement)) return []
    if (moved !== null && equalsItself(at, meant, statement)) return ['itself']
    return moved === null
      ? [{ start: name.start, end: name.end, text: column }]
      : [{ start: token.start, end: token.end, text: moved }]
  })
  // A join on a column that is equal to itself joins everything: the other side is meant, or another table.
  return edits.includes('itself') ? [] : edits.filter(edit => edit !== 'itself')
}

/** Whether the column at a place is compared to the very column that it would become. */
const equalsItself = (
  at: number,
  meant: { readonly qualifier: string | null; readonly column: string },
  statement: Statement,
): boolean => {
  const { tokens } = statement
  const isMeant = (from: number): boolean =>
    isName(tokens[from], meant.qualifier ?? '', statement) &&
    tokens[from + 1]?.text === '.' &&
    isName(tokens[from + 2], meant.column, statement)
  return (
    (tokens[at + 3]?.text === '=' && isMeant(at + 4)) || (tokens[at - 1]?.text === '=' && isMeant(at - 4))
  )
}
