import type { TimeSpan } from '../../core/understanding.ts'
import type { FindValues } from '../../core/value-match.ts'
import type { Weights } from '../rank/features.ts'
import type { SchemaIndex } from '../schema/schema-index.ts'
import type { Token } from '../tokenise/token.ts'
import type { StemMatch } from './match-stems.ts'

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
