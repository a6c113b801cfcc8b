import { randomUUID } from 'node:crypto'
import { makeReadVerified } from '../../../graphs/answer/verified/read-verified.ts'
import { hasGroupsFor } from '../../access/rights/resolve-rights.ts'
import { makeExportRows } from '../../answering/export-csv.ts'
import { type CheckRateLimit, limitClickRate } from '../../answering/rate-limits.ts'
import {
  makeDecideReview,
  makePostReview,
  makeRequestReview,
  type PostReview,
} from '../../answering/request-review.ts'
import {
  makeFindRefusal,
  requireExportAccess,
  requireFeedbackAccess,
  requireResultsAccess,
  requireReviewAccess,
  requireSaveAccess,
  requireTraceAccess,
} from '../../answering/require-permission.ts'
import { type ApplyRevision, makeListAlternativeResults } from '../../answering/revise-answer.ts'
import { makeActInRunContext } from '../../audit/run-contexts.ts'
import { findChartData } from '../../charts/chart-data.ts'
import { findChartShape } from '../../charts/choose-chart.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import type { AccessControl } from '../../domain/access/access.ts'
import type { FindAnsweredQuestion } from '../../domain/answer.ts'
import type { ReviewChannel } from '../../domain/feedback.ts'
import type { Delivery, LocatedQuestion } from '../../domain/message.ts'
import type { SendJob } from '../../domain/operations/jobs.ts'
import type { ProposeVerified } from '../../domain/verified-query.ts'
import { makeRecordFeedback, makeRecordVote } from '../../feedback/record-feedback.ts'
import { makeRunInTurn } from '../../lib/concurrency.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'
import { resultKey } from '../../ranking/result-key.ts'
import {
  type CredentialsOf,
  perTeam,
  type RefusedBy,
  routeCharts,
  routeReviewChannel,
  type TeamOfQuestion,
} from '../../slack/by-team.ts'
import {
  type BuildAnswerMessage,
  makeBuildAnswerMessage,
  makeFindNativeChart,
  makeShowChart,
  type ShowChart,
} from '../../slack/delivery/answer-message.ts'
import { makeSlackClient } from '../../slack/delivery/client.ts'
import { makeFindOutcomeMessage } from '../../slack/delivery/place-answer.ts'
import { makePostStepMessage, makeUpdateMessage } from '../../slack/delivery/post-message.ts'
import type { RefusedBlocks } from '../../slack/delivery/refused-blocks.ts'
import { makeReviewChannel } from '../../slack/delivery/review-requests.ts'
import type { AnswerUseCases } from '../../slack/use-cases.ts'
import { makeProposeVerified, makeSaveVerified } from '../../verified-queries/save-verified.ts'
import type { OwnStore } from '../own-store.ts'
import type { Resources } from '../resources.ts'
import { teachExpertsFrom } from '../weigh-feedback.ts'
import { makeReviseUseCases } from './revise-answers.ts'

/** The actions on answers, and the delivery that shows them, charts included. */
export interface AnswerActions {
  readonly useCases: AnswerUseCases
  readonly delivery: Delivery
  readonly carryOut: PostReview
  readonly carryOutRevision: ApplyRevision
}

