import type { TimeSpan } from '../domain/question-context.ts'
import type { DateUnit } from '../sql/tree/query-tree.ts'
import type { AggregateFunction, CompareOperator, SortDirection } from './lexicon.ts'
import type { ColumnEntry, TableEntry } from './schema/schema-index.ts'

/** A number per group: a count of rows, or an aggregate of a column. */
export interface Measure {
  readonly fn: AggregateFunction
  /** Null counts rows of `table`, or rows of what the query is about if `table` is null too. */
  readonly column: ColumnEntry | null
  readonly table: TableEntry | null
  readonly distinct: boolean
}

export type Output =
  | { readonly kind: 'column'; readonly column: ColumnEntry; readonly grouped: boolean }
  | { readonly kind: 'measure'; readonly measure: Measure }
  | { readonly kind: 'unit'; readonly column: ColumnEntry; readonly unit: DateUnit }
  | { readonly kind: 'all'; readonly table: TableEntry | null }

/** A condition on one column. */
export type ConditionTest =
  | {
      readonly kind: 'compare'
      readonly operator: CompareOperator
      readonly value: string | number | boolean
    }
  | { readonly kind: 'compare-column'; readonly operator: CompareOperator; readonly other: ColumnEntry }
  | {
      readonly kind: 'compare-aggregate'
      readonly operator: CompareOperator
      readonly fn: Exclude<AggregateFunction, 'count'>
    }
  | { readonly kind: 'between'; readonly low: number; readonly high: number }
  | { readonly kind: 'matches'; readonly place: 'anywhere' | 'start' | 'end'; readonly text: string }
  | { readonly kind: 'period'; readonly span: TimeSpan }
  | { readonly kind: 'missing' }

export interface Condition {
  readonly column: ColumnEntry
  readonly test: ConditionTest
  readonly negated: boolean
  /** Joined to the condition before it by OR instead of AND. */
  readonly or: boolean
}

export interface GroupKey {
  readonly column: ColumnEntry
  /** Group by the row that the column names, not only by the text of the column. */
  readonly entity: TableEntry | null
  readonly unit: DateUnit | null
}

export interface Having {
  readonly measure: Measure
  readonly operator: CompareOperator
  readonly number: number
  readonly high: number | null
}

export interface OrderKey {
  /** A column as it is, or a measure per group. */
  readonly by: ColumnEntry | Measure
  readonly direction: SortDirection
}

/** What a question asks for, before its tables are joined. Lists are in the order of the question. */
export interface Frame {
  readonly outputs: readonly Output[]
  readonly conditions: readonly Condition[]
  readonly groups: readonly GroupKey[]
  readonly havings: readonly Having[]
  readonly orders: readonly OrderKey[]
  readonly limit: number | null
  readonly distinct: boolean
  /** Tables that the question names, in order. */
  readonly tables: readonly TableEntry[]
  /** Tables that must have no row for what is asked about: "customers without orders". */
  readonly absent: readonly TableEntry[]
  /** Two conditions on one column must hold for the same thing in different rows: "both A and B". */
  readonly both: boolean
}

export const emptyFrame: Frame = {
  outputs: [],
  conditions: [],
  groups: [],
  havings: [],
  orders: [],
  limit: null,
  distinct: false,
  tables: [],
  absent: [],
  both: false,
}

export const isMeasure = (by: ColumnEntry | Measure): by is Measure => 'fn' in by
