import type { DigestRunKey } from './digest-delivery.ts'

/** A run as it is kept. `request` names the click of a run by hand. */
export interface DigestRun extends DigestRunKey {
  readonly kind: 'due' | 'late' | 'by-hand'
  /** Due times that it stands for, its own included. */
  readonly missed: number
  readonly request: string | null
  /** Who wanted it at once; null where it was due. It is run with the owner's rights, on this account. */
  readonly runBy: string | null
  readonly claimedAt: Date
  /** Null while it is under way, or waits. */
  readonly ended: { readonly at: Date; readonly outcome: DigestOutcome } | null
}

/** One question of a run as it was sent to the database. */
export interface ExecutedStatement {
  readonly text: string
  /** Its periods resolved. */
  readonly sql: string
  /** Periods in words with their days. */
  readonly periods: readonly string[]
}

/**
 * What became of a run. `quiet`: its condition was not met; `partly`: posted with a question that failed; `failed`:
 * nothing could be shown; `repair`: the schema changed under a statement; `skipped`: it was paused before its turn.
 */
export type DigestOutcome =
  | 'posted'
  | 'quiet'
  | 'partly'
  | 'failed'
  | 'not-allowed'
  | 'repair'
  | 'unreachable'
  | 'skipped'

/**
 * As much of a result as it takes to tell later what changed: the number it is about, or a short hash of each row under
 * that of its key. `complete` is false where a cap cut the rows, which then cannot be counted against one another.
 */
export type DigestFinding =
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'rows'
      readonly complete: boolean
      /** Of the first numeric column of the first row; null where there is none. */
      readonly value: number | null
      readonly rows: readonly { readonly key: string; readonly row: string }[]
    }
