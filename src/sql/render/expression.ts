import type { Query } from './select-query.ts'

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
