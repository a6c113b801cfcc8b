import type { AnswerDeps } from '../../graphs/answer/deps.ts'
import { columnsKey } from '../../src/selection/columns-key.ts'
import { findEvidence } from '../../src/selection/evidence/find-evidence.ts'
import { groupCandidates } from '../../src/selection/group-candidates.ts'
import { resultKey } from '../../src/selection/result-key.ts'
import { countVotes } from '../../src/selection/standing/count-votes.ts'
import { makeJudgeStanding } from '../../src/selection/standing/judge-standing.ts'
import { makeRateStanding } from '../../src/selection/standing/rate-standing.ts'
import { standingModel } from '../../src/selection/standing/shipped-model.ts'

/** What an answer graph chooses by, as the house wires it. */
export const selectionParts = {
  resultKey,
  columnsKey,
  findEvidence,
  groupCandidates,
  countVotes,
  rateStanding: makeRateStanding(standingModel),
  judgeStanding: makeJudgeStanding(standingModel),
  selector: null,
  drafting: { mode: 'adaptive', mostDrafts: 21 },
  pairwise: null,
} as const satisfies Partial<AnswerDeps>
