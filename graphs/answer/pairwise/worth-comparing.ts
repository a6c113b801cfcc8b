import type { ExecutionGroup } from '../../../src/core/execution-group.ts'
import type { Drafting } from '../waves/plan-wave.ts'
import { knockOutRules } from './knock-out-rules.ts'

/** Whether there is anything to compare: two results, and in the adaptive mode a leader who is not sure already. */
export const worthComparing = (groups: readonly ExecutionGroup[], drafting: Drafting): boolean => {
  const [leader, runnerUp] = groups
  if (leader === undefined || runnerUp === undefined) return false
  return drafting === 'full' || leader.score < knockOutRules.sureLeader
}
