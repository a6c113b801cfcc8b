import type { ExecutionGroup } from '../../../src/core/execution-group.ts'
import type { DraftingMode } from '../waves/plan-wave.ts'
import { tournamentRules } from './knock-out-rules.ts'

/** Whether there is anything to compare: two results, and in the adaptive mode a leader who is not sure already. */
export const isWorthComparing = (groups: readonly ExecutionGroup[], drafting: DraftingMode): boolean => {
  const [leader, runnerUp] = groups
  if (leader === undefined || runnerUp === undefined) return false
  return drafting === 'full' || leader.score < tournamentRules.sureLeader
}
