import type { DraftPathName } from './candidate.ts'
import type { Database } from './database.ts'
import type { LinkedSchema } from './linked-schema.ts'
import type { Decision } from './reading.ts'
import type { SqlErrorClass } from './sql-error.ts'
import type { Understanding } from './understanding.ts'
import type { ModelUsage } from './usage.ts'
import type { ValueMatch } from './value-match.ts'

/** What every drafting path is given. */
export interface DraftInput {
  readonly understanding: Understanding
  readonly database: Database
  readonly linked: LinkedSchema
  readonly matches: readonly ValueMatch[]
  /** Which of the path's drafts this is, from 0; also what its shuffling and sampling are seeded with. */
  readonly sample: number
  /** Whose model budget pays for the drafts. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/** One statement of a path, before anything was checked or run. */
export interface Draft {
  readonly sql: string
  readonly lineage: string
  readonly prior: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly string[]
  readonly unused: readonly string[] | null
}

/**
 * A path: makes drafts, best first. May throw; the graph's drafting branch catches. A `free` path asks no model, knows
 * its own odds (calibrated priors) and says all it has in one go; a `model` path is asked for one draft at a time, up to
 * `samples` of them.
 */
export interface DraftPath {
  readonly name: DraftPathName
  readonly cost: 'free' | 'model'
  readonly samples: number
  readonly draft: (
    input: DraftInput,
  ) => Promise<{ readonly drafts: readonly Draft[]; readonly usage: ModelUsage }>
}

/** What was wrong with a statement, for the fixer. */
export interface FixInput extends DraftInput {
  readonly sql: string
  readonly errorClass: SqlErrorClass
  readonly message: string
  /** Earlier rounds, oldest first. */
  readonly history: readonly { readonly sql: string; readonly message: string }[]
}

/** Repairs one statement, or says that it cannot (null). One call is one round; the graph counts to three. */
export type FixSql = (
  input: FixInput,
) => Promise<
  { readonly sql: string; readonly usage: ModelUsage } | { readonly sql: null; readonly usage: ModelUsage }
>
