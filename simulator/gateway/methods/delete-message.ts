import type { Messaging } from '../../messaging/make-messaging.ts'
import type { Workspace } from '../../workspace.ts'
import type { ApiMethod } from '../api-method.ts'

/** `chat.delete`: removes a message from the page; the record keeps it. */
export const makeDeleteMessage =
  (workspace: Workspace, messaging: Messaging): ApiMethod =>
  async params => {
    const answer = await workspace.callEmulator('chat.delete', params, workspace.bot.token)
    if (answer.ok) {
      messaging.change(String(params.channel), String(params.ts), 'delete', {
        deleted: true,
        text: '',
        blocks: [],
      })
    }
    return answer
  }
