import type { TimeSpan } from '../../core/understanding.ts'
import type { Cue } from '../lexicon/cue.ts'
import type { Features } from '../rank/features.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

interface SpanBase {
  /** Tokens [start, end) that the item stands on. */
  readonly start: number
  readonly end: number
  readonly features: Features
  /** Weighted sum of the features. */
  readonly score: number
}

/** What a span of the question may mean. Items overlap; the search takes a set that does not. */
export type LinkedSpan =
  | (SpanBase & { readonly kind: 'column'; readonly column: ColumnEntry })
  | (SpanBase & {
      readonly kind: 'table'
      readonly table: TableEntry
      /** The words mean what its rows are called by ("full name"), not the table itself. */
      readonly calledBy: boolean
    })
  | (SpanBase & {
      readonly kind: 'value'
      readonly column: ColumnEntry
      readonly value: string | number | boolean
      /** The team's glossary says that the words mean this value. */
      readonly byTerm: boolean
    })
  /** Text in quotes, or after a word that announces some, which is no known value. */
  | (SpanBase & { readonly kind: 'text'; readonly text: string })
  /** A word that says that a column is empty: "unpaid", "undelivered". */
  | (SpanBase & { readonly kind: 'absence'; readonly column: ColumnEntry })
  | (SpanBase & { readonly kind: 'number'; readonly number: number; readonly text: string })
  | (SpanBase & { readonly kind: 'period'; readonly span: TimeSpan })
  | (SpanBase & { readonly kind: 'cue'; readonly cue: Cue })

export type LinkedSpanOf<Kind extends LinkedSpan['kind']> = Extract<LinkedSpan, { kind: Kind }>
