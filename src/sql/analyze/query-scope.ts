/** Something in a FROM clause. `derived` is a subquery, a CTE or a function: it has no columns of its own. */
export interface Source {
  readonly kind: 'table' | 'derived'
  /** The database or catalog before the schema, where the text names it. */
  readonly catalog: string | null
  readonly schema: string | null
  /** Name of the table, or of the CTE or function. */
  readonly name: string | null
  readonly alias: string | null
}

/** A column as it is named, before anybody knows whose it is. `*` stands for all of them. */
export interface ColumnUse {
  readonly qualifier: string | null
  readonly column: string
  /** SQLite takes `"x"` for text when there is no such column. */
  readonly mayBeText: boolean
  /** Stands where a name given in the SELECT list may be meant: ORDER BY, GROUP BY, HAVING. */
  readonly mayBeOutput: boolean
}

/** A literal, and the column it is compared to where that stands beside it. */
interface LiteralUse {
  readonly value: string
  readonly kind: 'text' | 'number'
  readonly comparedTo: ColumnUse | null
  /** SQLite's `"x"`, which is a column where there is one. */
  readonly mayBeColumn: boolean
}

/** One SELECT with what it names. Scopes point outwards, because a correlated subquery sees what is around it. */
export interface QueryScope {
  readonly parent: QueryScope | null
  readonly sources: Source[]
  /** Names given to results in the SELECT list, in lower case. */
  readonly outputs: Set<string>
  readonly columns: ColumnUse[]
  readonly literals: LiteralUse[]
}

export const makeScope = (parent: QueryScope | null): QueryScope => ({
  parent,
  sources: [],
  outputs: new Set(),
  columns: [],
  literals: [],
})
