import type { Adjective } from '../../lib/lexicon/adjectives.ts'
import type { AggregateFunction, CompareOperator, DateUnit } from '../../sql/render/expression.ts'

export type SortDirection = 'asc' | 'desc'

/** What a word of general English says about the shape of a query. */
export type Cue =
  | { readonly kind: 'count' }
  | { readonly kind: 'aggregate'; readonly fn: Exclude<AggregateFunction, 'count'> }
  /** `manner` tells what is ranked: a column, how many rows of a thing there are, or how often a value occurs. */
  | {
      readonly kind: 'superlative'
      readonly direction: SortDirection
      readonly adjective: Adjective | null
      readonly manner: 'column' | 'most' | 'frequency'
    }
  | {
      readonly kind: 'compare'
      readonly operator: CompareOperator
      readonly adjective: Adjective | null
    }
  /** A comparison that follows its number: "10 or more". */
  | { readonly kind: 'compare-after'; readonly operator: CompareOperator }
  | { readonly kind: 'between' }
  | { readonly kind: 'not' }
  | { readonly kind: 'each' }
  | { readonly kind: 'by' }
  | { readonly kind: 'unit'; readonly unit: DateUnit }
  | { readonly kind: 'order'; readonly direction: SortDirection | null }
  | { readonly kind: 'direction'; readonly direction: SortDirection }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'and' }
  | { readonly kind: 'or' }
  | { readonly kind: 'both' }
  | { readonly kind: 'except' }
  | { readonly kind: 'matches'; readonly place: 'anywhere' | 'start' | 'end' }
  | { readonly kind: 'condition' }
  | { readonly kind: 'request' }
  | { readonly kind: 'everything' }
  | { readonly kind: 'missing'; readonly negated: boolean }
  | { readonly kind: 'top' }
  /** "How old": asks for what the adjective measures. */
  | { readonly kind: 'measure'; readonly adjective: Adjective }
  /** "Years old": says what the numbers before it measure. */
  | { readonly kind: 'measured'; readonly adjective: Adjective }
