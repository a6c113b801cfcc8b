import { randomUUID } from 'node:crypto'
import { makeProposeRule, makeResumeAndPropose } from '../answering/propose-rule.ts'
import type { NotifyPrivately } from '../answering/rate-limits.ts'
import { deferredMessage } from '../answering/receive-message.ts'
import { makeRecheckChannel } from '../answering/recheck-channel.ts'
import { makeExpireClarification } from '../answering/reply-to-clarification.ts'
import { makeRestorePreviousAnswer } from '../answering/rerun-question.ts'
import { makeHideWithdrawn, makeWorkOnQuestions } from '../answering/work-on-question.ts'
import { makeIsForAll } from '../digests/digest-deps.ts'
import { notifyAsReadable, type ReadDigest } from '../digests/readable-digests.ts'
import type { AccessControl } from '../domain/access/access.ts'
import type { FindAnsweredQuestion } from '../domain/answer.ts'
import type { ReplyToClarification } from '../domain/clarification.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { Tx } from '../domain/operations/jobs.ts'
import type { InSpan, Log } from '../domain/operations/telemetry.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { RefusedBy } from '../slack/by-team.ts'
import type { SlackUseCases } from '../slack/use-cases.ts'
import { purgeDays } from '../store/audit-file/audit-file.ts'
import { makePurgeByAge, startHourlyPurge } from '../store/retention.ts'
import type { makeStopSignals } from '../store/stop-signals.ts'
import { withDeliverySpans } from '../telemetry/instrumentation.ts'
import type { makeAnswering } from './answering/answering.ts'
import { makeTeamDigestDelivery, startDigestRequestJobs } from './digests/delivery.ts'
import { startDigestJobs } from './digests/runs.ts'
import { makeDigestAskAgain } from './digests/use-cases.ts'
import { isPermanentFailure, type makePendingRequests, startIndexJobs } from './jobs.ts'
import type { OwnStore } from './own-store.ts'
import type { Resources } from './resources.ts'
import { selectorParts, startNightlyTraining } from './selector-training.ts'
import type { AnswerActions } from './slack/answer-actions.ts'
import type { makeNotifications } from './slack/delivery.ts'
import type { Workspaces } from './slack/workspaces.ts'
import { auditFolder } from './statement-audit.ts'
import { startVerifiedQueryJobs } from './verified-queries.ts'

/** Runs the jobs of every queue and all scheduled work. Stopping is left to the releasers. */
export const startWorkers = async (
  resources: Resources,
  own: OwnStore,
  deps: {
    readonly jobs: Jobs
    /** Questions answered at a time. */
    readonly workers: number
    readonly work: ReturnType<typeof makeQuestionJobs>
    readonly actions: AnswerActions
    readonly notifications: ReturnType<typeof makeNotifications>
    readonly pendingRequests: ReturnType<typeof makePendingRequests>
    readonly useCases: SlackUseCases
    readonly access: AccessControl
    readonly readDigest: ReadDigest
    readonly workspaces: Workspaces
    readonly refusedBy: RefusedBy
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly now: () => Date
  },
): Promise<void> => {
  const { config, log, releasers } = resources
  const { jobs, workers, work, actions, notifications, useCases, access, workspaces, now } = deps
  const { credentialsOf } = workspaces
  const { checkpoints, store } = own
  const purgeByAge = makePurgeByAge(store.repositories, {
    ...{ retention: config.retention, forgetThread: checkpoints.forget, now },
    purgeAuditFiles: before => purgeDays(auditFolder(config), before),
  })
  releasers.push(startHourlyPurge({ ...store.repositories, checkpoints, purgeByAge }, now, log))
  // One person never gets all workers of this process.
  const perGroup = Math.max(1, workers - 1)
  await jobs.work('question', work.question, { concurrency: workers, perGroup, byTeam: true })
  await jobs.work('resume', work.resume, { concurrency: workers })
  await jobs.work('human', (job, { signal }) => actions.carryOut(job, signal), { concurrency: 2 })
  await jobs.work('revise', actions.carryOutRevision, { concurrency: 2, perGroup: 1 })
  await jobs.work('stop', work.stop, { concurrency: 2 })
  await jobs.work('remove-answer', ({ questionId }) => notifications.removeAnswer(questionId), {
    concurrency: 1,
  })
  const digestDelivery = notifyAsReadable(
    makeTeamDigestDelivery({ ...{ credentialsOf, own, now, log }, refusedBy: deps.refusedBy }),
    deps.readDigest,
  )
  const recheckChannel = makeRecheckChannel({
    listAnswered: (channel, page) => store.repositories.questions.listAnsweredIn(channel, page),
    audience: access.audience,
    withholdAnswer: questionId => useCases.delivery.withhold(questionId),
    listDigestPosts: channel => store.repositories.digestMessages.listIn(channel),
    findDigest: id => store.repositories.digests.find(id),
    isForAll: makeIsForAll(access),
    digestDelivery,
  })
  await jobs.work('recheck-channel', recheckChannel, { concurrency: 1 })
  await jobs.work(
    'hear-again',
    async message => void (await useCases.receiveMessage(deferredMessage(message))),
    {
      concurrency: 1,
    },
  )
  await jobs.work('expire-clarification', ({ questionId }) => work.expire(questionId), { concurrency: 1 })
  await deps.pendingRequests.work(useCases)
  await startIndexJobs(resources, { jobs, credentialsOf, home: useCases })
  releasers.push(
    await startVerifiedQueryJobs(resources, own, { jobs, askOwner: notifications.askOwner, now }),
  )
  releasers.push(
    await startDigestJobs(resources, own, {
      ...{ jobs, access, now },
      delivery: digestDelivery,
      askAgain: makeDigestAskAgain(resources, own, { now }),
    }),
  )
  releasers.push(
    await startDigestRequestJobs(own, {
      ...{ jobs, findPlaced: deps.findPlaced, credentialsOf, now, log },
      digests: useCases.digests,
    }),
  )
  releasers.push(await startNightlyTraining(resources, own, { jobs, selector: selectorParts, now }))
  releasers.push(await workspaces.startTokenRefresh())
}

