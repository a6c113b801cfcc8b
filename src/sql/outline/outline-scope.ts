/** Which columns the tables of a database have; names in lower case. What a text leaves open is settled by it. */
export type TablesWith = (column: string) => readonly string[]

/** What the names of one SELECT stand for: tables by the name they go by there. Scopes see what is around them. */
export interface OutlineScope {
  readonly tables: ReadonlyMap<string, string | null>
  readonly outer: OutlineScope | null
  readonly tablesWith: TablesWith
}

/** The real table behind a column's qualifier, or behind no qualifier; null where nothing tells. */
export const tableOf = (qualifier: string | null, column: string, scope: OutlineScope): string | null => {
  if (qualifier !== null) {
    const known = scope.tables.get(qualifier)
    if (known !== undefined) return known
    return scope.outer === null ? null : tableOf(qualifier, column, scope.outer)
  }
  const own = [...new Set([...scope.tables.values()].filter(table => table !== null))]
  const having = scope.tablesWith(column)
  const fits = own.filter(table => having.includes(table))
  if (fits.length > 0) return fits.length === 1 ? (fits[0] ?? null) : null
  if (scope.outer !== null && having.length > 0) return tableOf(null, column, scope.outer)
  return scope.tables.size === 1 && having.length === 0 ? (own[0] ?? null) : null
}
