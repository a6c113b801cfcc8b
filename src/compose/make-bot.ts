import { randomUUID } from 'node:crypto'
import { makeAcknowledgeHeard } from '../app/acknowledge-heard.ts'
import { makeAdmitQuestion } from '../app/admit-question.ts'
import { makeAskQuestion } from '../app/ask-question.ts'
import { makeDecideRule } from '../app/decide-rule.ts'
import { makeExpireClarification } from '../app/expire-clarification.ts'
import { makeGuardRuns } from '../app/guard-runs.ts'
import { makeHearDeletion } from '../app/hear-deletion.ts'
import { makeHearEdit } from '../app/hear-edit.ts'
import { makeHearMessage } from '../app/hear-message.ts'
import { heldMessage } from '../app/held-message.ts'
import { makeProposeRule } from '../app/propose-rule.ts'
import { makeQuietDelivery } from '../app/quiet-delivery.ts'
import { makeReplyToQuestion } from '../app/reply-to-question.ts'
import { makeResumeAndPropose } from '../app/resume-and-propose.ts'
import { makeStopQuestion } from '../app/stop-question.ts'
import { makeStoreQuestion } from '../app/store-question.ts'
import { makeTakeBackQuestion } from '../app/take-back-question.ts'
import { makeTellRefused } from '../app/tell-refused.ts'
import { makeWorkOnQuestions } from '../app/work-on-question.ts'
import { makeAnswering, type Resources } from '../compose.ts'
import type { PlacedQuestion } from '../core/delivery.ts'
import type { SendJob } from '../core/job.ts'
import { makeJobs } from '../jobs/make-jobs.ts'
import { asksSomething } from '../semantic-parser/understand/asks-something.ts'
import { readsAsEdit } from '../semantic-parser/understand/reads-as-edit.ts'
import { makeSlackSurface, type SlackReceiver, type SlackSurface } from '../slack/app.ts'
import { makeBoltLogger } from '../slack/bolt-logger.ts'
import { makeAskOwner } from '../slack/delivery/ask-owner.ts'
import { makeSlackClient } from '../slack/delivery/make-client.ts'
import { makeRemoveAnswer } from '../slack/delivery/remove-answer.ts'
import { makeTellAlone } from '../slack/delivery/tell-alone.ts'
import { makeStopSignals } from '../store/stop-signals.ts'
import { makeFindAnswered } from './find-answered.ts'
import { keepVerified } from './keep-verified.ts'
import { learnNightly } from './learn-nightly.ts'
import { accessSettings, makeAccessControl } from './make-access-control.ts'
import { makeAnswerActions } from './make-answer-actions.ts'
import { makeHome } from './make-home.ts'
import { makeSlackDelivery } from './make-slack-delivery.ts'
import type { OwnStore } from './open-own-store.ts'
import { openPlaces } from './open-places.ts'
import { purgeHourly } from './purge-hourly.ts'
import { selectorParts } from './selector-parts.ts'
import { settleVerifiedIn } from './settle-verified.ts'

/** How long a question back waits before the stated default is taken. */
const CLARIFICATION_SECONDS = 24 * 60 * 60

/** What makes a bot beside the resources. */
export interface BotOptions {
  readonly receiver: SlackReceiver
  readonly token: string
  /** Another address of Slack's Web API: the simulator's. */
  readonly apiUrl?: string
  /** The database that questions are about. */
  readonly database: string
  /** Questions worked on at a time. */
  readonly workers: number
}

/** The bot: the Slack surface, and the workers behind it. */
export interface Bot {
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
  const jobs = await makeJobs({ url: own.url, executeIn: store.executeIn, log })
  const slack = { token: options.token, apiUrl: options.apiUrl ?? null }
  const findPlaced = makeFindPlaced(own)
  const access = makeAccessControl(config, { slack, database: options.database, log })
  const { mayAsk } = access
  const admit = makeAdmitQuestion(mayAsk)
  const answering = await makeAnswering(resources, {
    model: null,
    kept: 'in-store',
    guardRuns: makeGuardRuns({ findPlaced, mayAsk }),
  })
  const client = makeSlackClient(slack)
  const withoutRetries = makeSlackClient({ ...slack, retries: 0 })
  const now = (): Date => new Date()
  const findAnswered = makeFindAnswered(own.store.repositories, now)
  const isAdmin = (person: string): boolean => config.slack.admins.includes(person)
  const home = makeHome(resources, repositories, { access, isAdmin, fallback: options.database, now })
  const examples = async (database: string): Promise<readonly string[]> =>
    home.findExamples(await resources.openDatabase(database))

  const sendJob: SendJob = (queue, data, given) => jobs.send(queue, data, given)
  const actions = makeAnswerActions(resources, own, {
    ...{ slack, findAnswered, findPlaced, access, sendJob, now },
    makeDelivery: answerMessage =>
      makeSlackDelivery({ slack, own, findAnswered, answerMessage, examples, now, log }),
  })
  const { delivery } = actions
  const { executeIn } = store
  const stops = makeStopSignals({ url: own.url, questions: repositories.questions, executeIn, log })
  resources.releasers.push(() => stops.close())

