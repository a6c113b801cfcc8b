import { randomUUID } from 'node:crypto'
import { replyMeant } from '../../../graphs/answer/reply-meant.ts'
import { makeAcknowledgeHeard } from '../../app/messages/acknowledge-heard.ts'
import { makeHearDeletion } from '../../app/messages/hear-deletion.ts'
import { makeHearEdit } from '../../app/messages/hear-edit.ts'
import { makeHearMessage } from '../../app/messages/hear-message.ts'
import { makeTellRefused } from '../../app/messages/tell-refused.ts'
import { makeAdmitQuestion } from '../../app/questions/admit-question.ts'
import { makeAskQuestion } from '../../app/questions/ask-question.ts'
import { makeKeepReply } from '../../app/questions/keep-reply.ts'
import { makeReplyToQuestion } from '../../app/questions/reply-to-question.ts'
import { makeStopQuestion } from '../../app/questions/stop-question.ts'
import { makeStoreQuestion } from '../../app/questions/store-question.ts'
import { makeTakeBackQuestion } from '../../app/questions/take-back-question.ts'
import type { Config } from '../../config/config.ts'
import type { AccessControl } from '../../core/access.ts'
import type { Delivery, PlacedQuestion } from '../../core/delivery.ts'
import type { SendJob } from '../../core/job.ts'
import type { Log } from '../../core/log.ts'
import type { Tx } from '../../core/tx.ts'
import { asksSomething } from '../../semantic-parser/understand/asks-something.ts'
import { readsAsEdit } from '../../semantic-parser/understand/reads-as-edit.ts'
import type { SlackUseCases } from '../../slack/use-cases.ts'
import type { makeStopSignals } from '../../store/stop-signals.ts'
import type { smallMessages } from '../slack/small-messages.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import type { shareWork } from '../store/share-work.ts'

/** What people say to the bot, from the message to the stored question: the use cases of hearing and asking. */
export const hearAndAsk = (
  { store }: OwnStore,
  deps: {
    readonly config: Config
    readonly mayAsk: AccessControl['mayAsk']
    readonly shared: ReturnType<typeof shareWork>
    readonly tellAloneOf: ReturnType<typeof smallMessages>['tellAloneOf']
    readonly delivery: Delivery
    readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
    readonly isAdmin: (person: string) => boolean
    readonly announce: ReturnType<typeof makeStopSignals>['announce']
    readonly sendJob: SendJob
    readonly now: () => Date
    readonly log: Log
  },
) => {
  const { inTransaction, repositories } = store
  const { questions, heardMessages, remarks } = repositories
  const { config, shared, tellAloneOf, sendJob, findPlaced, isAdmin, announce, now, log } = deps
  const { limitQuestions: limit, tellLimited } = shared
  const admit = makeAdmitQuestion(deps.mayAsk)
  const storeQuestion = makeStoreQuestion({
    insertQuestion: questions.insert,
    sendJob,
    newId: randomUUID,
    timeZone: config.timeZone,
  })
  const keepReply = makeKeepReply({
    ...{ replyMeant, sendJob },
    insertReply: repositories.replies.insert,
    findClarification: repositories.clarifications.find,
    markStopping: questions.stop,
  })
  const hear = makeHearMessage({
    ...{ inTransaction, admit, limit, tellLimited, asksSomething, readsAsEdit, now },
    ...{ keepReply, storeQuestion, sendJob },
    claimMessage: heardMessages.claim,
    isInOurThread: ({ place, askedBy }) => questions.isInOurThread(place, askedBy),
    tellRefused: makeTellRefused({
      claim: key => heardMessages.claim(key),
      tellAlone: tellAloneOf(config.slack.admins),
      log,
    }),
    isBeingAnswered: questions.isBeingAnswered,
    findLastAlone: questions.findLastAlone,
    findWaiting: questions.findWaiting,
    keepRemark: remarks.insert,
  })
  const takeBack = makeTakeBackQuestion({
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
  const whyMayNotAsk: SlackUseCases['whyMayNotAsk'] = async asker => {
    const admission = await admit(asker)
    return admission.status === 'not-allowed' ? admission : null
  }
  const useCases = {
    hear: makeAcknowledgeHeard({ hear, delivery: deps.delivery }),
    hearEdit: makeHearEdit({
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
    hearDeletion: makeHearDeletion({
      ...{ inTransaction, findByMessage, takeBack, sendJob },
      claimMessage: heardMessages.claim,
      removeRemark: remarks.remove,
    }),
    reply: makeReplyToQuestion({ inTransaction, keepReply }),
    stop: makeStopQuestion({
      ...{ inTransaction, findPlaced, isAdmin, announce, sendJob },
      markStopping: questions.stop,
    }),
    ask: makeAskQuestion({
      ...{ admit, inTransaction, storeQuestion, limit },
      claim: (key, tx) => heardMessages.claim(key, tx),
      keepWish: (wish, tx) => repositories.digestWishes.insert(wish, tx),
    }),
    whyMayNotAsk,
  }
  return { useCases, storeQuestion, handOver }
}
