import type { Expression } from './expression.ts'

/** A table as a FROM names it. `alias` is null where the table's own name does. */
export interface TableSource {
  readonly schema: string | null
  readonly name: string
  readonly alias: string | null
}

export interface SelectItem {
  readonly expression: Expression
  readonly alias: string | null
}

export interface Join {
  readonly table: TableSource
  readonly kind: 'inner' | 'left'
  readonly on: Expression
}

export interface OrderItem {
  readonly expression: Expression
  readonly direction: 'asc' | 'desc'
  /** Whether the expression may be null: then nulls are put last, also where the dialect would put them first. */
  readonly nullable: boolean
}

/** One SELECT. Immutable; an empty `groupBy` means none. */
export interface SelectQuery {
  readonly kind: 'select'
  readonly distinct: boolean
  readonly items: readonly SelectItem[]
  readonly from: TableSource
  readonly joins: readonly Join[]
  readonly where: Expression | null
  readonly groupBy: readonly Expression[]
  readonly having: Expression | null
  readonly orderBy: readonly OrderItem[]
  readonly limit: number | null
}

/** Two queries of the same width put together. */
export interface SetQuery {
  readonly kind: 'set'
  readonly operator: 'union' | 'intersect' | 'except'
  readonly left: Query
  readonly right: Query
}

export type Query = SelectQuery | SetQuery
