import type { WebClient } from '@slack/web-api'
import type { OutboundMessageLog } from '../../core/outbound.ts'
import { slackErrorCode } from './slack-error-code.ts'

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
