import type { WebClient } from '@slack/web-api'
import type { AnswerReport, FindAnsweredQuestion } from '../../domain/answer.ts'
import { failureText } from '../../domain/answer-wording/unanswered.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { Delivery, LocatedQuestion, OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { LoadResult } from '../../domain/result.ts'
import { toOneLine } from '../../lib/format-cell.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { truncateText } from '../block-kit/text.ts'
import { assistantStatus, questionDeletedText } from '../copy/answer.ts'
import { initialTimeline, progressView, stoppedView } from '../views/progress.ts'
import { clarificationView, failureView, helpView, refusalView } from '../views/replies.ts'
import type { BuildAnswerMessage } from './answer-message.ts'
import { slackErrorCode } from './client.ts'
import type { PostFirstMessage } from './first-message.ts'
import type { PlaceOutcome } from './place-answer.ts'
import type { MessageRef, UpdateMessage } from './post-message.ts'
import type { Progress } from './progress.ts'

/** What a delivery needs. */
interface DeliveryDeps {
  /** For calls that are not worth a retry. */
  readonly noRetryClient: WebClient
  readonly update: UpdateMessage
  readonly place: PlaceOutcome
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

/** A longer title would be cut in the list of threads. */
const LONGEST_TITLE = 60

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

  /** Ends the progress of a question. What is shown then takes the place of its first message. */
  const endProgress = async (placed: LocatedQuestion, message: SlackMessage): Promise<string> => {
    await deps.progress.close(placed.question.id)
    return (await postFirst(placed, message)).ts
  }

  /** In direct messages Slack lists threads by title. One that goes on keeps the title of its first question. */
  const nameThread = ({ question, location }: LocatedQuestion): void => {
    const isFirst = location.message.split('/')[0] === location.thread
    if (!location.channel.startsWith('D') || !isFirst || question.text === '') return
    const title = truncateText(toOneLine(question.text), LONGEST_TITLE)
    const named = deps.noRetryClient.assistant.threads.setTitle({
      channel_id: location.channel,
      thread_ts: location.thread,
      title,
    })
    named.catch((error: unknown) => log.debug({ error }, 'the thread could not be named'))
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
      nameThread(placed)
    },

    // What was found on the way can be a value that not everyone there may see.
    progress: ({ question }, event) =>
      deps.progress.event(
        question.id,
        parseDatabaseRef(question.database).rights === null ? event : { ...event, detail: '' },
      ),

    settle: questionId => deps.progress.close(questionId),

    finish: async (placed, report) => {
      const message = await viewOf(placed, report)
      const canPost = report.outcome.status === 'answered'
      await deps.place.show(placed, message, {
        canPost,
        inThread: visible => endProgress(placed, visible),
      })
    },

    stopped: async (placed, by) => {
      const message = stoppedView(placed.question.text, by)
      await update({ channel: placed.location.channel, ts: await endProgress(placed, message) }, message)
    },

    refresh: async questionId => {
      const answered = await deps.findAnswered(questionId)
      const posted = await deps.outbound.find(questionId, 'reply')
      if (!answered || !posted?.ts) return
      // Rows are stored for a while only. Without them the message is left as it is: it still has its table.
      if ((await deps.loadResult(answered.resultId)) === null) return
      try {
        const { ts } = posted
        await deps.place.show(answered, await deps.buildMessage(answered), {
          canPost: true,
          inThread: async () => ts,
        })
      } catch (error) {
        if (slackErrorCode(error) !== 'message_not_found') throw error
        log.info({ questionId }, 'an answer was deleted in Slack and is not shown again')
      }
    },

    share: deps.place.share,

    withhold: async questionId => {
      const answered = await deps.findAnswered(questionId)
      if (!answered) return
      const isStored = (await deps.loadResult(answered.resultId)) !== null
      try {
        await deps.place.withhold(answered, isStored ? await deps.buildMessage(answered) : null)
      } catch (error) {
        if (slackErrorCode(error) !== 'message_not_found') throw error
        log.info({ questionId }, 'an answer was deleted in Slack before it could be withheld')
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
    for (const step of ['private', 'reply']) {
      const posted = await deps.outbound.find(questionId, step)
      if (posted?.ts) await removeMessage(deps.client, { channel: posted.channel, ts: posted.ts })
    }
  }

const removeMessage = async (client: WebClient, { channel, ts }: MessageRef): Promise<void> => {
  try {
    await client.chat.delete({ channel, ts })
  } catch (error) {
    const code = slackErrorCode(error)
    if (code !== null && alreadyDeletedCodes.has(code)) return
    if (code !== 'cant_delete_message') throw error
    await client.chat.update({ channel, ts, text: questionDeletedText, blocks: [] })
  }
}
