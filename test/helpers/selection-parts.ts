import { makeFindEvidence } from '../../src/ranking/evidence.ts'
import { columnsKey, resultKey } from '../../src/ranking/result-key.ts'
import { makeRateTally, makeStoppingRule, shippedStoppingModel } from '../../src/ranking/stopping-rule.ts'
import { countVotes, groupCandidates } from '../../src/ranking/votes.ts'
import { findMeantPhrases } from '../../src/semantic-layer/ask/meant-phrases.ts'
import type { AnswerParts } from './answer-deps.ts'

/** What an answer graph chooses by, as the house wires it. */
export const selectionParts = {
  resultKey,
  columnsKey,
  findEvidence: makeFindEvidence(findMeantPhrases),
  groupCandidates,
  countVotes,
  rateTally: makeRateTally(shippedStoppingModel),
  decideDrafting: makeStoppingRule({ going: shippedStoppingModel.going.balanced }),
  selector: null,
  drafting: { mode: 'adaptive', mostDrafts: 21 },
  pairwise: null,
} as const satisfies Partial<AnswerParts>
