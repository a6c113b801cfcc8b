import type { RecordedMessage } from '../../shapes/message.ts'
import type { Workspace } from '../../workspace.ts'

/** Whether a streaming message still accepts chunks: it was not stopped and has not expired by the workspace's clock. */
export const isStreaming = (
  message: RecordedMessage,
  { now, timing }: Pick<Workspace, 'now' | 'timing'>,
): boolean => {
  const began = message.history[0]?.at ?? 0
  return message.stream?.state === 'streaming' && now().getTime() - began < timing.streamLasts
}
