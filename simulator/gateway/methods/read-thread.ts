import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'

interface StoredMessage {
  readonly ts: string
  readonly metadata?: unknown
}

/**
 * `conversations.replies` and `conversations.history`: what the emulator has stored, without files that are still being
 * processed, and with metadata only where it was asked for, as in Slack.
 */
export const makeReadThread =
  (workspace: Workspace, method: 'conversations.replies' | 'conversations.history'): ApiMethod =>
  async params => {
    const answer = await workspace.callEmulator(method, params, workspace.bot.token)
    if (!answer.ok) return answer
    const withMetadata = String(params.include_all_metadata) === 'true'
    const messages = (answer.messages as readonly StoredMessage[])
      .filter(({ ts }) => workspace.messages.find(String(params.channel), ts) !== null)
      .map(({ metadata, ...message }) => (withMetadata && metadata ? { ...message, metadata } : message))
    if (method === 'conversations.replies' && messages.length === 0) return refuse('thread_not_found')
    return { ...answer, messages }
  }
