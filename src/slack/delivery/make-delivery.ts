import type { WebClient } from '@slack/web-api'
import type { AnswerReport } from '../../core/answer.ts'
import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { Delivery, LocatedQuestion } from '../../core/delivery.ts'
import type { Log } from '../../core/log.ts'
import type { OutboundMessageLog } from '../../core/outbound.ts'
import type { LoadResult } from '../../core/saved-result.ts'
import type { AnswerMessage } from '../answer-message.ts'
import type { SlackMessage } from '../check-message.ts'
import { clarificationView } from '../views/clarification.ts'
import { failureView } from '../views/failure.ts'
import { helpView } from '../views/help.ts'
import { refusalView } from '../views/refusal.ts'
import { stoppedView } from '../views/stopped.ts'
import { initialTimeline, progressView } from '../views/working.ts'
import type { UpdateMessage } from './change-message.ts'
import type { Progress } from './make-progress.ts'
import type { PostFirstMessage } from './post-once.ts'
import type { RemoveAnswer } from './remove-answer.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** What a delivery needs. */
export interface DeliveryDeps {
  /** For what is not worth a second try. */
  readonly noRetryClient: WebClient
  readonly change: UpdateMessage
  readonly progress: Progress
  readonly postOnce: PostFirstMessage
  readonly outbound: Pick<OutboundMessageLog, 'find'>
  readonly findAnswered: FindAnsweredQuestion
  readonly answerMessage: AnswerMessage
  readonly loadResult: LoadResult
  readonly remove: RemoveAnswer
  /** Example questions for the help that an empty mention gets. */
  readonly examples: (database: string) => Promise<readonly string[]>
  readonly log: Log
}

/** Makes the delivery into Slack: one message a question, posted once and changed from then on. */
export const makeDelivery = (deps: DeliveryDeps): Delivery => {
  const { postOnce, change, log } = deps

  const viewOf = async ({ question }: LocatedQuestion, { outcome }: AnswerReport): Promise<SlackMessage> => {
    if (question.text === '') return helpView(question.database, await deps.examples(question.database))
    switch (outcome.status) {
      case 'answered': {
        const answered = await deps.findAnswered(question.id)
        if (!answered) throw new Error(`the answer of question ${question.id} is not stored`)
        return deps.answerMessage(answered)
      }
      case 'needs-clarification':
        return clarificationView(question.id, outcome.clarification)
      case 'refused':
        return refusalView(outcome)
      case 'failed':
        return failureView(outcome)
      default: {
        const never: never = outcome
        return never
      }
    }
  }

  /** Puts the end of a question in the place of its first message; what shows progress has nothing more to say. */
  const putEnd = async (placed: LocatedQuestion, message: SlackMessage): Promise<void> => {
    await deps.progress.close(placed.question.id)
    const { ts } = await postOnce(placed, message)
    await change({ channel: placed.place.channel, ts }, message)
  }

  return {
    acknowledge: ({ channel, thread }) => {
      const status = { channel_id: channel, thread_ts: thread, status: 'is reading the question…' }
      const shown = deps.noRetryClient.assistant.threads.setStatus(status)
      shown.catch((error: unknown) => log.debug({ error }, 'the status could not be shown'))
    },

    begin: async placed => {
      const { id } = placed.question
      const first = await postOnce(placed, progressView(initialTimeline, id), { stream: true })
      deps.progress.open(id, placed.place.channel, first)
    },

    progress: ({ question }, event) => deps.progress.event(question.id, event),

    settle: questionId => deps.progress.close(questionId),

    finish: async (placed, report) => putEnd(placed, await viewOf(placed, report)),

    stopped: (placed, by) => putEnd(placed, stoppedView(placed.question.text, by)),

    refresh: async questionId => {
      const answered = await deps.findAnswered(questionId)
      const posted = await deps.outbound.find(questionId, 'reply')
      if (!answered || !posted?.ts) return
      // Rows are kept for a while only. The message still has its table: without the rows it is left as it is.
      if ((await deps.loadResult(answered.resultId)) === null) return
      try {
        await change({ channel: posted.channel, ts: posted.ts }, await deps.answerMessage(answered))
      } catch (error) {
        if (slackErrorCode(error) !== 'message_not_found') throw error
        log.info({ questionId }, 'an answer that somebody has deleted is not shown again')
      }
    },

    remove: deps.remove,
  }
}
