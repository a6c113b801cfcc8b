import type { Within } from '../transactions.ts'
import { makeAnswerRevisions, makeAnswers, makeAnswerViews } from './answers.ts'
import { makeAuditLog } from './audit-log.ts'
import { makeBudgetUsage, makeUsageReservations } from './budget-usage.ts'
import { makeCachedAnswers } from './cached-answers.ts'
import { makeClarifications, makeReplies } from './clarifications.ts'
import { makeDigestFindings, makeDigestMessages, makeDigestRuns } from './digest-runs.ts'
import { makeDigestRequests, makeDigests } from './digests.ts'
import { makeExpertRounds } from './expert-rounds.ts'
import { makeFeedback, makeVotes } from './feedback.ts'
import { makeInstallations } from './installations.ts'
import { makeLayerDecisions } from './layer-decisions.ts'
import { makeComments, makeInboundMessages, makeOutboundMessages } from './messages.ts'
import { makeModelUsage } from './model-usage.ts'
import { makePersonalData, makeRetention } from './personal-data.ts'
import { makeProposedRules } from './proposed-rules.ts'
import { makeHomeQuestions } from './question-statuses.ts'
import { makeQuestions } from './questions.ts'
import { makeReviewRequests } from './review-requests.ts'
import { makeCandidates, makeQuestionContexts, makeRuns, makeTraces } from './runs.ts'
import { makeSavedResults } from './saved-results.ts'
import { makeSecrets } from './secrets.ts'
import { makeExpertWeights, makeSelectionSnapshots, makeSelectorVersions } from './selectors.ts'
import { makeSharedIndexRows } from './shared-indexes.ts'
import { makeVerifiedNotices, makeVerifiedQueries } from './verified-queries.ts'
import { makeVoters } from './voters.ts'

export type Repositories = ReturnType<typeof makeRepositories>

/** All queries by subject: one query per function, each in the given transaction, or on its own. */
export const makeRepositories = (within: Within) => ({
  inboundMessages: makeInboundMessages(within),
  questions: makeQuestions(within),
  runs: makeRuns(within),
  questionContexts: makeQuestionContexts(within),
  candidates: makeCandidates(within),
  savedResults: makeSavedResults(within),
  answers: makeAnswers(within),
  answerRevisions: makeAnswerRevisions(within),
  answerViews: makeAnswerViews(within),
  cachedAnswers: makeCachedAnswers(within),
  homeQuestions: makeHomeQuestions(within),
  reviewRequests: makeReviewRequests(within),
  clarifications: makeClarifications(within),
  replies: makeReplies(within),
  comments: makeComments(within),
  outboundMessages: makeOutboundMessages(within),
  verifiedQueries: makeVerifiedQueries(within),
  verifiedNotices: makeVerifiedNotices(within),
  votes: makeVotes(within),
  feedback: makeFeedback(within),
  voters: makeVoters(within),
  selectionSnapshots: makeSelectionSnapshots(within),
  selectorVersions: makeSelectorVersions(within),
  expertWeights: makeExpertWeights(within),
  expertRounds: makeExpertRounds(within),
  modelUsage: makeModelUsage(within),
  traces: makeTraces(within),
  auditLog: makeAuditLog(within),
  budgetUsage: makeBudgetUsage(within),
  usageReservations: makeUsageReservations(within),
  proposedRules: makeProposedRules(within),
  layerDecisions: makeLayerDecisions(within),
  personalData: makePersonalData(within),
  retention: makeRetention(within),
  digests: makeDigests(within),
  digestRuns: makeDigestRuns(within),
  digestFindings: makeDigestFindings(within),
  digestMessages: makeDigestMessages(within),
  digestRequests: makeDigestRequests(within),
  installations: makeInstallations(within),
  sharedIndexes: makeSharedIndexRows(within),
  secrets: makeSecrets(within),
})