  const inTransaction = store.inTransaction
  const storeQuestion = makeStoreQuestion({
    insertQuestion: repositories.questions.insert,
    sendJob,
    newId: randomUUID,
    timeZone: config.timeZone,
  })
  const insertReply = repositories.replies.insert
  const reply = makeReplyToQuestion({ inTransaction, insertReply, sendJob })
  const hear = makeHearMessage({
    inTransaction,
    claimMessage: repositories.heardMessages.claim,
    isInOurThread: ({ place, askedBy }) => repositories.questions.isInOurThread(place, askedBy),
    admit,
    tellRefused: makeTellRefused({
      claim: key => repositories.heardMessages.claim(key),
      tellAlone: makeTellAlone({ client: withoutRetries, admins: config.slack.admins, log }),
      log,
    }),
    isBeingAnswered: repositories.questions.isBeingAnswered,
    findLastAlone: repositories.questions.findLastAlone,
    asksSomething,
    readsAsEdit,
    now,
    findWaiting: repositories.questions.findWaiting,
    insertReply,
    storeQuestion,
    keepRemark: repositories.remarks.insert,
    sendJob,
  })
  const hearNow = makeAcknowledgeHeard({ hear, delivery })
  const takeBack = makeTakeBackQuestion({
    withdraw: repositories.questions.withdraw,
    markStopping: repositories.questions.stop,
    announce: stops.announce,
    sendJob,
  })
  const { findByMessage } = repositories.questions
  const hearEdit = makeHearEdit({
    inTransaction,
    findByMessage,
    takeBack,
    storeQuestion,
    handOver: (from, to, tx) => repositories.outboundMessages.handOver(from, to, 'reply', tx),
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
  const removeAnswer = makeRemoveAnswer({ client, outbound: repositories.outboundMessages })
  const stop = makeStopQuestion({
    inTransaction,
    findPlaced,
    isAdmin,
    markStopping: repositories.questions.stop,
    announce: stops.announce,
    sendJob,
  })
  const surface: SlackSurface = makeSlackSurface({
    receiver: options.receiver,
    token: options.token,
    ...(options.apiUrl ? { apiUrl: options.apiUrl } : {}),
    logger: makeBoltLogger(log),
    log,
    useCases: {
      hear: hearNow,
      hearEdit,
      hearDeletion,
      ask: makeAskQuestion({ admit, inTransaction, storeQuestion }),
      reply,
      stop,
      ...actions.useCases,
      findPlaced,
      settleVerified: settleVerifiedIn(resources, repositories, now),
      findVerified: id => repositories.verifiedQueries.find(id),
      delivery,
      whyMayNotAsk: async asker => {
        const admission = await admit(asker)
        return admission.status === 'not-allowed' ? admission : null
      },
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
  const shown = makeQuietDelivery(delivery, repositories.questions.isWithdrawn)
  const work = makeWorkOnQuestions({
    findPlaced,
    hasReply: async questionId => (await repositories.replies.find(questionId)) !== null,
    answer: answering.answer,
    resume: makeResumeAndPropose({ resume: answering.resume, propose, log }),
    delivery: shown,
    questions: store.questionLog,
    watchStop: stops.watch,
    log,
    sendExpiry: questionId =>
      jobs.send('expire-clarification', { questionId }, { startAfterSeconds: CLARIFICATION_SECONDS }),
  })
  const expire = makeExpireClarification({ findClarification: repositories.clarifications.find, reply })
  const askOwner = makeAskOwner({
    client,
    poster: withoutRetries,
    notices: repositories.verifiedNotices,
    now,
    log,
  })

  return {
    start: async () => {
      resources.releasers.push(purgeHourly({ ...repositories, checkpoints: own.checkpoints }, now, log))
      await jobs.work('question', work.question, { concurrency: options.workers })
      await jobs.work('resume', work.resume, { concurrency: options.workers })
      await jobs.work('human', (job, { signal }) => actions.carryOut(job, signal), { concurrency: 2 })
      await jobs.work('stop', work.stop, { concurrency: 2 })
      await jobs.work('remove-answer', ({ questionId }) => removeAnswer(questionId), { concurrency: 1 })
      await jobs.work('hear-again', async message => void (await hearNow(heldMessage(message))), {
        concurrency: 1,
      })
      await jobs.work('expire-clarification', ({ questionId }) => expire(questionId), { concurrency: 1 })
      resources.releasers.push(await keepVerified(resources, own, { jobs, askOwner, now }))
      resources.releasers.push(await learnNightly(resources, own, { jobs, selector: selectorParts, now }))
      const opening = new AbortController()
      resources.releasers.push(async () => opening.abort())
      void openPlaces(accessSettings(config, options.database), { ...resources, signal: opening.signal })
      await surface.start()
    },
    stop: async timeoutMs => {
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
