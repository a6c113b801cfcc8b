import type { CallShortfall } from '../../../src/domain/answer.ts'
import type { DraftPath } from '../../../src/domain/candidate.ts'
import type { PlannedDraft } from '../../../src/domain/trace.ts'

/** Fixes that a model makes for each draft. Most drafts run as they are, or need only rules. */
const FIXES_PER_DRAFT = 0.1

/** Three different results, each pair in both orders; few questions need more (docs/evaluation.md). */
const JUDGMENTS = 6

/** The model calls that a plan of full mode usually needs. */
export interface CallEstimate {
  /** Drafts, and what their paths ask for once a question. */
  readonly drafts: number
  readonly fixes: number
  readonly judgments: number
}

/** Estimates the model calls of a plan: its drafts, their fixes, and the comparisons of their results. */
export const estimateCalls = (
  planned: readonly PlannedDraft[],
  paths: readonly Pick<DraftPath, 'name' | 'cost' | 'sharedCalls'>[],
): CallEstimate => {
  const asked = paths
    .filter(({ cost }) => cost === 'model')
    .map(({ name, sharedCalls = 0 }) => ({
      sharedCalls,
      drafts: planned.filter(({ path }) => path === name).length,
    }))
    .filter(({ drafts }) => drafts > 0)
  const drafts = asked.reduce((sum, path) => sum + path.drafts, 0)
  const shared = asked.reduce((sum, { sharedCalls }) => sum + sharedCalls, 0)
  return {
    drafts: drafts + shared,
    fixes: Math.round(drafts * FIXES_PER_DRAFT),
    judgments: drafts > 1 ? JUDGMENTS : 0,
  }
}

/** How far a plan goes beyond the calls that one question may have; null if it fits. */
export const findCallShortfall = (
  { drafts, fixes, judgments }: CallEstimate,
  allowed: number,
): CallShortfall | null => {
  const estimated = drafts + fixes + judgments
  return estimated > allowed ? { estimated, allowed } : null
}
