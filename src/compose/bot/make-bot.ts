import { randomUUID } from 'node:crypto'
import { makeFindRefusal, requireReviewAccess } from '../../app/answers/hold-to-rights.ts'
import { makeRerunQuestion } from '../../app/answers/run-again.ts'
import { requireQuotaToRunNow } from '../../app/digests/hold-run-now.ts'
import { makeDecideRule } from '../../app/learning/decide-rule.ts'
import { makeRequireRunAccess } from '../../app/questions/guard-runs.ts'
import { makeFindQuotaRefusal } from '../../app/questions/why-not-read.ts'
import type { Resources } from '../../compose.ts'
import type { LocatedQuestion } from '../../core/delivery.ts'
import type { SendJob } from '../../core/job.ts'
import { makeJobs } from '../../jobs/make-jobs.ts'
import { makeSlackSurface, type SlackReceiver, type SlackSurface } from '../../slack/app.ts'
import { makeBoltLogger } from '../../slack/bolt-logger.ts'
import type { SlackUseCases } from '../../slack/use-cases.ts'
import { makeStopSignals } from '../../store/stop-signals.ts'
import { makeAnswering } from '../answering/make-answering.ts'
import { makeStoredDigestUseCases } from '../digests/digest-use-cases.ts'
import { isPermanentFailure } from '../is-permanent-failure.ts'
import { makeFindAnswered } from '../slack/find-answered.ts'
import { makeAccessControl } from '../slack/make-access-control.ts'
import { makeAnswerActions } from '../slack/make-answer-actions.ts'
import { makeHomeUseCases } from '../slack/make-home.ts'
import { makeSlackDelivery } from '../slack/make-slack-delivery.ts'
import { makeTeamOfQuestion } from '../slack/slack-doors.ts'
import { makeNotifications } from '../slack/small-messages.ts'
import type { Workspaces } from '../slack/workspaces.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { makeSharedServices } from '../store/share-work.ts'
import { type BotPhase, type ObservedBot, observeBot } from '../telemetry/watch-bot.ts'
import { withJobSpans } from '../telemetry/watch-jobs.ts'
import { makePendingRequests } from '../upkeep/keep-promises.ts'
import { makeStoredSettleVerified } from '../upkeep/settle-verified.ts'
import { startWorkers } from './begin-work.ts'
import { makeMessageUseCases } from './hear-and-ask.ts'
import { makeQuestionJobs } from './work-on-questions.ts'

/** What makes a bot beside the resources. */
export interface BotOptions {
  readonly receiver: SlackReceiver
  readonly workspaces: Workspaces
  /** The database that questions are about. */
  readonly database: string
  /** Questions worked on at a time. */
  readonly workers: number
}

