import type { Messaging } from '../../messaging/make-messaging.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'
import { makeAgentViewMethods } from './agent-view.ts'
import { makeCompleteUpload } from './complete-upload.ts'
import { makeDeleteFile } from './delete-file.ts'
import { makeDeleteMessage } from './delete-message.ts'
import { makeListConversations } from './list-conversations.ts'
import { makeDescribePeopleAndChannels } from './people-and-channels.ts'
import { makePostEphemeral } from './post-ephemeral.ts'
import { makePostMessage } from './post-message.ts'
import { makeReadThread } from './read-thread.ts'
import { makeSetStatus } from './set-status.ts'
import { makeStreams } from './streams.ts'
import { makeUpdateMessage } from './update-message.ts'
import { makeViewMethods } from './views.ts'

/** The methods that the gateway answers or inspects. The emulator answers all others. */
export const makeApiMethods = (
  workspace: Workspace,
  messaging: Messaging,
): ReadonlyMap<string, ApiMethod> => {
  const streams = makeStreams(workspace, messaging)
  const views = makeViewMethods(workspace)
  const agentView = makeAgentViewMethods(workspace)
  const facts = makeDescribePeopleAndChannels(workspace)
  return new Map<string, ApiMethod>([
    ['chat.postMessage', makePostMessage(workspace, messaging)],
    ['chat.postEphemeral', makePostEphemeral(workspace, messaging)],
    ['chat.update', makeUpdateMessage(workspace, messaging)],
    ['chat.delete', makeDeleteMessage(workspace, messaging)],
    ['chat.startStream', streams.start],
    ['chat.appendStream', streams.append],
    ['chat.stopStream', streams.stop],
    ['assistant.threads.setStatus', makeSetStatus(workspace)],
    ['assistant.threads.setSuggestedPrompts', agentView.suggest],
    ['assistant.threads.setTitle', agentView.name],
    ['conversations.replies', makeReadThread(workspace, 'conversations.replies')],
    ['conversations.history', makeReadThread(workspace, 'conversations.history')],
    ['users.conversations', makeListConversations(workspace)],
    ['users.info', facts.user],
    ['conversations.info', facts.channel],
    ['conversations.members', facts.members],
    ['usergroups.users.list', facts.group],
    ['views.open', views.open],
    ['views.push', views.push],
    ['views.update', views.update],
    ['views.publish', views.publish],
    ['files.delete', makeDeleteFile(workspace, messaging)],
    ['files.completeUploadExternal', makeCompleteUpload(workspace, messaging)],
    // Socket Mode is not simulated.
    ['apps.connections.open', async () => refuse('not_supported')],
  ])
}
