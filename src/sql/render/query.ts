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
interface SetQuery {
  readonly kind: 'set'
  readonly operator: 'union' | 'intersect' | 'except'
  readonly left: Query
  readonly right: Query
}

export type Query = SelectQuery | SetQuery

/** Parts of a day or year that a query may cut or extract. */
export type DateUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'

export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>='

/**
 * How a column keeps its moments: `date` a day, `local` a timestamp without a zone, `instant` one with a zone
 * (read in `timeZone`), `text` ISO text.
 */
export type MomentType = 'date' | 'local' | 'instant' | 'text'

/** A value or condition of our own SELECT tree; immutable, in no dialect yet. */
export type Expression =
  | { readonly kind: 'column'; readonly table: string | null; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean | null }
  /** Midnight at the start of an ISO day, of the same type as the column it is compared with. */
  | {
      readonly kind: 'moment'
      readonly day: string
      readonly type: MomentType
      readonly timeZone: string
    }
  /** All columns; of one table where it is named. */
  | { readonly kind: 'star'; readonly table: string | null }
  | {
      readonly kind: 'aggregate'
      readonly fn: AggregateFunction
      readonly argument: Expression
      readonly distinct: boolean
    }
  /** Start of the unit that a moment lies in, as a day. */
  | {
      readonly kind: 'truncate'
      readonly unit: DateUnit
      readonly argument: Expression
      readonly type: MomentType
      readonly timeZone: string
    }
  | {
      readonly kind: 'compare'
      readonly operator: CompareOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'between'
      readonly argument: Expression
      readonly low: Expression
      readonly high: Expression
      readonly negated: boolean
    }
  /** Whether text contains, starts or ends with other text, whatever the case. `text` is no pattern: it is escaped. */
  | {
      readonly kind: 'matches'
      readonly argument: Expression
      readonly place: 'anywhere' | 'start' | 'end'
      readonly text: string
      readonly negated: boolean
    }
  | { readonly kind: 'is-null'; readonly argument: Expression; readonly negated: boolean }
  | {
      readonly kind: 'in'
      readonly argument: Expression
      readonly among: readonly Expression[] | Query
      readonly negated: boolean
    }
  | { readonly kind: 'subquery'; readonly query: Query }
  /** One value where a condition holds, and another (null: nothing) where it does not. */
  | {
      readonly kind: 'case'
      readonly when: Expression
      readonly result: Expression
      readonly otherwise: Expression | null
    }
  | { readonly kind: 'minus'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
