import { randomUUID } from 'node:crypto'
import { makeFindReader } from '../access/find-reader.ts'
import { makeDecideRule } from '../answering/propose-rule.ts'
import { makeReadableVerified, makeReadVerified } from '../answering/readable.ts'
import {
  makeFindRefusal,
  makeRequireRunAccess,
  requireReviewAccess,
} from '../answering/require-permission.ts'
import { makeRerunQuestion } from '../answering/rerun-question.ts'
import { makeFindQuotaRefusal } from '../budget/quota.ts'
import { requireQuotaToRunNow } from '../digests/digest-use-cases.ts'
import { makeReadableDigests, makeReadDigest } from '../digests/readable-digests.ts'
import type { LocatedQuestion } from '../domain/message.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import { makeJobs } from '../jobs/jobs.ts'
import { makeSlackSurface, type SlackReceiver, type SlackSurface } from '../slack/app.ts'
import { makeTeamOfQuestion, perCredentials } from '../slack/by-team.ts'
import { makeCheckClock } from '../slack/check-clock.ts'
import { makeRefusedBlocks } from '../slack/delivery/refused-blocks.ts'
import { makeBoltLogger } from '../slack/receivers.ts'
import type { SlackUseCases } from '../slack/use-cases.ts'
import { makeStopSignals } from '../store/stop-signals.ts'
import { makeAnswering } from './answering/answering.ts'
import { makeDialectOf } from './databases/databases.ts'
import { makeStoredDigestUseCases } from './digests/use-cases.ts'
import { isPermanentFailure, makePendingRequests, withJobSpans } from './jobs.ts'
import { type BotPhase, type ObservedBot, observeBot } from './operations.ts'
import type { OwnStore } from './own-store.ts'
import { makeMessageUseCases } from './receive-messages.ts'
import type { Resources } from './resources.ts'
import { makeSharedServices } from './shared-services.ts'
import { makeAccessControl } from './slack/access.ts'
import { makeAnswerActions } from './slack/answer-actions.ts'
import { makeFindAnswered, makeNotifications, makeSlackDelivery } from './slack/delivery.ts'
import { makeHomeUseCases } from './slack/home.ts'
import type { Workspaces } from './slack/workspaces.ts'
import { makeStoredSettleVerified } from './verified-queries.ts'
import { makeQuestionJobs, startWorkers } from './workers.ts'

/** How long after somebody joined a channel what was posted there is looked at again. */
const RECHECK_DELAY_SECONDS = 10

/** Options of the bot, besides resources. */
interface BotOptions {
  readonly receiver: SlackReceiver
  readonly workspaces: Workspaces
  /** The database that questions ask by default. */
  readonly database: string
  /** Questions answered at a time. */
  readonly workers: number
}

