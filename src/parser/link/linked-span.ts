import type { FindValues, TimeSpan } from '../../domain/question-context.ts'
import type { Cue } from '../lexicon.ts'
import type { Features, Weights } from '../rank/model.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import type { Token } from '../tokenize.ts'
import type { StemMatch } from './match-names.ts'

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

/** What linking reads: one question against one database. */
export interface LinkContext {
  readonly tokens: readonly Token[]
  readonly matches: readonly ReadonlyMap<string, StemMatch>[]
  readonly schema: SchemaIndex
  readonly findValues: FindValues
  readonly spans: readonly TimeSpan[]
  readonly weights: Weights
}

/** How strongly each table is named in the question, from 0 to 1, and the tokens where it is. */
export interface TableMention {
  readonly strength: number
  readonly at: readonly number[]
}
