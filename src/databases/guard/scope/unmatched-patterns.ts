import type { Catalog } from '../../../core/catalog.ts'
import type { ReadScope } from '../../../core/read-scope.ts'
import { matchesColumn, matchesTable } from './name-pattern.ts'

/** Patterns that mean nothing in this catalog, with the list that each stands in. */
export const unmatchedPatterns = (
  { tables, dialect }: Catalog,
  scope: ReadScope,
): readonly { readonly list: string; readonly pattern: string }[] => {
  const hasTable = (pattern: string): boolean => tables.some(table => matchesTable(pattern, table, dialect))
  const hasColumn = (pattern: string): boolean =>
    tables.some(table => table.columns.some(column => matchesColumn(pattern, table, column, dialect)))
  const lists = [
    ['tables.include', scope.tables.include, hasTable],
    ['tables.exclude', scope.tables.exclude, hasTable],
    ['columns.exclude', scope.columns.exclude, hasColumn],
    ['columns.mask', scope.columns.mask, hasColumn],
  ] as const
  return lists.flatMap(([list, patterns, has]) =>
    patterns.filter(pattern => !has(pattern)).map(pattern => ({ list, pattern })),
  )
}