/** The bot: the Slack surface, and the workers behind it. */
export interface Bot {
  /** What operators see of it. */
  readonly watched: ObservedBot
  start(): Promise<void>
  /** Takes nothing new in and finishes or hands back what is under way, within `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>
}

/** Wires the bot: store, queue, answer graph, delivery, use cases, surface. */
export const makeBot = async (resources: Resources, options: BotOptions): Promise<Bot> => {
  const { config, log } = resources
  const own = await resources.ownStore()
  const { store } = own
  const { repositories } = store
  const bare = await makeJobs({
    ...{ url: own.url, executeIn: store.executeIn, log, metrics: resources.metrics },
    isPermanent: isPermanentFailure,
  })
  const inSpan = await resources.inSpan()
  const jobs = withJobSpans(bare, { inSpan, inLogContext: resources.inLogContext })
  const { workspaces, workers, database } = options
  const { doorOf } = workspaces
  const findPlaced = makeFindPlaced(own)
  const teamOf = makeTeamOfQuestion(workspaces, findPlaced)
  const access = makeAccessControl(config, { doorOf, database, log })
  const { mayAsk } = access
  const now = (): Date => new Date()
  const isAdmin = (person: string): boolean => config.slack.admins.includes(person)
  const small = makeNotifications(own, { workspaces, teamOf, now, log })
  const { tellAloneOf } = small
  const shared = makeSharedServices(resources, own, {
    ...{ access, findPlaced, isAdmin, now },
    tellAlone: tellAloneOf([]),
  })
  const answering = await makeAnswering(resources, {
    model: null,
    kept: 'in-store',
    ...(shared.answerMemory && { answerMemory: shared.answerMemory }),
    guardRuns: makeRequireRunAccess({ findPlaced, mayAsk }),
  })
  const findAnswered = makeFindAnswered(own.store.repositories, now)
  const home = makeHomeUseCases(resources, repositories, {
    ...{ access, isAdmin, jobs, now },
    fallback: database,
  })
  const examples = async (of: string): Promise<readonly string[]> =>
    home.findExamples(await resources.openDatabase(of))

  const sendJob: SendJob = (queue, data, given) => jobs.send(queue, data, given)
  const actions = makeAnswerActions(resources, own, {
    ...{ doorOf, teamOf, findAnswered, findPlaced, access, sendJob, now },
    ...{ limitButtons: shared.limitButtons, forgetAnswer: shared.forgetAnswer },
    makeDelivery: answerMessage =>
      makeSlackDelivery({ doorOf, teamOf, own, findAnswered, answerMessage, examples, now, log }),
  })
  const { delivery } = actions
  const { executeIn } = store
  const stops = makeStopSignals({
    ...{ url: own.url, questions: repositories.questions, executeIn, log },
    // Over Postgres both are heard on connections of the same kind: one of them is enough.
    ...(config.store.redisUrl && { notices: shared.notices }),
  })
  resources.releasers.push(() => stops.close())

  const { announce } = stops
  const heard = makeMessageUseCases(own, {
    ...{ config, mayAsk, shared, tellAloneOf, delivery, findPlaced, isAdmin, announce, sendJob, now, log },
  })
  const promises = makePendingRequests(own, { jobs, sendJob, doorOf, teamOf, log })
  const whyNotRead = makeFindQuotaRefusal(resources.checkQuota)
  const digests = makeStoredDigestUseCases(resources, own, {
    most: config.digests,
    ...{ access, isAdmin, findAnswered, sendJob, now },
    limit: shared.limitButtons,
  })
  const useCases: SlackUseCases = {
    ...heard.useCases,
    describeHome: home.describeHome,
    describeAdmin: home.describeAdmin,
    describeSchema: home.describeSchema,
    describeVerified: home.describeVerified,
    rebuildIndex: home.rebuildIndex,
    ...actions.useCases,
    promises: promises.promises,
    sendExport: promises.sendExport,
    runAgain: requireReviewAccess(
      makeFindRefusal({ findPlaced, mayAsk, channel: null }),
      makeRerunQuestion({
        ...{ findPlaced, whyNotRead, sendJob },
        ...{ limit: shared.limitQuestions, inTransaction: store.inTransaction },
        ...{ storeQuestion: heard.storeQuestion, handOver: heard.handOver },
        withdraw: repositories.questions.withdraw,
        newId: randomUUID,
      }),
    ),
    findPlaced,
    settleVerified: makeStoredSettleVerified(resources, repositories, now),
    findVerified: id => repositories.verifiedQueries.find(id),
    delivery,
    isAdmin,
    decideRule: makeDecideRule({
      decide: (id, decision) => repositories.proposedRules.decide(id, decision),
      now,
    }),
    deadJobs: jobs.dead,
    digests: { ...digests, runNow: requireQuotaToRunNow(digests, whyNotRead) },
    removeInstallation: workspaces.remove,
  }
  const surface: SlackSurface = makeSlackSurface({
    receiver: options.receiver,
    authorization: workspaces.authorization,
    ...(workspaces.apiUrl ? { apiUrl: workspaces.apiUrl } : {}),
    logger: makeBoltLogger(log),
    log,
    useCases,
  })
  const work = makeQuestionJobs(own, {
    ...{ answering, findPlaced, findAnswered, reply: heard.useCases.reply, delivery, inSpan, jobs, now, log },
    ...{ handOver: heard.handOver, tellAlone: tellAloneOf([]) },
    watchStop: stops.watch,
  })

  let phase: BotPhase = 'starting'
  return {
    watched: observeBot({ own, surface, phase: () => phase }),
    start: async () => {
      await startWorkers(resources, own, {
        ...{ jobs, workers, database, work, actions, small, promises, useCases },
        ...{ access, workspaces, findPlaced, now },
      })
      await surface.start()
      phase = 'working'
    },
    stop: async timeoutMs => {
      phase = 'stopping'
      const started = performance.now()
      await surface
        .stop(timeoutMs)
        .finally(() => jobs.stop({ timeoutMs: Math.max(0, timeoutMs - (performance.now() - started)) }))
    },
  }
}

const makeFindPlaced =
  ({ store }: OwnStore) =>
  async (questionId: string): Promise<LocatedQuestion | null> => {
    const question = await store.repositories.questions.find(questionId)
    return question?.place ? { question, place: question.place } : null
  }
