import type { RecordedMessage } from '../../shapes/message.ts'
import type { Workspace } from '../../workspace.ts'

/** Whether a message still takes pieces of a stream: it was not stopped, and by the workspace's clock it has not expired. */
export const isStreaming = (
  message: RecordedMessage,
  { now, timing }: Pick<Workspace, 'now' | 'timing'>,
): boolean => {
  const began = message.history[0]?.at ?? 0
  return message.stream?.state === 'streaming' && now().getTime() - began < timing.streamLasts
}
