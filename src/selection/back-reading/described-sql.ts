/** What a part of a statement does. `source` are the tables that the rows come from. */
export type PartKind =
  | 'output'
  | 'distinct'
  | 'source'
  | 'join'
  | 'filter'
  | 'group'
  | 'having'
  | 'order'
  | 'limit'
  | 'set'

/** What a part does that a question has words for: "more than", "not", "each", "average". */
export type Sign =
  | 'count'
  | 'sum'
  | 'average'
  | 'lowest'
  | 'highest'
  | 'distinct'
  | 'negation'
  | 'missing'
  | 'more'
  | 'at-least'
  | 'less'
  | 'at-most'
  | 'between'
  | 'pattern'
  | 'or'
  | 'all-kept'
  | 'ascending'
  | 'descending'
  | 'both'
  | 'either'
  | 'except'

/** A column of the catalog; `table` is null where the statement does not say whose it is. */
export interface ColumnName {
  readonly table: string | null
  readonly column: string
}

/** A literal of a part, and the column that it is compared to. */
export interface PartValue {
  readonly value: string
  readonly kind: 'text' | 'number'
  readonly column: ColumnName | null
}

/** One part of a statement in words, with what it names. */
export interface DescribedPart {
  readonly kind: PartKind
  /** Plain words for a person: `the age is more than 20`. */
  readonly words: string
  /** How deep in subqueries the part stands; 0 is the statement itself. */
  readonly depth: number
  readonly tables: readonly string[]
  readonly columns: readonly ColumnName[]
  readonly values: readonly PartValue[]
  readonly signs: readonly Sign[]
}

/** A statement read back into words: one sentence without its full stop, and the parts that it is made of. */
export interface DescribedSql {
  readonly text: string
  readonly parts: readonly DescribedPart[]
}