export const makeAnswerActions = (
  {
    config,
    openDatabase,
    inRunContext,
    log,
  }: Pick<Resources, 'config' | 'openDatabase' | 'inRunContext' | 'log'>,
  { store }: Pick<OwnStore, 'store'>,
  deps: AnswerActionDeps & {
    readonly refusedBy: RefusedBy
    readonly isAdmin: (person: string) => boolean
    /** Counts clicks that run SQL for a person or ask people for something. */
    readonly limitButtons: CheckRateLimit
    readonly makeDelivery: (buildMessage: BuildAnswerMessage) => Delivery
  },
): AnswerActions => {
  const { findAnswered, findPlaced, access, sendJob, forgetAnswer, now } = deps
  const inContext = makeActInRunContext({ inRunContext, findPlaced })
  const findRefusal = makeFindRefusal({ findPlaced, mayAsk: access.mayAsk, channel: null })
  const findRefusalNow = limitClickRate(findRefusal, { findPlaced, limit: deps.limitButtons })
  // Reviewers work in the review channel, not where the question was asked.
  const findReviewRefusal = makeFindRefusal({
    findPlaced,
    mayAsk: access.canReview,
    channel: config.slack.humansChannel,
  })
  const { repositories, inTransaction, loadResult } = store
  const { answerViews: answerLooks, candidates, reviewRequests, traces, verifiedQueries } = repositories
  const outbound = repositories.outboundMessages
  const { credentialsOf, teamOf } = deps
  const clientOf = perTeam(credentialsOf, credentials => makeSlackClient({ ...credentials, retries: 2 }))
  const open = (name: string) => openDatabase(name)
  const listCandidates = (questionId: string) => candidates.list(questionId)
  const findTrace = (questionId: string) => traces.find(questionId, now())
  const findChart = (resultId: string) => answerLooks.findChart(resultId)

  const refusedIn = (team: string): RefusedBlocks => deps.refusedBy(credentialsOf(team))
  const findNative = makeFindNativeChart({ findData: findChartData, refusedIn })
  const buildMessage = makeBuildAnswerMessage({
    ...{ loadResult, findChart, findNative },
    findShape: findChartShape,
    asksHumans: config.slack.humansChannel !== null,
    isSameForAll: database => !hasGroupsFor(config.rights, database),
  })
  const plain = deps.makeDelivery(buildMessage)
  const showChartIn = (team: string): ShowChart =>
    makeShowChart({
      ...{ findAnswered, loadResult, drawChart, buildMessage, findChart, findNative, log },
      findOutcome: makeFindOutcomeMessage(outbound),
      ...{ outbound, now: () => new Date() },
      client: clientOf(team),
      findShape: findChartShape,
      storeChart: (questionId, resultId, chart) => answerLooks.storeChart(questionId, resultId, chart),
      chooseTable: questionId => answerLooks.choose(questionId, 'table'),
    })
  const showChart = routeCharts(showChartIn, teamOf)
  /** The table is shown; a missing chart is no reason to answer again. */
  const tryChart = (questionId: string): ReturnType<ShowChart> =>
    showChart(questionId).catch((error: unknown) => {
      log.warn({ error, questionId }, 'could not show a chart')
      return 'no-chart'
    })
  // Of two updates of a message, the later state must be shown last.
  const inTurn = makeRunInTurn()
  const delivery: Delivery = {
    ...plain,
    finish: async (placed, report) => {
      await plain.finish(placed, report)
      if (report.outcome.status !== 'answered') return
      const { id } = placed.question
      await inTurn(id, async () => {
        if ((await tryChart(id)) === 'outdated') await plain.refresh(id)
      })
    },
    refresh: questionId => inTurn(questionId, () => plain.refresh(questionId)),
  }
  const showAnswer = (questionId: string): Promise<void> =>
    inTurn(questionId, async () => {
      if ((await tryChart(questionId)) === 'shown') return
      await plain.refresh(questionId)
      // A chart that Slack has just refused to draw becomes a picture.
      await tryChart(questionId)
    })

  const decideRequest = makeDecideReview({
    inTransaction,
    findRequest: reviewRequests.find,
    decide: reviewRequests.decide,
    sendJob,
    now,
  })
  const proposeVerified: ProposeVerified = inContext(
    'verified',
    makeProposeVerified({
      findAnswered,
      findUnderstanding: async questionId =>
        (await repositories.questionContexts.find(questionId))?.understanding ?? null,
      openDatabase: open,
      saveVerified: makeSaveVerified({
        readVerified: makeReadVerified({
          understand: understandQuestion,
          clock: { now, timeZone: config.timeZone },
        }),
        insert: query => verifiedQueries.insert(query),
        newId: randomUUID,
        now,
      }),
    }),
  )
  const teachExperts = teachExpertsFrom(store, config, log)
  const feedback = inContext(
    'edit',
    makeRecordFeedback({
      findAnswer: questionId => repositories.answers.find(questionId),
      findQuestion: questionId => repositories.questions.find(questionId),
      listCandidates,
      openDatabase,
      resultKey,
      upsertFeedback: async kept => {
        await repositories.feedback.upsert(kept)
        await teachExperts(kept.questionId)
      },
      now,
    }),
  )
  const revising = makeReviseUseCases(
    { config, openDatabase, log },
    { store },
    {
      ...{
        credentialsOf,
        teamOf,
        findAnswered,
        findPlaced,
        access,
        inContext,
        findRefusalNow,
        findReviewRefusal,
      },
      ...{ limitButtons: deps.limitButtons, sendJob, forgetAnswer, showAnswer, feedback, now },
    },
  )

  const useCases: AnswerUseCases = {
    findAnswered,
    findRefusal,
    vote: requireReviewAccess(
      findRefusal,
      makeRecordVote({
        findAnswer: repositories.answers.find,
        upsertVote: async given => {
          await repositories.votes.upsert(given)
          if (given.vote === 'down') forgetAnswer(given.questionId)
          await teachExperts(given.questionId)
        },
        countVotes: repositories.votes.count,
      }),
    ),
    feedback: requireFeedbackAccess(findRefusalNow, feedback),
    exportRows: requireExportAccess(
      findRefusalNow,
      makeExportRows({ findAnswered, loadResult, openDatabase: open }),
      (questionId, person, work) => inContext('export', work)({ questionId, person }),
    ),
    findTrace: requireTraceAccess(findRefusal, findTrace),
    otherResults: requireResultsAccess(
      findRefusal,
      makeListAlternativeResults({ findAnswered, findTrace, listCandidates, openDatabase: open }),
    ),
    reviseAnswer: revising.reviseAnswer,
    chooseDisplay: (questionId, look) => answerLooks.choose(questionId, look),
    proposeVerified: requireSaveAccess(
      findRefusalNow,
      (given: { readonly questionId: string; readonly person: string }) =>
        proposeVerified({ ...given, status: 'proposed' }),
    ),
    requestReview: requireReviewAccess(
      findRefusalNow,
      makeRequestReview({
        ...{ findAnswered, inTransaction, sendJob, now },
        channel: config.slack.humansChannel,
        insertRequest: reviewRequests.insert,
      }),
    ),
    findReviewRequest: questionId => reviewRequests.find(questionId),
    findReviewRefusal,
    decideReview: requireReviewAccess(findReviewRefusal, decideRequest),
    showAnswer,
  }
  const posterOf = perTeam(credentialsOf, credentials => makeSlackClient({ ...credentials, retries: 0 }))
  const reviewChannelIn = (team: string): ReviewChannel =>
    makeReviewChannel({
      postStep: makePostStepMessage({ poster: posterOf(team), outbound, now, log }),
      update: makeUpdateMessage({ client: clientOf(team), refused: refusedIn(team), log }),
      findAnswered,
      findOutcome: makeFindOutcomeMessage(outbound),
      audience: access.audience,
      loadResult,
      log,
    })
  const carryOut = makePostReview({
    findRequest: questionId => reviewRequests.find(questionId),
    isWithdrawn: questionId => repositories.questions.isWithdrawn(questionId),
    removeRequest: questionId => reviewRequests.remove(questionId),
    proposeVerified,
    findAsker: async questionId => (await findAnswered(questionId))?.question.askedBy ?? null,
    isAdmin: deps.isAdmin,
    channel: routeReviewChannel(reviewChannelIn, teamOf),
    refresh: showAnswer,
    log,
  })
  return { useCases, delivery, carryOut, carryOutRevision: revising.carryOut }
}

/** Dependencies of all actions on answers: locations, permissions and jobs. */
export interface AnswerActionDeps {
  readonly credentialsOf: CredentialsOf
  readonly teamOf: TeamOfQuestion
  readonly findAnswered: FindAnsweredQuestion
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly access: Pick<AccessControl, 'mayAsk' | 'canReview' | 'audience'>
  readonly sendJob: SendJob
  /** Removes an answer from the cache that is no longer shown as it was. */
  readonly forgetAnswer: (questionId: string) => void
  readonly now: () => Date
}
