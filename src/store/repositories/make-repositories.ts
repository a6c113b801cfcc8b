import type { Within } from '../transactions.ts'
import { makeAnswerViews } from './answer-looks.ts'
import { makeAnswerRevisions } from './answer-revisions.ts'
import { makeAnswers } from './answers.ts'
import { makeAuditLog } from './audit-log.ts'
import { makeQuestionContexts } from './briefs.ts'
import { makeBudgetUsage } from './budget-usage.ts'
import { makeCachedAnswers } from './cached-answers.ts'
import { makeCandidates } from './candidates.ts'
import { makeClarifications } from './clarifications.ts'
import { makeDigestFindings } from './digest-findings.ts'
import { makeDigestMessages } from './digest-messages.ts'
import { makeDigestRuns } from './digest-runs.ts'
import { makeDigestRequests } from './digest-wishes.ts'
import { makeDigests } from './digests.ts'
import { makeExpertWeights } from './expert-weights.ts'
import { makeFeedback } from './feedback.ts'
import { makeInboundMessages } from './heard-messages.ts'
import { makeHomeQuestions } from './home-questions.ts'
import { makeReviewRequests } from './human-requests.ts'
import { makeInstallations } from './installations.ts'
import { makeModelUsage } from './model-usage.ts'
import { makeOutboundMessages } from './outbound-messages.ts'
import { makePersonalData } from './personal-data.ts'
import { makeProposedRules } from './proposed-rules.ts'
import { makeQuestions } from './questions.ts'
import { makeUsageReservations } from './reading-reservations.ts'
import { makeComments } from './remarks.ts'
import { makeReplies } from './replies.ts'
import { makeRetention } from './retention.ts'
import { makeRuns } from './runs.ts'
import { makeSavedResults } from './saved-results.ts'
import { makeSelectionSnapshots } from './selection-snapshots.ts'
import { makeSelectorVersions } from './selector-versions.ts'
import { makeSharedIndexRows } from './shared-indexes.ts'
import { makeTraces } from './traces.ts'
import { makeVerifiedNotices } from './verified-notices.ts'
import { makeVerifiedQueries } from './verified-queries.ts'
import { makeVotes } from './votes.ts'

export type Repositories = ReturnType<typeof makeRepositories>

/** Makes the queries over every noun: one query a function, each in the transaction it is given, else by itself. */
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
  selectionSnapshots: makeSelectionSnapshots(within),
  selectorVersions: makeSelectorVersions(within),
  expertWeights: makeExpertWeights(within),
  modelUsage: makeModelUsage(within),
  traces: makeTraces(within),
  auditLog: makeAuditLog(within),
  budgetUsage: makeBudgetUsage(within),
  usageReservations: makeUsageReservations(within),
  proposedRules: makeProposedRules(within),
  personalData: makePersonalData(within),
  retention: makeRetention(within),
  digests: makeDigests(within),
  digestRuns: makeDigestRuns(within),
  digestFindings: makeDigestFindings(within),
  digestMessages: makeDigestMessages(within),
  digestRequests: makeDigestRequests(within),
  installations: makeInstallations(within),
  sharedIndexes: makeSharedIndexRows(within),
})
