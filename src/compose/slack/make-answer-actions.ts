import { randomUUID } from 'node:crypto'
import { makeReadVerified } from '../../../graphs/answer/verified/read-verified.ts'
import { makeRequestReview } from '../../app/answers/ask-human.ts'
import { makePostReview, type PostReview } from '../../app/answers/carry-out-request.ts'
import type { ApplyRevision } from '../../app/answers/carry-out-revision.ts'
import { makeDecideReview } from '../../app/answers/decide-request.ts'
import { makeExportRows } from '../../app/answers/export-rows.ts'
import {
  makeFindRefusal,
  requireExportAccess,
  requireFeedbackAccess,
  requireResultsAccess,
  requireReviewAccess,
  requireSaveAccess,
  requireTraceAccess,
} from '../../app/answers/hold-to-rights.ts'
import { makeListAlternativeResults } from '../../app/answers/list-other-results.ts'
import { makeRecordFeedback } from '../../app/answers/record-feedback.ts'
import { makeRecordVote } from '../../app/answers/record-vote.ts'
import { limitClickRate } from '../../app/questions/limit-clicks.ts'
import type { CheckRateLimit } from '../../app/questions/limit-rate.ts'
import { makeProposeVerified, type ProposeVerified } from '../../app/verified/propose-verified.ts'
import { makeSaveVerified } from '../../app/verified/save-verified.ts'
import { findChartShape } from '../../charts/choose-chart.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import type { Resources } from '../../compose.ts'
import type { Delivery } from '../../core/delivery.ts'
import type { ReviewChannel } from '../../core/human-request.ts'
import { makeRunInTurn } from '../../lib/make-in-turn.ts'
import { resultKey } from '../../selection/result-key.ts'
import { understandQuestion } from '../../semantic-parser/understand/understand-question.ts'
import { type AnswerMessage, makeAnswerMessage } from '../../slack/answer-message.ts'
import type { AnswerUseCases } from '../../slack/answer-use-cases.ts'
import { makeUpdateMessage } from '../../slack/delivery/change-message.ts'
import { makeReviewChannel } from '../../slack/delivery/human-desk.ts'
import { makeSlackClient } from '../../slack/delivery/make-client.ts'
import { makePostStepMessage } from '../../slack/delivery/post-step.ts'
import { makeShowChart, type ShowChart } from '../../slack/delivery/show-chart.ts'
import { makeActInRunContext } from '../audit/act-in-context.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import type { AnswerActionDeps } from './answer-deps.ts'
import { makeReviseUseCases } from './make-revising.ts'
import { routeCharts, routeReviewChannel } from './route-by-team.ts'
import { perTeam } from './slack-doors.ts'

/** What people can do with answers, and the delivery that shows them, charts included. */
export interface AnswerActions {
  readonly useCases: AnswerUseCases
  readonly delivery: Delivery
  readonly carryOut: PostReview
  readonly carryOutRevision: ApplyRevision
}

