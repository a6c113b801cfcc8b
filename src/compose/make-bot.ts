import { randomUUID } from 'node:crypto'
import { replyMeant } from '../../graphs/answer/reply-meant.ts'
import { holdRequest, makeWhyNot } from '../app/answers/hold-to-rights.ts'
import { makeQuietDelivery } from '../app/answers/quiet-delivery.ts'
import { makeRunAgain } from '../app/answers/run-again.ts'
import { holdRunNow } from '../app/digests/hold-run-now.ts'
import { makeDecideRule } from '../app/learning/decide-rule.ts'
import { makeProposeRule } from '../app/learning/propose-rule.ts'
import { makeAcknowledgeHeard } from '../app/messages/acknowledge-heard.ts'
import { makeHearDeletion } from '../app/messages/hear-deletion.ts'
import { makeHearEdit } from '../app/messages/hear-edit.ts'
import { makeHearMessage } from '../app/messages/hear-message.ts'
import { heldMessage } from '../app/messages/held-message.ts'
import { makeTellRefused } from '../app/messages/tell-refused.ts'
import { makeAdmitQuestion } from '../app/questions/admit-question.ts'
import { makeAskQuestion } from '../app/questions/ask-question.ts'
import { makeExpireClarification } from '../app/questions/expire-clarification.ts'
import { makeGuardRuns } from '../app/questions/guard-runs.ts'
import { makeKeepReply } from '../app/questions/keep-reply.ts'
import { makeReplyToQuestion } from '../app/questions/reply-to-question.ts'
import { makeResumeAndPropose } from '../app/questions/resume-and-propose.ts'
import { makeStopQuestion } from '../app/questions/stop-question.ts'
import { makeStoreQuestion } from '../app/questions/store-question.ts'
import { makeTakeBackQuestion } from '../app/questions/take-back-question.ts'
import { makeWhyNotRead } from '../app/questions/why-not-read.ts'
import { makeWorkOnQuestions } from '../app/questions/work-on-question.ts'
import { makeAnswering, type Resources } from '../compose.ts'
import type { PlacedQuestion } from '../core/delivery.ts'
import type { SendJob } from '../core/job.ts'
import type { Tx } from '../core/tx.ts'
import { makeJobs } from '../jobs/make-jobs.ts'
import { asksSomething } from '../semantic-parser/understand/asks-something.ts'
import { readsAsEdit } from '../semantic-parser/understand/reads-as-edit.ts'
import { makeSlackSurface, type SlackReceiver, type SlackSurface } from '../slack/app.ts'
import { makeBoltLogger } from '../slack/bolt-logger.ts'
import type { SlackUseCases } from '../slack/use-cases.ts'
import { purgeDays } from '../store/audit-file/day-files.ts'
import { makeStopSignals } from '../store/stop-signals.ts'
import { auditFolder } from './audit/audit-in-file.ts'
import { keepIndexes } from './databases/keep-indexes.ts'
import { openPlaces } from './databases/open-places.ts'
import { askAnewIn } from './digests/ask-anew-in.ts'
import { deliverDigests } from './digests/deliver-digests.ts'
import { digestUseCasesIn } from './digests/digest-use-cases.ts'
import { keepDigests } from './digests/keep-digests.ts'
import { keepWishes } from './digests/keep-wishes.ts'
import { isPermanentFailure } from './is-permanent-failure.ts'
import { makeFindAnswered } from './slack/find-answered.ts'
import { accessSettings, makeAccessControl } from './slack/make-access-control.ts'
import { makeAnswerActions } from './slack/make-answer-actions.ts'
import { makeHome } from './slack/make-home.ts'
import { makeSlackDelivery } from './slack/make-slack-delivery.ts'
import { makeTeamOfQuestion } from './slack/slack-doors.ts'
import { smallMessages } from './slack/small-messages.ts'
import type { Workspaces } from './slack/workspaces.ts'
import type { OwnStore } from './store/open-own-store.ts'
import { shareWork } from './store/share-work.ts'
import { spanDelivery } from './telemetry/span-delivery.ts'
import { type BotPhase, type WatchedBot, watchBot } from './telemetry/watch-bot.ts'
import { watchJobs } from './telemetry/watch-jobs.ts'
import { keepPromises } from './upkeep/keep-promises.ts'
import { keepVerified } from './upkeep/keep-verified.ts'
import { learnNightly } from './upkeep/learn-nightly.ts'
import { makePurgeByAge } from './upkeep/purge-by-age.ts'
import { purgeHourly } from './upkeep/purge-hourly.ts'
import { selectorParts } from './upkeep/selector-parts.ts'
import { settleVerifiedIn } from './upkeep/settle-verified.ts'

