import type { Table } from '../../../src/core/catalog.ts'
import { splitName } from '../../../src/lib/split-name.ts'
import type { ColumnUse, QueryScope, Source } from '../../../src/sql/query-scope.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote-identifier.ts'
import { bareColumnTokens } from './bare-column-tokens.ts'
import type { Edit } from './edit.ts'
import { nearName } from './near-name.ts'
import { isName, type Statement, sameName, tableNamed } from './statement.ts'

/** What a column should have been called; null when it is fine, `unclear` when nobody can tell. */
type Meant = { readonly qualifier: string | null; readonly column: string } | 'unclear' | null

/**
 * Gives columns that their tables do not have the name of the one column that must be meant. A column under the wrong
 * table goes to the only other table of the same FROM that has it, unless its own table has something like it: of
 * those two a model can choose better.
 */
export const renameColumns = (statement: Statement): readonly Edit[] => {
  const uses = new Map<string, { use: ColumnUse; meant: Meant[] }>()
  for (const scope of statement.scopes) {
    for (const use of scope.columns) {
      const key = JSON.stringify([use.qualifier, use.column]).toLowerCase()
      const known = uses.get(key) ?? { use, meant: [] }
      known.meant.push(meantBy(use, scope, statement))
      uses.set(key, known)
    }
  }
  return [...uses.values()].flatMap(({ use, meant }) => {
    const [first] = meant
    // The text does not say which SELECT a use stands in, so all of them have to agree.
    const agreed = meant.every(other => JSON.stringify(other) === JSON.stringify(first))
    return agreed && first && first !== 'unclear' ? editsOf(use, first, statement) : []
  })
}

const meantBy = (use: ColumnUse, scope: QueryScope, statement: Statement): Meant => {
  if (use.column === '*' || use.mayBeText) return null
  return use.qualifier === null
    ? meantByBare(use.column, scope, statement)
    : meantByQualified(use.qualifier, use.column, scope, statement)
}

const meantByQualified = (
  qualifier: string,
  column: string,
  scope: QueryScope,
  statement: Statement,
): Meant => {
  const source = sourceNamed(qualifier, scope, statement)
  if (!source) return meantBySource(sourceMeant(qualifier, scope, statement), column, statement)
  const table = tableOf(source, statement)
  if (!table) return 'unclear'
  if (hasColumn(table, column, statement)) return null
  const near = nearName(column, namesOf(table))
  if (near !== null) return { qualifier, column: near }
  const words = splitName(column)
  if (namesOf(table).some(name => splitName(name).some(word => words.includes(word)))) return 'unclear'
  const owners = scope.sources.filter(other => {
    const its = tableOf(other, statement)
    return other !== source && its !== null && hasColumn(its, column, statement)
  })
  return meantBySource(owners.length === 1 ? (owners[0] ?? null) : null, column, statement)
}

/** The column under the name that this source goes by, if it has it. */
const meantBySource = (source: Source | null, column: string, statement: Statement): Meant => {
  const table = source && tableOf(source, statement)
  const called = source?.alias ?? source?.name
  return table && called && hasColumn(table, column, statement) ? { qualifier: called, column } : 'unclear'
}

/** What a qualifier that stands for nothing must stand for: an aliased table, a misspelt name, or the only source. */
const sourceMeant = (qualifier: string, { sources }: QueryScope, statement: Statement): Source | null => {
  const aliased = sources.filter(({ name }) => name !== null && sameName(name, qualifier, statement))
  if (aliased.length > 0) return aliased.length === 1 ? (aliased[0] ?? null) : null
  // A table of the database that is not in the FROM was forgotten there, not misspelt.
  if (tableNamed(qualifier, statement)) return null
  const called = (source: Source): string => source.alias ?? source.name ?? ''
  const near = nearName(qualifier, sources.map(called))
  if (near !== null) return sources.find(source => called(source) === near) ?? null
  return sources.length === 1 ? (sources[0] ?? null) : null
}

const meantByBare = (column: string, scope: QueryScope, statement: Statement): Meant => {
  const sources = sourcesSeenFrom(scope)
  const tables = sources.map(source => tableOf(source, statement))
  if (tables.some(table => table !== null && hasColumn(table, column, statement))) return null
  if (isNamedElsewhere(column, sources, statement) || tables.includes(null)) return 'unclear'
  const known = tables.filter(table => table !== null)
  const near = nearName(column, known.flatMap(namesOf))
  if (near === null) return 'unclear'
  const owners = known.filter(table => hasColumn(table, near, statement))
  return owners.length === 1 ? { qualifier: null, column: near } : 'unclear'
}

/** A name that the statement itself gives to something is not a misspelt column. */
const isNamedElsewhere = (name: string, sources: readonly Source[], statement: Statement): boolean =>
  statement.scopes.some(scope => scope.outputs.has(name.toLowerCase())) ||
  sources.some(source => [source.alias, source.name].some(own => own?.toLowerCase() === name.toLowerCase()))

const sourcesSeenFrom = (scope: QueryScope): readonly Source[] =>
  scope.parent === null ? scope.sources : [...scope.sources, ...sourcesSeenFrom(scope.parent)]

const sourceNamed = (name: string, scope: QueryScope, statement: Statement): Source | null =>
  sourcesSeenFrom(scope).find(source => {
    const called = source.alias ?? source.name
    return called !== null && sameName(called, name, statement)
  }) ?? null

const tableOf = (source: Source, statement: Statement): Table | null =>
  source.kind === 'table' && source.name !== null ? tableNamed(source.name, statement) : null

const namesOf = (table: Table): readonly string[] => table.columns.map(column => column.name)

const hasColumn = (table: Table, name: string, statement: Statement): boolean =>
  table.columns.some(column => sameName(column.name, name, statement))

const editsOf = (
  use: ColumnUse,
  meant: { readonly qualifier: string | null; readonly column: string },
  statement: Statement,
): readonly Edit[] => {
  const { dialect } = statement.database
  const column = quoteIdentifier(meant.column, dialect)
  if (use.qualifier === null || meant.qualifier === null) {
    return bareColumnTokens(use.column, statement).map(({ start, end }) => ({ start, end, text: column }))
  }
  const before = use.qualifier
  // An unchanged qualifier keeps its spelling: it may be an alias, which only the statement knows how to write.
  const moved = sameName(before, meant.qualifier, statement)
    ? null
    : quoteIdentifier(meant.qualifier, dialect)
  return statement.tokens.flatMap((token, at) => {
    const [dot, name] = [statement.tokens[at + 1], statement.tokens[at + 2]]
    if (!isName(token, before, statement) || dot?.text !== '.' || !name) return []
    if (!isName(name, use.column, statement)) return []
    return moved === null
      ? [{ start: name.start, end: name.end, text: column }]
      : [{ start: token.start, end: token.end, text: moved }]
  })
}
