import type { FindValues, TimeSpan } from '../../domain/question-context.ts'
import type { Cue } from '../lexicon.ts'
import type { Features, Weights } from '../rank/model.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import type { Token } from '../tokenize.ts'
import type { StemMatch } from './match-names.ts'

interface SpanBase {
  /** The tokens [start, end) of the span. */
  readonly start: number
  readonly end: number
  readonly features: Features
  /** Weighted sum of the features. */
  readonly score: number
}

/** What a span of the question may mean. Spans overlap; the search chooses ones that do not. */
export type LinkedSpan =
  | (SpanBase & { readonly kind: 'column'; readonly column: ColumnEntry })
  | (SpanBase & {
      readonly kind: 'table'
      readonly table: TableEntry
      /** The words mean the name of its rows ("full name"), not the table itself. */
      readonly calledBy: boolean
    })
  | (SpanBase & {
      readonly kind: 'value'
      readonly column: ColumnEntry
      readonly value: string | number | boolean
      /** The team's glossary says that the words mean this value. */
      readonly byTerm: boolean
    })
  /** Quoted text, or text after a word that announces it, which is not a known value. */
  | (SpanBase & { readonly kind: 'text'; readonly text: string })
  /** A word that says that a column is null: "unpaid", "undelivered". */
  | (SpanBase & { readonly kind: 'absence'; readonly column: ColumnEntry })
  | (SpanBase & { readonly kind: 'number'; readonly number: number; readonly text: string })
  | (SpanBase & { readonly kind: 'period'; readonly span: TimeSpan })
  | (SpanBase & { readonly kind: 'cue'; readonly cue: Cue })

export type LinkedSpanOf<Kind extends LinkedSpan['kind']> = Extract<LinkedSpan, { kind: Kind }>

/** What linking needs: one question and one database. */
export interface LinkContext {
  readonly tokens: readonly Token[]
  readonly matches: readonly ReadonlyMap<string, StemMatch>[]
  readonly schema: SchemaIndex
  readonly findValues: FindValues
  readonly spans: readonly TimeSpan[]
  readonly weights: Weights
}

/** How strongly the question names a table, from 0 to 1, and with which tokens. */
export interface TableMention {
  readonly strength: number
  readonly at: readonly number[]
}
