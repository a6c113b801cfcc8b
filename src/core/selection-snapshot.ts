import type { MeasuredGroup } from './selector.ts'

/** What a selector saw when it chose an answer: kept so that what people do about the answer can teach it. */
export interface SelectionSnapshot {
  /** Of the selector that chose, as `SelectorVersion.version`. */
  readonly version: string
  /** All groups that it ranked, in their order before it did. */
  readonly groups: readonly MeasuredGroup[]
}

/** Keeps what the selector saw of a question; a later choice for the same question replaces it. */
export type SaveSnapshot = (questionId: string, snapshot: SelectionSnapshot) => Promise<void>
