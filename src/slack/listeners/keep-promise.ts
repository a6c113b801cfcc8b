import type { WebClient } from '@slack/web-api'
import type { PendingQuestion } from '../../core/promised-question.ts'
import { slackErrorCode } from '../delivery/slack-error-code.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { askOnBehalf } from './ask-as-person.ts'

/** Slack lets nobody into a channel whom nobody invited. */
export const channelAbsentCodes: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
])

/**
 * Asks a promised question that nobody came to ask, because the process that acknowledged it died. Who was told
 * something else in the meantime is left alone, and so is whoever cannot be answered where they asked.
 */
export const makeAskPendingQuestion =
  (useCases: Pick<SlackUseCases, 'ask' | 'whyMayNotAsk' | 'promises'>, client: WebClient) =>
  async (promised: PendingQuestion): Promise<void> => {
    const { key, person } = promised
    if (!(await useCases.promises.isOpen(key))) return
    try {
      const channel =
        promised.channel ?? (await client.conversations.open({ users: person })).channel?.id ?? null
      if (channel !== null) await askOnBehalf(useCases, client, { ...promised, channel })
    } catch (error) {
      if (!channelAbsentCodes.has(slackErrorCode(error) ?? '')) throw error
    }
  }
