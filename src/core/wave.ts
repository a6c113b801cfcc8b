/** One draft to be made: along which path, and which of its samples (from 0); the sample is also the seed. */
export interface PlannedDraft {
  readonly path: string
  readonly sample: number
}

/**
 * One step of drafting and why it was taken; `drafts` is empty for the decision to stop. `probability` is that of the
 * leading result being right, `gain` what a further draft was expected to add to it less its cost (null where nothing
 * was weighed).
 */
export interface DraftingRoundRecord {
  readonly round: number
  readonly wave: number
  readonly drafts: readonly PlannedDraft[]
  readonly probability: number
  readonly gain: number | null
  readonly reason: string
}
