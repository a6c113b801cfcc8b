import { judgeMessage } from '../../messaging/judge-message.ts'
import type { Messaging } from '../../messaging/make-messaging.ts'
import { withBlockIds } from '../../messaging/with-block-ids.ts'
import type { Block } from '../../shapes/message.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'

/** `chat.postEphemeral`: a message for one person, without an event. */
export const makePostEphemeral =
  (workspace: Workspace, messaging: Messaging): ApiMethod =>
  async params => {
    const { bot, problems, now } = workspace
    const judged = judgeMessage(params, workspace.files)
    if (judged.problems.length > 0) {
      problems.add({ at: now().getTime(), method: 'chat.postEphemeral', ...judged, sent: params })
    }
    if (judged.error) return refuse(judged.error, judged.problems)
    const blocks = withBlockIds((params.blocks ?? []) as readonly Block[])
    const sent = { ...params, ...(blocks.length > 0 ? { blocks } : {}) }
    const answer = await workspace.callEmulator('chat.postEphemeral', sent, bot.token)
    if (!answer.ok) return answer
    messaging.add({
      channel: String(params.channel),
      ts: String(answer.message_ts),
      threadTs: typeof params.thread_ts === 'string' && params.thread_ts !== '' ? params.thread_ts : null,
      author: bot.id,
      byBot: true,
      text: String(params.text ?? ''),
      blocks,
      onlyFor: String(params.user),
    })
    return answer
  }
