import type { WebClient } from '@slack/web-api'
import type { AnswerReport, FindAnsweredQuestion } from '../../domain/answer.ts'
import type { Delivery, LocatedQuestion, OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { LoadResult } from '../../domain/result.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { clarificationView } from '../views/clarification.ts'
import { failureView, refusalView } from '../views/errors.ts'
import { helpView } from '../views/help.ts'
import { initialTimeline, progressView, stoppedView } from '../views/progress.ts'
import type { AnswerMessage } from './answer-message.ts'
import type { PostFirstMessage } from './first-message.ts'
import type { UpdateMessage } from './post-message.ts'
import type { Progress } from './progress.ts'
import { slackErrorCode } from './slack-errors.ts'

/** What a delivery needs. */
interface DeliveryDeps {
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
    await change({ channel: placed.location.channel, ts }, message)
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
      deps.progress.open(id, placed.location.channel, first)
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

/** Takes the message of a question away. Nothing happens when there is none, or when it is gone already. */
export type RemoveAnswer = (questionId: string) => Promise<void>

/** Codes by which Slack says that there is nothing left to delete. */
const alreadyDeletedCodes = new Set(['message_not_found', 'thread_not_found', 'channel_not_found'])

/** Makes it. Where a message may not be deleted it says that its question was. */
export const makeRemoveAnswer =
  (deps: { readonly client: WebClient; readonly outbound: Pick<OutboundMessageLog, 'find'> }): RemoveAnswer =>
  async questionId => {
    const posted = await deps.outbound.find(questionId, 'reply')
    if (!posted?.ts) return
    const { channel, ts } = posted
    try {
      await deps.client.chat.delete({ channel, ts })
    } catch (error) {
      const code = slackErrorCode(error)
      if (code !== null && alreadyDeletedCodes.has(code)) return
      if (code !== 'cant_delete_message') throw error
      const text = 'The question was deleted, and its answer with it.'
      await deps.client.chat.update({ channel, ts, text, blocks: [] })
    }
  }
