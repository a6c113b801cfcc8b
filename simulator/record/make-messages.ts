import type { MessageVersion, RecordedMessage } from '../shapes/message.ts'

type What = Pick<RecordedMessage, 'channel' | 'ts' | 'threadTs' | 'author' | 'byBot' | 'text' | 'blocks'>
type Extras = Partial<Pick<RecordedMessage, 'files' | 'metadata' | 'onlyFor' | 'stream'>>
type Change = Partial<
  Pick<RecordedMessage, 'text' | 'blocks' | 'edited' | 'deleted' | 'stream' | 'metadata' | 'files'>
>

/** All messages of the workspace with their histories. */
export interface Messages {
  add(message: What & Extras): RecordedMessage
  /** Changes a message and remembers how it looked; null if there is none such. */
  change(channel: string, ts: string, by: MessageVersion['by'], change: Change): RecordedMessage | null
  find(channel: string, ts: string): RecordedMessage | null
  /** The first message of a thread and its replies, in order, without deleted ones. */
  thread(channel: string, threadTs: string): readonly RecordedMessage[]
  /** In the order in which they came. */
  all(): readonly RecordedMessage[]
}

export const makeMessages = (options: {
  readonly now: () => Date
  readonly changed: () => void
}): Messages => {
  const messages = new Map<string, RecordedMessage>()
  const key = (channel: string, ts: string): string => `${channel}:${ts}`
  const version = (by: MessageVersion['by'], { text, blocks }: RecordedMessage): MessageVersion => ({
    at: options.now().getTime(),
    by,
    text,
    blocks,
  })
  const keep = (message: RecordedMessage): RecordedMessage => {
    messages.set(key(message.channel, message.ts), message)
    options.changed()
    return message
  }
  return {
    add: given => {
      const message: RecordedMessage = {
        files: [],
        metadata: null,
        onlyFor: null,
        stream: null,
        ...given,
        edited: false,
        deleted: false,
        history: [],
      }
      return keep({ ...message, history: [version(given.stream ? 'stream' : 'post', message)] })
    },
    change: (channel, ts, by, change) => {
      const before = messages.get(key(channel, ts))
      if (!before) return null
      const after = { ...before, ...change }
      return keep({ ...after, history: [...before.history, version(by, after)] })
    },
    find: (channel, ts) => messages.get(key(channel, ts)) ?? null,
    thread: (channel, threadTs) =>
      [...messages.values()].filter(
        message =>
          message.channel === channel &&
          !message.deleted &&
          (message.ts === threadTs || message.threadTs === threadTs),
      ),
    all: () => [...messages.values()],
  }
}
