import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { SlackMessage } from '../check-message.ts'
import { sendWithFallbacks } from './send-down-the-ladder.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Where a message stands. */
export interface MessageRef {
  readonly channel: string
  readonly ts: string
}

/** Puts a message in the place of one that is there. Harmless when repeated. */
export type UpdateMessage = (at: MessageRef, message: SlackMessage, through?: WebClient) => Promise<void>

/**
 * Makes it. A message that still streams takes no change: its stream is ended first, whoever began it, this process or
 * one that died.
 */
export const makeUpdateMessage =
  (deps: { readonly client: WebClient; readonly log: Log }): UpdateMessage =>
  async (at, message, through = deps.client) => {
    const update = ({ text, blocks }: SlackMessage): Promise<unknown> =>
      through.chat.update({ ...at, text, blocks: [...blocks] as never })
    try {
      await sendWithFallbacks(message, update, deps.log)
    } catch (error) {
      if (slackErrorCode(error) !== 'streaming_state_conflict') throw error
      await endStream(through, at)
      await sendWithFallbacks(message, update, deps.log)
    }
  }

/** Ends a stream that may have ended already: Slack ends them by itself after about five minutes. */
export const endStream = async (through: WebClient, at: MessageRef): Promise<void> => {
  try {
    await through.chat.stopStream({ ...at })
  } catch (error) {
    if (slackErrorCode(error) === null) throw error
  }
}
