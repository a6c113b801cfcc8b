import { judgeMessage } from '../../messaging/judge-message.ts'
import type { Messaging } from '../../messaging/make-messaging.ts'
import { withBlockIds } from '../../messaging/with-block-ids.ts'
import type { Block } from '../../shapes/message.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'
import { isStreaming } from './is-streaming.ts'

/**
 * `chat.update`: new text without blocks takes the old blocks away, as in Slack. A message that streams is refused; one
 * whose stream was stopped or has expired is changed like any other.
 */
export const makeUpdateMessage =
  (workspace: Workspace, messaging: Messaging): ApiMethod =>
  async params => {
    const { bot, problems, now } = workspace
    const judged = judgeMessage(params, workspace.files)
    if (judged.problems.length > 0) {
      problems.add({ at: now().getTime(), method: 'chat.update', ...judged, sent: params })
    }
    if (judged.error) return refuse(judged.error, judged.problems)
    const known = workspace.messages.find(String(params.channel), String(params.ts))
    if (known && isStreaming(known, workspace)) return refuse('streaming_state_conflict')
    const blocks = withBlockIds((params.blocks ?? []) as readonly Block[])
    const answer = await workspace.callEmulator('chat.update', { ...params, blocks }, bot.token)
    if (!answer.ok) return answer
    messaging.change(String(answer.channel), String(answer.ts), 'update', {
      ...(typeof params.text === 'string' ? { text: params.text } : {}),
      blocks,
      edited: true,
      stream: null,
      ...(params.metadata === undefined ? {} : { metadata: params.metadata }),
    })
    return answer
  }
