import type { AnswerDeps } from '../../graphs/answer/deps.ts'
import { columnsKey } from '../../src/selection/columns-key.ts'
import { findEvidence } from '../../src/selection/evidence/find-evidence.ts'
import { groupCandidates } from '../../src/selection/group-candidates.ts'
import { resultKey } from '../../src/selection/result-key.ts'
import { countVotes } from '../../src/selection/standing/count-votes.ts'
import { makeStoppingRule } from '../../src/selection/standing/judge-standing.ts'
import { makeRateTally } from '../../src/selection/standing/rate-standing.ts'
import { shippedStoppingModel } from '../../src/selection/standing/shipped-model.ts'

/** What an answer graph chooses by, as the house wires it. */
export const selectionParts = {
  resultKey,
  columnsKey,
  findEvidence,
  groupCandidates,
  countVotes,
  rateStanding: makeRateTally(shippedStoppingModel),
  judgeStanding: makeStoppingRule(shippedStoppingModel),
  selector: null,
  drafting: { mode: 'adaptive', mostDrafts: 21 },
  pairwise: null,
} as const satisfies Partial<AnswerDeps>
