import type { Adjective } from '../../lib/lexicon/adjectives.ts'
import type { Lattice } from '../link/link-question.ts'
import type { Weights } from '../rank/features.ts'
import type { ColumnEntry, SchemaIndex } from '../schema/schema-index.ts'
import type { Token } from '../tokenise/token.ts'
import type { AdjacentWords } from './little-words.ts'
import type { SearchState } from './state.ts'

/** What the search reads: one linked question. */
export interface SearchContext {
  readonly tokens: readonly Token[]
  readonly lattice: Lattice
  readonly schema: SchemaIndex
  readonly weights: Weights
  /** Columns that an adjective measures ("older": age), with the way it points. Remembered per question. */
  readonly columnsOf: (
    adjective: Adjective,
  ) => readonly { readonly column: ColumnEntry; readonly up: boolean }[]
  /** Columns that can hold a moment, best first for this question. */
  readonly momentColumns: readonly ColumnEntry[]
  /** Whether a word of the column's name stands in the question as it is: "shipped" for `shipped_at`. */
  readonly spoken: (column: ColumnEntry) => boolean
  readonly yearColumns: readonly ColumnEntry[]
  readonly contexts: AdjacentWords
}

/** One way to go on from a state by an item; several, one or none. */
export type SearchStep<Item> = (
  context: SearchContext,
  state: SearchState,
  item: Item,
) => readonly SearchState[]
