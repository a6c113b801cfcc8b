import type { ForeignKey } from './catalog.ts'
import type { KnowledgeProblem } from './knowledge.ts'

/** Something that indexing left out, and why, in words for a person. */
export interface SkippedItem {
  /** `orders`, or `orders.note`. */
  readonly what: string
  readonly why: string
}

/** What indexing a database came to. `bytes` is the memory of the value index, its texts included. */
export interface IndexReport {
  readonly tables: number
  readonly columns: number
  readonly values: number
  readonly milliseconds: number
  readonly bytes: number
  /** Whether all of it was measured by this process, and nothing taken from an earlier one. */
  readonly isNew: boolean
  /** When the oldest of the measurements was made. */
  readonly measuredAt: Date
  readonly leftOut: readonly SkippedItem[]
  readonly derivedKeys: readonly ForeignKey[]
  /** What of the team's knowledge could not be read, or names what the database has not. */
  readonly knowledgeProblems: readonly KnowledgeProblem[]
}
