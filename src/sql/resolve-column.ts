import type { ColumnUse, QueryScope, Source } from './query-scope.ts'

/** A column of a real table. `table` is null when the text alone does not say whose column it is. */
export interface ColumnReference {
  readonly table: string | null
  readonly column: string
  /** In SQLite, `"x"` without a table is text when no column has that name. */
  readonly mayBeText: boolean
}

/**
 * Whose columns a use means. Empty for results of a subquery, a CTE or the SELECT list: what those are made of is
 * reported where they are made. A bare name goes to the only table of the nearest scope; a catalog can tell when
 * it is really a column from further out.
 */
export const resolveColumn = (use: ColumnUse, scope: QueryScope): readonly ColumnReference[] => {
  const { column, mayBeText } = use
  const of = (source: Source | null): ColumnReference => ({ table: source?.name ?? null, column, mayBeText })
  if (use.qualifier !== null) {
    const source = findSource(use.qualifier, scope)
    if (source === null) return [{ table: use.qualifier, column, mayBeText }]
    return source.kind === 'table' ? [of(source)] : []
  }
  const tables = scope.sources.filter(source => source.kind === 'table')
  if (column === '*') return tables.map(of)
  const wholeRow = scope.sources.find(source => isKnownAs(source, column))
  if (wholeRow !== undefined)
    return wholeRow.kind === 'table' ? [of(wholeRow), { ...of(wholeRow), column: '*' }] : []
  if (use.mayBeOutput && scope.outputs.has(column.toLowerCase())) return []
  if (scope.sources.length === 0) return scope.parent === null ? [of(null)] : resolveColumn(use, scope.parent)
  if (tables.length === 0) return []
  return [of(scope.sources.length === 1 ? (tables[0] as Source) : null)]
}

const findSource = (qualifier: string, scope: QueryScope): Source | null =>
  scope.sources.find(source => isKnownAs(source, qualifier)) ??
  (scope.parent === null ? null : findSource(qualifier, scope.parent))

/** An alias hides the table's own name. */
const isKnownAs = (source: Source, name: string): boolean =>
  (source.alias ?? source.name)?.toLowerCase() === name.toLowerCase()