/** A bot: the Slack surface, and the workers behind it. */
interface Bot {
  /** Its health checks and metrics. */
  readonly watched: ObservedBot
  start(): Promise<void>
  /** Takes no new work and finishes or hands back the rest within `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>
}

/** Connects store, queue, answer graph, delivery, use cases and surface. */
export const makeBot = async (resources: Resources, options: BotOptions): Promise<Bot> => {
  const { config, log } = resources
  const own = await resources.ownStore()
  const { store } = own
  const { repositories } = store
  const untracedJobs = await makeJobs({
    ...{ url: own.url, executeIn: store.executeIn, log, metrics: resources.metrics },
    isPermanent: isPermanentFailure,
  })
  const inSpan = await resources.inSpan()
  const jobs = withJobSpans(untracedJobs, { inSpan, inLogContext: resources.inLogContext })
  const { workspaces, workers, database } = options
  const { credentialsOf } = workspaces
  const findPlaced = makeFindPlaced(own)
  const teamOf = makeTeamOfQuestion(workspaces, findPlaced)
  const access = makeAccessControl(config, {
    ...{ credentialsOf, database, log },
    rightsRegistry: resources.rightsRegistry,
  })
  const { mayAsk } = access
  const reading = {
    findReader: makeFindReader({ databaseAccess: access.databaseAccess, log }),
    dialectOf: makeDialectOf(config),
  }
  const now = (): Date => new Date()
  const isAdmin = (person: string): boolean => config.slack.admins.includes(person)
  const notifications = makeNotifications(own, {
    ...{ workspaces, teamOf, now, log },
    readVerified: makeReadVerified(reading),
  })
  const { makeNotifyPrivately } = notifications
  const shared = makeSharedServices(resources, own, {
    ...{ access, findPlaced, isAdmin, now },
    notifyPrivately: makeNotifyPrivately([]),
  })
  const answering = await makeAnswering(resources, {
    model: null,
    kept: 'in-store',
    ...(shared.answerReuse && { answerReuse: shared.answerReuse }),
    guardRuns: makeRequireRunAccess({ findPlaced, mayAsk }),
  })
  const findAnswered = makeFindAnswered(own.store.repositories, now)
  const home = makeHomeUseCases(resources, repositories, {
    ...{ access, isAdmin, jobs, now },
    ...reading,
    fallback: database,
  })
  const examples = async (of: string): Promise<readonly string[]> =>
    home.findExamples(await resources.openDatabase(of))

  const refusedBy = perCredentials(() => makeRefusedBlocks(now))
  const sendJob: SendJob = (queue, data, given) => jobs.send(queue, data, given)
  const actions = makeAnswerActions(resources, own, {
    ...{ credentialsOf, teamOf, findAnswered, findPlaced, access, isAdmin, sendJob, now },
    ...{ limitButtons: shared.limitButtons, forgetAnswer: shared.forgetAnswer, refusedBy },
    makeDelivery: buildMessage =>
      makeSlackDelivery({
        ...{ credentialsOf, teamOf, own, findAnswered, buildMessage, examples, now, log },
        ...{ audience: access.audience, refusedBy },
      }),
  })
  const { delivery } = actions
  const { executeIn } = store
  const stops = makeStopSignals({
    ...{ url: own.url, questions: repositories.questions, executeIn, log },
    // Over Postgres both use the same kind of connection, and one is enough.
    ...(config.store.redisUrl && { notices: shared.notices }),
  })
  resources.releasers.push(() => stops.close())

  const { announce } = stops
  const messages = makeMessageUseCases(own, {
    ...{
      config,
      mayAsk,
      shared,
      makeNotifyPrivately,
      delivery,
      findPlaced,
      isAdmin,
      announce,
      sendJob,
      now,
      log,
    },
  })
  const pendingRequests = makePendingRequests(own, {
    ...{ jobs, sendJob, credentialsOf, teamOf, findPlaced, log },
    audience: access.audience,
  })
  const findQuotaRefusal = makeFindQuotaRefusal(resources.checkQuota)
  const digests = makeReadableDigests(
    makeStoredDigestUseCases(resources, own, {
      most: config.digests,
      ...{ access, isAdmin, findAnswered, sendJob, now },
      limit: shared.limitButtons,
    }),
    reading,
  )
  const useCases: SlackUseCases = {
    ...messages.useCases,
    describeHome: home.describeHome,
    describeAdmin: home.describeAdmin,
    describeSchema: home.describeSchema,
    describeVerified: home.describeVerified,
    rebuildIndex: home.rebuildIndex,
    findProposal: home.findProposal,
    decideProposal: home.decideProposal,
    ...actions.useCases,
    pendingQuestions: pendingRequests.pendingQuestions,
    sendExport: pendingRequests.sendExport,
    runAgain: requireReviewAccess(
      makeFindRefusal({ findPlaced, mayAsk, channel: null }),
      makeRerunQuestion({
        ...{ findPlaced, findQuotaRefusal, sendJob },
        ...{ limit: shared.limitQuestions, inTransaction: store.inTransaction },
        ...{ storeQuestion: messages.storeQuestion, handOver: messages.handOver },
        withdraw: repositories.questions.withdraw,
        newId: randomUUID,
      }),
    ),
    findPlaced,
    ...makeReadableVerified(makeStoredSettleVerified(resources, repositories, now), {
      find: id => repositories.verifiedQueries.find(id),
      ...reading,
    }),
    decideVerified: ({ queryId, decision, by }) => {
      const status = decision === 'accept' ? 'accepted' : 'removed'
      return repositories.verifiedQueries.decideProposed(queryId, status, { by, at: now() })
    },
    delivery,
    isAdmin,
    decideRule: makeDecideRule({
      decide: (id, decision) => repositories.proposedRules.decide(id, decision),
      now,
    }),
    failedJobs: jobs.dead,
    digests: { ...digests, runNow: requireQuotaToRunNow(digests, findQuotaRefusal) },
    removeInstallation: workspaces.remove,
    recheckChannel: async joined => {
      // What is being posted now was checked before they joined, and is there by then.
      const given = { startAfterSeconds: RECHECK_DELAY_SECONDS }
      if (config.rights.groups.length > 0)
        await store.inTransaction(tx => sendJob('recheck-channel', joined, { tx, ...given }))
    },
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
    ...{
      answering,
      findPlaced,
      findAnswered,
      reply: messages.useCases.reply,
      delivery,
      inSpan,
      jobs,
      now,
      log,
    },
    ...{ handOver: messages.handOver, notifyPrivately: makeNotifyPrivately([]) },
    watchStop: stops.watch,
  })

  let phase: BotPhase = 'starting'
  return {
    watched: observeBot({
      ...{ own, surface, phase: () => phase },
      checkClock: makeCheckClock({ apiUrl: workspaces.apiUrl ?? null, now: Date.now }),
    }),
    start: async () => {
      await startWorkers(resources, own, {
        readDigest: makeReadDigest(reading),
        ...{ jobs, workers, work, actions, notifications, pendingRequests, useCases },
        ...{ access, workspaces, refusedBy, findPlaced, now },
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
    return question?.place ? { question, location: question.place } : null
  }
