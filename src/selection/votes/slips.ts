import type { FeedbackReason } from '../../core/feedback.ts'

/**
 * How often what a person did is a slip: they judged in haste, misread the table, or meant something else by it. One in
 * five for whatever costs one click; less for what takes effort and is looked at twice; an export says little at all,
 * because wrong rows are exported too, to be looked into.
 */
export const noiseRates = {
  up: 0.2,
  down: 0.2,
  alternative: 0.2,
  sql: 0.1,
  edit: 0.3,
  export: 0.4,
  verification: 0.05,
} as const

/**
 * A thumb down that comes with one of these is about a result that may well be the right one: nothing is learned from
 * it.
 */
export const unrelatedReasons: ReadonlySet<FeedbackReason> = new Set(['format', 'stale-data'])
