import { randomUUID } from 'node:crypto'
import { matchReply } from '../../graphs/answer/options.ts'
import { makeAdmitQuestion, makeAskQuestion, makeStoreQuestion } from '../answering/ask-question.ts'
import { makeNotifyRefused } from '../answering/rate-limits.ts'
import { makeReceiveDeletion, makeReceiveEdit } from '../answering/receive-change.ts'
import { makeAcknowledgeMessage, makeReceiveMessage } from '../answering/receive-message.ts'
import { makeReplyToClarification, makeStoreReply } from '../answering/reply-to-clarification.ts'
import { makeStopQuestion, makeWithdrawQuestion } from '../answering/stop-question.ts'
import type { Config } from '../config/config.ts'
import type { AccessControl } from '../domain/access/access.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { SendJob, Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { isRequestToBot, looksLikeEdit } from '../parser/follow-up/detect-follow-up.ts'
import type { SlackUseCases } from '../slack/use-cases.ts'
import type { makeStopSignals } from '../store/stop-signals.ts'
import type { OwnStore } from './own-store.ts'
import type { makeSharedServices } from './shared-services.ts'
import type { makeNotifications } from './slack/delivery.ts'

/** The use cases of receiving messages, from the message to the stored question. */
export const makeMessageUseCases = (
  { store }: OwnStore,
  deps: {
    readonly config: Config
    readonly mayAsk: AccessControl['mayAsk']
    readonly shared: ReturnType<typeof makeSharedServices>
    readonly makeNotifyPrivately: ReturnType<typeof makeNotifications>['makeNotifyPrivately']
    readonly delivery: Delivery
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly isAdmin: (person: string) => boolean
    readonly announce: ReturnType<typeof makeStopSignals>['announce']
    readonly sendJob: SendJob
    readonly now: () => Date
    readonly log: Log
  },
) => {
  const { inTransaction, repositories } = store
  const { questions, inboundMessages, comments } = repositories
  const { config, shared, makeNotifyPrivately, sendJob, findPlaced, isAdmin, announce, now, log } = deps
  const { limitQuestions: limit, notifyRateLimited } = shared
  const admit = makeAdmitQuestion(deps.mayAsk)
  const storeQuestion = makeStoreQuestion({
    insertQuestion: questions.insert,
    sendJob,
    newId: randomUUID,
    timeZone: config.timeZone,
  })
  const storeReply = makeStoreReply({
    ...{ findChosenOption: matchReply, sendJob },
    insertReply: repositories.replies.insert,
    findClarification: repositories.clarifications.find,
    markStopping: questions.stop,
  })
  const receive = makeReceiveMessage({
    ...{
      inTransaction,
      admit,
      limit,
      notifyRateLimited,
      isRequest: isRequestToBot,
      looksLikeEdit,
      now,
    },
    ...{ storeReply, storeQuestion, sendJob },
    claimMessage: inboundMessages.claim,
    isInOurThread: ({ location, askedBy }) => questions.isInOurThread(location, askedBy),
    notifyRefused: makeNotifyRefused({
      claim: key => inboundMessages.claim(key),
      notifyPrivately: makeNotifyPrivately(config.slack.admins),
      log,
    }),
    isBeingAnswered: questions.isBeingAnswered,
    findLastDirect: questions.findLastAlone,
    findWaiting: questions.findWaiting,
    storeComment: comments.insert,
  })
  const withdraw = makeWithdrawQuestion({
    withdraw: (questionId, tx) => {
      shared.forgetAnswer(questionId)
      return questions.withdraw(questionId, tx)
    },
    markStopping: questions.stop,
    announce,
    sendJob,
  })
  const { findByMessage } = questions
  const handOver = (from: string, to: string, tx: Tx) =>
    repositories.outboundMessages.handOver(from, to, 'reply', tx)
  const findAskRefusal: SlackUseCases['findAskRefusal'] = async asker => {
    const admission = await admit(asker)
    return admission.status === 'not-allowed' ? admission : null
  }
  const useCases = {
    receiveMessage: makeAcknowledgeMessage({ receive, delivery: deps.delivery }),
    receiveEdit: makeReceiveEdit({
      ...{
        inTransaction,
        findByMessage,
        withdraw,
        storeQuestion,
        limit,
        notifyRateLimited,
        handOver,
        sendJob,
        receive,
      },
      changeComment: comments.change,
    }),
    receiveDeletion: makeReceiveDeletion({
      ...{ inTransaction, findByMessage, withdraw, sendJob },
      claimMessage: inboundMessages.claim,
      removeComment: comments.remove,
    }),
    reply: makeReplyToClarification({ inTransaction, storeReply }),
    stop: makeStopQuestion({
      ...{ inTransaction, findPlaced, isAdmin, announce, sendJob },
      markStopping: questions.stop,
    }),
    ask: makeAskQuestion({
      ...{ admit, inTransaction, storeQuestion, limit },
      claim: (key, tx) => inboundMessages.claim(key, tx),
      storeDigestRequest: (request, tx) => repositories.digestRequests.insert(request, tx),
    }),
    findAskRefusal,
  }
  return { useCases, storeQuestion, handOver }
}
