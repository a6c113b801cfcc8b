import type { Table } from '../../../src/core/catalog.ts'
import type { Source } from '../../../src/sql/query-scope.ts'
import type { SelectBlock } from './select-blocks.ts'
import { type Statement, sameName, tableNamed } from './statement.ts'

/** What one SELECT can name: its own sources, and those of the SELECTs around it. */
export const visibleSources = (block: SelectBlock): readonly Source[] => [
  ...(block.scope?.sources ?? []),
  ...(block.parent === null ? [] : visibleSources(block.parent)),
]

/** The name that a source goes by: its alias hides its own. */
export const nameOfSource = (source: Source): string | null => source.alias ?? source.name

/** The table behind a source; null for subqueries, CTEs, and what the catalog does not know. */
export const tableOfSource = (source: Source, statement: Statement): Table | null => {
  if (source.kind !== 'table' || source.name === null) return null
  return isCte(source.name, statement) ? null : tableNamed(source.name, statement)
}

/** A SELECT that is read by itself takes the statement's CTEs for tables; the whole statement knows better. */
const isCte = (name: string, { scopes }: Statement): boolean =>
  scopes.some(({ sources }) =>
    sources.some(source => source.kind === 'derived' && source.name?.toLowerCase() === name.toLowerCase()),
  )

export const hasColumn = (table: Table, name: string, statement: Statement): boolean =>
  table.columns.some(column => sameName(column.name, name, statement))
