import type { Catalog } from '../../core/catalog.ts'
import type { ResultTable } from '../../core/result.ts'
import type { QueryTree } from '../../sql/query-tree/query-tree.ts'
import type { QuestionWords } from '../back-reading/question-words.ts'

/** From -1 (the second is right) to 1 (the first is); 0 says nothing. Swapping the two turns the sign. */
export type Preference = number

/** One of two statements with different results. */
export interface ProbedStatement {
  readonly sql: string
  readonly result: ResultTable
}

/** What the two results already say, without asking the database anything. */
export interface Finding {
  readonly kind: string
  /** In words, for a person. */
  readonly reason: string
  readonly preference: Preference
}

/** A small query whose result tells two statements apart and can be checked against the question. */
export interface Probe {
  readonly kind: 'literal-held' | 'rows-without-partner' | 'partners-of-keys' | 'tie-at-top'
  /** Run it as any other statement: through the guard, read-only, under the usual caps. */
  readonly sql: string
  /** What is looked up, in words for a person. */
  readonly reason: string
  /** What the result says; 0 for a result of another shape than was asked for. */
  readonly judge: (result: ResultTable) => Preference
}

/** Two statements as a maker of probes reads them. */
export interface ProbedPair {
  readonly first: ProbedStatement & { readonly tree: QueryTree }
  readonly second: ProbedStatement & { readonly tree: QueryTree }
  readonly question: QuestionWords
  readonly catalog: Catalog
}
