import { randomUUID } from 'node:crypto'
import { makeRestorePreviousAnswer } from '../../app/answers/keep-answer-before.ts'
import { makeHideWithdrawn } from '../../app/answers/quiet-delivery.ts'
import { makeProposeRule } from '../../app/learning/propose-rule.ts'
import type { NotifyPrivately } from '../../app/messages/tell-refused.ts'
import { makeExpireClarification } from '../../app/questions/expire-clarification.ts'
import { makeResumeAndPropose } from '../../app/questions/resume-and-propose.ts'
import { makeWorkOnQuestions } from '../../app/questions/work-on-question.ts'
import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { ReplyToClarification } from '../../core/clarification.ts'
import type { Delivery, LocatedQuestion } from '../../core/delivery.ts'
import type { Log } from '../../core/log.ts'
import type { InSpan } from '../../core/span.ts'
import type { Tx } from '../../core/tx.ts'
import type { Jobs } from '../../jobs/make-jobs.ts'
import type { makeStopSignals } from '../../store/stop-signals.ts'
import type { makeAnswering } from '../answering/make-answering.ts'
import { isPermanentFailure } from '../is-permanent-failure.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { withDeliverySpans } from '../telemetry/span-delivery.ts'

/** How long a question back waits before the stated default is taken. */
const CLARIFICATION_SECONDS = 24 * 60 * 60

/** What workers do with stored questions: answer, go on after a reply, stop, and take the default in the end. */
export const makeQuestionJobs = (
  { store }: OwnStore,
  deps: {
    readonly answering: Awaited<ReturnType<typeof makeAnswering>>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly findAnswered: FindAnsweredQuestion
    readonly reply: ReplyToClarification
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    readonly tellAlone: NotifyPrivately
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
        tellAlone: deps.tellAlone,
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