/** Wires it. */
export const makeAnswerActions = (
  {
    config,
    openDatabase,
    inRunContext,
    log,
  }: Pick<Resources, 'config' | 'openDatabase' | 'inRunContext' | 'log'>,
  { store }: Pick<OwnStore, 'store'>,
  deps: AnswerActionDeps & {
    /** Counts what runs SQL for a person, or asks people for something. */
    readonly limitButtons: CheckRateLimit
    readonly makeDelivery: (answerMessage: AnswerMessage) => Delivery
  },
): AnswerActions => {
  const { findAnswered, findPlaced, access, sendJob, forgetAnswer, now } = deps
  const inContext = makeActInRunContext({ inRunContext, findPlaced })
  const whyNot = makeFindRefusal({ findPlaced, mayAsk: access.mayAsk, channel: null })
  const whyNotNow = limitClickRate(whyNot, { findPlaced, limit: deps.limitButtons })
  // Whoever was asked to look at an answer does so where that is done, not where the question was asked.
  const whyNotAtDesk = makeFindRefusal({
    findPlaced,
    mayAsk: access.mayDecide,
    channel: config.slack.humansChannel,
  })
  const { repositories, inTransaction, loadResult } = store
  const {
    answerViews: answerLooks,
    candidates,
    reviewRequests: humanRequests,
    traces,
    verifiedQueries,
  } = repositories
  const outbound = repositories.outboundMessages
  const { doorOf, teamOf } = deps
  const clientOf = perTeam(doorOf, door => makeSlackClient({ ...door, retries: 2 }))
  const open = (name: string) => openDatabase(name)
  const listCandidates = (questionId: string) => candidates.list(questionId)
  const findTrace = (questionId: string) => traces.find(questionId, now())
  const findChart = (resultId: string) => answerLooks.findChart(resultId)

  const answerMessage = makeAnswerMessage({
    loadResult,
    findChart,
    findShape: findChartShape,
    asksHumans: config.slack.humansChannel !== null,
  })
  const plain = deps.makeDelivery(answerMessage)
  const showChartIn = (team: string): ShowChart =>
    makeShowChart({
      ...{ findAnswered, loadResult, drawChart, answerMessage, findChart, outbound, log },
      client: clientOf(team),
      findShape: findChartShape,
      keepChart: (questionId, resultId, chart) => answerLooks.keepChart(questionId, resultId, chart),
      keepTable: questionId => answerLooks.choose(questionId, 'table'),
    })
  const showChart = routeCharts(showChartIn, teamOf)
  /** The table stands: that there is no picture is no reason to answer again. */
  const tryChart = (questionId: string): ReturnType<ShowChart> =>
    showChart(questionId).catch((error: unknown) => {
      log.warn({ error, questionId }, 'a chart could not be shown')
      return 'no-chart'
    })
  // Of two changes of a message, the later state must be shown last.
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
      if ((await tryChart(questionId)) !== 'shown') await plain.refresh(questionId)
    })

  const decideRequest = makeDecideReview({
    inTransaction,
    findRequest: humanRequests.find,
    decide: humanRequests.decide,
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
  const feedback = inContext(
    'edit',
    makeRecordFeedback({
      findAnswer: questionId => repositories.answers.find(questionId),
      findQuestion: questionId => repositories.questions.find(questionId),
      listCandidates,
      openDatabase,
      resultKey,
      upsertFeedback: kept => repositories.feedback.upsert(kept),
      now,
    }),
  )
  const revising = makeReviseUseCases(
    { config, openDatabase, log },
    { store },
    {
      ...{ doorOf, teamOf, findAnswered, findPlaced, access, inContext, whyNotNow, whyNotAtDesk },
      ...{ limitButtons: deps.limitButtons, sendJob, forgetAnswer, showAnswer, feedback, now },
    },
  )

  const useCases: AnswerUseCases = {
    findAnswered,
    vote: makeRecordVote({
      findAnswer: repositories.answers.find,
      upsertVote: async given => {
        await repositories.votes.upsert(given)
        if (given.vote === 'down') forgetAnswer(given.questionId)
      },
      countVotes: repositories.votes.count,
    }),
    feedback: requireFeedbackAccess(whyNotNow, feedback),
    exportRows: requireExportAccess(
      whyNotNow,
      makeExportRows({ findAnswered, loadResult, openDatabase: open }),
      (questionId, person, work) => inContext('export', work)({ questionId, person }),
    ),
    findTrace: requireTraceAccess(whyNot, findTrace),
    otherResults: requireResultsAccess(
      whyNot,
      makeListAlternativeResults({ findAnswered, findTrace, listCandidates, openDatabase: open }),
    ),
    reviseAnswer: revising.reviseAnswer,
    chooseLook: (questionId, look) => answerLooks.choose(questionId, look),
    proposeVerified: requireSaveAccess(
      whyNotNow,
      (given: { readonly questionId: string; readonly person: string }) =>
        proposeVerified({ ...given, status: 'proposed' }),
    ),
    askHuman: requireReviewAccess(
      whyNotNow,
      makeRequestReview({
        ...{ findAnswered, inTransaction, sendJob, now },
        channel: config.slack.humansChannel,
        insertRequest: humanRequests.insert,
      }),
    ),
    findRequest: questionId => humanRequests.find(questionId),
    decideRequest: requireReviewAccess(whyNotAtDesk, decideRequest),
    showAnswer,
  }
  const posterOf = perTeam(doorOf, door => makeSlackClient({ ...door, retries: 0 }))
  const deskIn = (team: string): ReviewChannel =>
    makeReviewChannel({
      postStep: makePostStepMessage({ poster: posterOf(team), outbound, now, log }),
      change: makeUpdateMessage({ client: clientOf(team), log }),
      findAnswered,
      loadResult,
      log,
    })
  const carryOut = makePostReview({
    findRequest: questionId => humanRequests.find(questionId),
    isWithdrawn: questionId => repositories.questions.isWithdrawn(questionId),
    removeRequest: questionId => humanRequests.remove(questionId),
    proposeVerified,
    desk: routeReviewChannel(deskIn, teamOf),
    refresh: showAnswer,
    log,
  })
  return { useCases, delivery, carryOut, carryOutRevision: revising.carryOut }
}
