import { randomUUID } from 'node:crypto'
import { matchReply } from '../../graphs/answer/options.ts'
import { makeAdmitQuestion, makeAskQuestion, makeStoreQuestion } from '../answering/ask-question.ts'
import { makeNotifyRefused } from '../answering/notify-refused.ts'
import { makeReceiveDeletion, makeReceiveEdit } from '../answering/receive-change.ts'
import { makeAcknowledgeMessage, makeReceiveMessage } from '../answering/receive-message.ts'
import { makeReplyToClarification, makeStoreReply } from '../answering/reply-to-clarification.ts'
import { makeStopQuestion, makeWithdrawQuestion } from '../answering/stop-question.ts'
import type { Config } from '../config/config.ts'
import type { AccessControl } from '../domain/access.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { Tx } from '../domain/operations/transaction.ts'
import { isRequestToBot, looksLikeEdit } from '../parser/follow-up/detect-follow-up.ts'
import type { SlackUseCases } from '../slack/use-cases.ts'
import type { makeStopSignals } from '../store/stop-signals.ts'
import type { OwnStore } from './own-store.ts'
import type { makeSharedServices } from './shared-services.ts'
import type { makeNotifications } from './slack/delivery.ts'

/** What people say to the bot, from the message to the stored question: the use cases of hearing and asking. */
export const makeMessageUseCases = (
  { store }: OwnStore,
  deps: {
    readonly config: Config
    readonly mayAsk: AccessControl['mayAsk']
    readonly shared: ReturnType<typeof makeSharedServices>
    readonly tellAloneOf: ReturnType<typeof makeNotifications>['tellAloneOf']
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
  const { questions, inboundMessages: heardMessages, comments: remarks } = repositories
  const { config, shared, tellAloneOf, sendJob, findPlaced, isAdmin, announce, now, log } = deps
  const { limitQuestions: limit, tellLimited } = shared
  const admit = makeAdmitQuestion(deps.mayAsk)
  const storeQuestion = makeStoreQuestion({
    insertQuestion: questions.insert,
    sendJob,
    newId: randomUUID,
    timeZone: config.timeZone,
  })
  const keepReply = makeStoreReply({
    ...{ replyMeant: matchReply, sendJob },
    insertReply: repositories.replies.insert,
    findClarification: repositories.clarifications.find,
    markStopping: questions.stop,
  })
  const hear = makeReceiveMessage({
    ...{
      inTransaction,
      admit,
      limit,
      tellLimited,
      asksSomething: isRequestToBot,
      readsAsEdit: looksLikeEdit,
      now,
    },
    ...{ keepReply, storeQuestion, sendJob },
    claimMessage: heardMessages.claim,
    isInOurThread: ({ place, askedBy }) => questions.isInOurThread(place, askedBy),
    tellRefused: makeNotifyRefused({
      claim: key => heardMessages.claim(key),
      tellAlone: tellAloneOf(config.slack.admins),
      log,
    }),
    isBeingAnswered: questions.isBeingAnswered,
    findLastAlone: questions.findLastAlone,
    findWaiting: questions.findWaiting,
    keepRemark: remarks.insert,
  })
  const takeBack = makeWithdrawQuestion({
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
    receiveMessage: makeAcknowledgeMessage({ hear, delivery: deps.delivery }),
    receiveEdit: makeReceiveEdit({
      ...{
        inTransaction,
        findByMessage,
        takeBack,
        storeQuestion,
        limit,
        tellLimited,
        handOver,
        sendJob,
        hear,
      },
      changeRemark: remarks.change,
    }),
    receiveDeletion: makeReceiveDeletion({
      ...{ inTransaction, findByMessage, takeBack, sendJob },
      claimMessage: heardMessages.claim,
      removeRemark: remarks.remove,
    }),
    reply: makeReplyToClarification({ inTransaction, keepReply }),
    stop: makeStopQuestion({
      ...{ inTransaction, findPlaced, isAdmin, announce, sendJob },
      markStopping: questions.stop,
    }),
    ask: makeAskQuestion({
      ...{ admit, inTransaction, storeQuestion, limit },
      claim: (key, tx) => heardMessages.claim(key, tx),
      keepWish: (wish, tx) => repositories.digestRequests.insert(wish, tx),
    }),
    findAskRefusal,
  }
  return { useCases, storeQuestion, handOver }
}