/** How long a clarification waits before the default is used. */
const CLARIFICATION_SECONDS = 24 * 60 * 60

/** The question jobs: answer, resume after a reply, stop, and use the default in the end. */
export const makeQuestionJobs = (
  { store }: OwnStore,
  deps: {
    readonly answering: Awaited<ReturnType<typeof makeAnswering>>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly findAnswered: FindAnsweredQuestion
    readonly reply: ReplyToClarification
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    readonly notifyPrivately: NotifyPrivately
    readonly delivery: Delivery
    readonly watchStop: ReturnType<typeof makeStopSignals>['watch']
    readonly inSpan: InSpan
    readonly jobs: Pick<Jobs, 'send'>
    readonly now: () => Date
    readonly log: Log
  },
) => {
  const { questions, clarifications, replies, proposedRules } = store.repositories
  const { answering, findPlaced, jobs, now, log } = deps
  const propose = makeProposeRule({
    findQuestion: questions.find,
    findClarification: clarifications.find,
    findReply: replies.find,
    insert: rule => proposedRules.insert(rule),
    newId: randomUUID,
    now,
  })
  const work = makeWorkOnQuestions({
    findPlaced,
    hasReply: async questionId => (await replies.find(questionId)) !== null,
    answer: answering.answer,
    resume: makeResumeAndPropose({ resume: answering.resume, propose, log }),
    delivery: makeRestorePreviousAnswer(
      makeHideWithdrawn(withDeliverySpans(deps.delivery, deps.inSpan), questions.isWithdrawn),
      {
        inTransaction: store.inTransaction,
        canBeShown: async questionId => {
          const answered = await deps.findAnswered(questionId)
          return answered !== null && (await store.loadResult(answered.resultId)) !== null
        },
        withdraw: questions.withdraw,
        isWithdrawn: questions.isWithdrawn,
        reinstate: questions.reinstate,
        handOver: deps.handOver,
        notifyPrivately: deps.notifyPrivately,
        log,
      },
    ),
    questions: store.questionLog,
    watchStop: deps.watchStop,
    isPermanent: isPermanentFailure,
    log,
    sendExpiry: questionId =>
      jobs.send('expire-clarification', { questionId }, { startAfterSeconds: CLARIFICATION_SECONDS }),
  })
  const expire = makeExpireClarification({ findClarification: clarifications.find, reply: deps.reply })
  return { ...work, expire }
}
