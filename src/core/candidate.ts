import type { Evidence } from './evidence.ts'
import type { Decision } from './reading.ts'
import type { SqlErrorClass } from './sql-error.ts'

/** A way to make candidates (design/pipeline.md 5). */
export type DraftPathName =
  | 'semantic-parser'
  | 'verified-example'
  | 'divide-and-conquer'
  | 'query-plan'
  | 'online-synthetic'
  | 'pool-replay'

/** One round of repair: what was wrong, and what was tried. */
export interface Repair {
  readonly round: number
  readonly sql: string
  readonly errorClass: SqlErrorClass
  readonly message: string
}

/** How the last statement of a candidate ended. Rows are elsewhere: `resultId` names the saved result. */
export type CandidateRun =
  | {
      readonly status: 'ran'
      readonly resultId: string
      /** Hash of the canonical result, whatever its order: equal for candidates of one execution group. */
      readonly groupKey: string
      /** Tells members of a group apart whose columns come in another order. */
      readonly columnsKey: string
      readonly evidence: Evidence
      readonly rowCount: number
      readonly columnCount: number
      readonly milliseconds: number
    }
  | { readonly status: 'failed'; readonly errorClass: SqlErrorClass; readonly message: string }

/**
 * One SQL with its path and repair history. `lineage` is path and model: two candidates of one lineage are
 * correlated and must not count as two witnesses. `prior` is the path's own estimate of being right, 0 to 1.
 */
export interface Candidate {
  readonly id: string
  readonly path: DraftPathName
  readonly lineage: string
  readonly rank: number
  readonly sql: string
  readonly prior: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly string[]
  /** Content words of the question that this SQL leaves out; null when the path cannot tell. */
  readonly unused: readonly string[] | null
  readonly repairs: readonly Repair[]
  readonly run: CandidateRun | null
}
