import { judgeMessage } from '../../messaging/judge-message.ts'
import type { Messaging } from '../../messaging/make-messaging.ts'
import { withBlockIds } from '../../messaging/with-block-ids.ts'
import type { Block } from '../../shapes/message.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'

/** `chat.postMessage`: checks a message, stores it in the emulator, records it, and sends the bot its event. */
export const makePostMessage =
  (workspace: Workspace, messaging: Messaging): ApiMethod =>
  async params => {
    const { bot, problems, now } = workspace
    const judged = judgeMessage(params, workspace.files)
    if (judged.problems.length > 0) {
      problems.add({ at: now().getTime(), method: 'chat.postMessage', ...judged, sent: params })
    }
    if (judged.error) return refuse(judged.error, judged.problems)
    const blocks = withBlockIds((params.blocks ?? []) as readonly Block[])
    const sent = { ...params, ...(blocks.length > 0 ? { blocks } : {}), bot_id: bot.botId }
    const answer = await workspace.callEmulator('chat.postMessage', sent, bot.token)
    if (!answer.ok) return answer
    messaging.add({
      channel: String(answer.channel),
      ts: String(answer.ts),
      threadTs: typeof params.thread_ts === 'string' && params.thread_ts !== '' ? params.thread_ts : null,
      author: bot.id,
      byBot: true,
      text: String(params.text ?? ''),
      blocks,
      metadata: params.metadata ?? null,
    })
    return answer
  }
