import type { TimeSpan } from '../../core/understanding.ts'
import type { Cue } from '../lexicon/cue.ts'
import type { Features } from '../rank/features.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

interface Linked {
  /** Tokens [start, end) that the item stands on. */
  readonly start: number
  readonly end: number
  readonly features: Features
  /** Weighted sum of the features. */
  readonly score: number
}

/** What a span of the question may mean. Items overlap; the search takes a set that does not. */
export type Item =
  | (Linked & { readonly kind: 'column'; readonly column: ColumnEntry })
  | (Linked & {
      readonly kind: 'table'
      readonly table: TableEntry
      /** The words mean what its rows are called by ("full name"), not the table itself. */
      readonly calledBy: boolean
    })
  | (Linked & {
      readonly kind: 'value'
      readonly column: ColumnEntry
      readonly value: string | number | boolean
      /** The team's glossary says that the words mean this value. */
      readonly byTerm: boolean
    })
  /** Text in quotes, or after a word that announces some, which is no known value. */
  | (Linked & { readonly kind: 'text'; readonly text: string })
  /** A word that says that a column is empty: "unpaid", "undelivered". */
  | (Linked & { readonly kind: 'absence'; readonly column: ColumnEntry })
  | (Linked & { readonly kind: 'number'; readonly number: number; readonly text: string })
  | (Linked & { readonly kind: 'period'; readonly span: TimeSpan })
  | (Linked & { readonly kind: 'cue'; readonly cue: Cue })

export type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>