/** How long a question back waits before the stated default is taken. */
const CLARIFICATION_SECONDS = 24 * 60 * 60

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
  readonly watched: WatchedBot
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
  const jobs = watchJobs(bare, { inSpan, inLogContext: resources.inLogContext })
  const { workspaces } = options
  const { doorOf } = workspaces
  const findPlaced = makeFindPlaced(own)
  const teamOf = makeTeamOfQuestion(workspaces, findPlaced)
  const access = makeAccessControl(config, { doorOf, database: options.database, log })
  const { mayAsk } = access
  const admit = makeAdmitQuestion(mayAsk)
  const now = (): Date => new Date()
  const isAdmin = (person: string): boolean => config.slack.admins.includes(person)
  const small = smallMessages(own, { workspaces, teamOf, now, log })
  const { tellAloneOf } = small
  const shared = shareWork(resources, own, {
    ...{ access, findPlaced, isAdmin, now },
    tellAlone: tellAloneOf([]),
  })
  const { limitQuestions: limit, tellLimited } = shared
  const answering = await makeAnswering(resources, {
    model: null,
    kept: 'in-store',
    ...(shared.answerMemory && { answerMemory: shared.answerMemory }),
    guardRuns: makeGuardRuns({ findPlaced, mayAsk }),
  })
  const findAnswered = makeFindAnswered(own.store.repositories, now)
  const home = makeHome(resources, repositories, {
    ...{ access, isAdmin, jobs, now },
    fallback: options.database,
  })
  const examples = async (database: string): Promise<readonly string[]> =>
    home.findExamples(await resources.openDatabase(database))

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

  const inTransaction = store.inTransaction
  const storeQuestion = makeStoreQuestion({
    insertQuestion: repositories.questions.insert,
    sendJob,
    newId: randomUUID,
    timeZone: config.timeZone,
  })
  const keepReply = makeKeepReply({
    ...{ replyMeant, sendJob },
    insertReply: repositories.replies.insert,
    findClarification: repositories.clarifications.find,
    markStopping: repositories.questions.stop,
  })
  const reply = makeReplyToQuestion({ inTransaction, keepReply })
  const hear = makeHearMessage({
    inTransaction,
    claimMessage: repositories.heardMessages.claim,
    isInOurThread: ({ place, askedBy }) => repositories.questions.isInOurThread(place, askedBy),
    admit,
    tellRefused: makeTellRefused({
      claim: key => repositories.heardMessages.claim(key),
      tellAlone: tellAloneOf(config.slack.admins),
      log,
    }),
    limit,
    tellLimited,
    isBeingAnswered: repositories.questions.isBeingAnswered,
    findLastAlone: repositories.questions.findLastAlone,
    asksSomething,
    readsAsEdit,
    now,
    findWaiting: repositories.questions.findWaiting,
    keepReply,
    storeQuestion,
    keepRemark: repositories.remarks.insert,
    sendJob,
  })
  const hearNow = makeAcknowledgeHeard({ hear, delivery })
  const takeBack = makeTakeBackQuestion({
    withdraw: (questionId, tx) => {
      shared.forgetAnswer(questionId)
      return repositories.questions.withdraw(questionId, tx)
    },
    markStopping: repositories.questions.stop,
    announce: stops.announce,
    sendJob,
  })
  const { findByMessage } = repositories.questions
  const handOver = (from: string, to: string, tx: Tx) =>
    repositories.outboundMessages.handOver(from, to, 'reply', tx)
  const hearEdit = makeHearEdit({
    inTransaction,
    findByMessage,
    takeBack,
    storeQuestion,
    limit,
    tellLimited,
    handOver,
    changeRemark: repositories.remarks.change,
    sendJob,
    hear,
  })
  const hearDeletion = makeHearDeletion({
    inTransaction,
    claimMessage: repositories.heardMessages.claim,
    findByMessage,
    takeBack,
    removeRemark: repositories.remarks.remove,
    sendJob,
  })
  const stop = makeStopQuestion({
    inTransaction,
    findPlaced,
    isAdmin,
    markStopping: repositories.questions.stop,
    announce: stops.announce,
    sendJob,
  })
  const ask = makeAskQuestion({
    ...{ admit, inTransaction, storeQuestion, limit },
    claim: (key, tx) => repositories.heardMessages.claim(key, tx),
    keepWish: (wish, tx) => repositories.digestWishes.insert(wish, tx),
  })
  const whyMayNotAsk: SlackUseCases['whyMayNotAsk'] = async asker => {
    const admission = await admit(asker)
    return admission.status === 'not-allowed' ? admission : null
  }
  const kept = keepPromises(own, { jobs, sendJob, doorOf, teamOf, log })
  const whyNotRead = makeWhyNotRead(resources.checkReading)
  const digestUseCases = digestUseCasesIn(resources, own, {
    most: config.digests,
    ...{ access, isAdmin, findAnswered, sendJob, now },
    limit: shared.limitButtons,
  })
  const surface: SlackSurface = makeSlackSurface({
    receiver: options.receiver,
    authorization: workspaces.authorization,
    ...(workspaces.apiUrl ? { apiUrl: workspaces.apiUrl } : {}),
    logger: makeBoltLogger(log),
    log,
    useCases: {
      hear: hearNow,
      hearEdit,
      hearDeletion,
      ask,
      promises: kept.promises,
      sendExport: kept.sendExport,
      reply,
      stop,
      ...actions.useCases,
      runAgain: holdRequest(
        makeWhyNot({ findPlaced, mayAsk, channel: null }),
        makeRunAgain({
          ...{ findPlaced, limit, whyNotRead, inTransaction, storeQuestion, handOver, sendJob },
          withdraw: repositories.questions.withdraw,
        }),
      ),
      findPlaced,
      settleVerified: settleVerifiedIn(resources, repositories, now),
      findVerified: id => repositories.verifiedQueries.find(id),
      delivery,
      whyMayNotAsk,
      isAdmin,
      decideRule: makeDecideRule({
        decide: (id, decision) => repositories.proposedRules.decide(id, decision),
        now,
      }),
      describeHome: home.describeHome,
      describeAdmin: home.describeAdmin,
      describeSchema: home.describeSchema,
      describeVerified: home.describeVerified,
      rebuildIndex: home.rebuildIndex,
      deadJobs: jobs.dead,
      digests: { ...digestUseCases, runNow: holdRunNow(digestUseCases, whyNotRead) },
      removeInstallation: workspaces.remove,
    },
  })

  const propose = makeProposeRule({
    findQuestion: repositories.questions.find,
    findClarification: repositories.clarifications.find,
    findReply: repositories.replies.find,
    insert: rule => repositories.proposedRules.insert(rule),
    newId: randomUUID,
    now,
  })
  const shown = makeQuietDelivery(spanDelivery(delivery, inSpan), repositories.questions.isWithdrawn)
  const work = makeWorkOnQuestions({
    findPlaced,
    hasReply: async questionId => (await repositories.replies.find(questionId)) !== null,
    answer: answering.answer,
    resume: makeResumeAndPropose({ resume: answering.resume, propose, log }),
    delivery: shown,
    questions: store.questionLog,
    watchStop: stops.watch,
    isPermanent: isPermanentFailure,
    log,
    sendExpiry: questionId =>
      jobs.send('expire-clarification', { questionId }, { startAfterSeconds: CLARIFICATION_SECONDS }),
  })
  const expire = makeExpireClarification({ findClarification: repositories.clarifications.find, reply })

  let phase: BotPhase = 'starting'
  return {
    watched: watchBot({ own, surface, phase: () => phase }),
    start: async () => {
      const { checkpoints } = own
      const purgeByAge = makePurgeByAge(repositories, {
        ...{ retention: config.retention, forgetThread: checkpoints.forget, now },
        purgeAuditFiles: before => purgeDays(auditFolder(config), before),
      })
      resources.releasers.push(purgeHourly({ ...repositories, checkpoints, purgeByAge }, now, log))
      // One person never takes all that this process can do.
      const perGroup = Math.max(1, options.workers - 1)
      await jobs.work('question', work.question, { concurrency: options.workers, perGroup, byTeam: true })
      await jobs.work('resume', work.resume, { concurrency: options.workers })
      await jobs.work('human', (job, { signal }) => actions.carryOut(job, signal), { concurrency: 2 })
      await jobs.work('revise', actions.carryOutRevision, { concurrency: 2, perGroup: 1 })
      await jobs.work('stop', work.stop, { concurrency: 2 })
      await jobs.work('remove-answer', ({ questionId }) => small.removeAnswer(questionId), { concurrency: 1 })
      await jobs.work('hear-again', async message => void (await hearNow(heldMessage(message))), {
        concurrency: 1,
      })
      await jobs.work('expire-clarification', ({ questionId }) => expire(questionId), { concurrency: 1 })
      await kept.work({ ...actions.useCases, ask, whyMayNotAsk })
      await keepIndexes(resources, { jobs, doorOf, home: { ...home, digests: digestUseCases, isAdmin } })
      resources.releasers.push(await keepVerified(resources, own, { jobs, askOwner: small.askOwner, now }))
      const digests = deliverDigests({ doorOf, own, now, log })
      const askAnew = askAnewIn(resources, own, { now })
      resources.releasers.push(
        await keepDigests(resources, own, { jobs, access, delivery: digests, askAnew, now }),
      )
      resources.releasers.push(
        await keepWishes(own, { ...{ jobs, findPlaced, doorOf, now, log }, digests: digestUseCases }),
      )
      resources.releasers.push(await learnNightly(resources, own, { jobs, selector: selectorParts, now }))
      const opening = new AbortController()
      resources.releasers.push(async () => opening.abort())
      void openPlaces(accessSettings(config, options.database), { ...resources, signal: opening.signal })
      resources.releasers.push(await workspaces.keep())
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
  async (questionId: string): Promise<PlacedQuestion | null> => {
    const question = await store.repositories.questions.find(questionId)
    return question?.place ? { question, place: question.place } : null
  }
