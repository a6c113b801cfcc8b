import type { WebClient } from '@slack/web-api'
import type { AnswerReport, FindAnsweredQuestion } from '../../domain/answer.ts'
import { failureText } from '../../domain/answer-wording/unanswered.ts'
import type { Delivery, LocatedQuestion, OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { LoadResult } from '../../domain/result.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { assistantStatus, questionDeletedText } from '../copy/answer.ts'
import { initialTimeline, progressView, stoppedView } from '../views/progress.ts'
import { clarificationView, failureView, helpView, refusalView } from '../views/replies.ts'
import type { BuildAnswerMessage } from './answer-message.ts'
import { slackErrorCode } from './client.ts'
import type { PostFirstMessage } from './first-message.ts'
import type { UpdateMessage } from './post-message.ts'
import type { Progress } from './progress.ts'

/** What a delivery needs. */
interface DeliveryDeps {
  /** For calls that are not worth a retry. */
  readonly noRetryClient: WebClient
  readonly update: UpdateMessage
  readonly progress: Progress
  readonly postFirst: PostFirstMessage
  readonly outbound: Pick<OutboundMessageLog, 'find'>
  readonly findAnswered: FindAnsweredQuestion
  readonly buildMessage: BuildAnswerMessage
  readonly loadResult: LoadResult
  readonly remove: RemoveAnswer
  /** Example questions for the help that an empty mention gets. */
  readonly examples: (database: string) => Promise<readonly string[]>
  readonly log: Log
}

/** Delivers to Slack: one message per question, posted once and updated from then on. */
export const makeDelivery = (deps: DeliveryDeps): Delivery => {
  const { postFirst, update, log } = deps

  const viewOf = async ({ question }: LocatedQuestion, { outcome }: AnswerReport): Promise<SlackMessage> => {
    if (question.text === '') return helpView(question.database, await deps.examples(question.database))
    switch (outcome.status) {
      case 'answered': {
        const answered = await deps.findAnswered(question.id)
        if (!answered) throw new Error(`the answer of question ${question.id} is not stored`)
        return deps.buildMessage(answered)
      }
      case 'needs-clarification':
        return clarificationView(question.id, outcome.clarification)
      case 'refused':
        return refusalView(outcome)
      case 'failed':
        return failureView(failureText(outcome.why))
      default: {
        const never: never = outcome
        return never
      }
    }
  }

  /** Replaces the first message of a question with its outcome, and ends its progress. */
  const showOutcome = async (placed: LocatedQuestion, message: SlackMessage): Promise<void> => {
    await deps.progress.close(placed.question.id)
    const { ts } = await postFirst(placed, message)
    await update({ channel: placed.location.channel, ts }, message)
  }

  return {
    acknowledge: ({ channel, thread }) => {
      const status = { channel_id: channel, thread_ts: thread, status: assistantStatus }
      const shown = deps.noRetryClient.assistant.threads.setStatus(status)
      shown.catch((error: unknown) => log.debug({ error }, 'the status could not be shown'))
    },

    begin: async placed => {
      const { id } = placed.question
      const first = await postFirst(placed, progressView(initialTimeline, id), { stream: true })
      deps.progress.open(id, placed.location.channel, first)
    },

    progress: ({ question }, event) => deps.progress.event(question.id, event),

    settle: questionId => deps.progress.close(questionId),

    finish: async (placed, report) => showOutcome(placed, await viewOf(placed, report)),

    stopped: (placed, by) => showOutcome(placed, stoppedView(placed.question.text, by)),

    refresh: async questionId => {
      const answered = await deps.findAnswered(questionId)
      const posted = await deps.outbound.find(questionId, 'reply')
      if (!answered || !posted?.ts) return
      // Rows are stored for a while only. Without them the message is left as it is: it still has its table.
      if ((await deps.loadResult(answered.resultId)) === null) return
      try {
        await update({ channel: posted.channel, ts: posted.ts }, await deps.buildMessage(answered))
      } catch (error) {
        if (slackErrorCode(error) !== 'message_not_found') throw error
        log.info({ questionId }, 'an answer was deleted in Slack and is not shown again')
      }
    },

    remove: deps.remove,
  }
}

/** Deletes the message of a question. Does nothing if there is none, or if it is already gone. */
export type RemoveAnswer = (questionId: string) => Promise<void>

/** Slack's codes for a message that is already gone. */
const alreadyDeletedCodes = new Set(['message_not_found', 'thread_not_found', 'channel_not_found'])

/** If a message cannot be deleted, it is changed to say that its question was. */
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
      await deps.client.chat.update({ channel, ts, text: questionDeletedText, blocks: [] })
    }
  }
