/** A block as it was sent; which fields it has depends on its type. */
export interface Block {
  readonly type: string
  readonly block_id?: string
  readonly [field: string]: unknown
}

/** A file as it stands in a message. Its content is at `/files/<id>` of the simulator. */
export interface SharedFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly mimetype: string
  /** In bytes. */
  readonly size: number
}

/** One line of the timeline or plan that a streaming message shows. */
export interface StreamTask {
  readonly id: string
  readonly title: string
  readonly status: 'pending' | 'in_progress' | 'complete' | 'error'
  readonly details?: string
  readonly output?: string
}

/** What a streaming message has beside an ordinary one. An expired stream takes neither more text nor a stop. */
export interface StreamState {
  readonly state: 'streaming' | 'stopped' | 'expired'
  readonly markdown: string
  readonly planTitle: string | null
  readonly tasks: readonly StreamTask[]
}

/** How a message looked after one change, oldest first in its history. */
export interface MessageVersion {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: 'post' | 'update' | 'stream' | 'response-url' | 'delete'
  readonly text: string
  readonly blocks: readonly Block[]
}

/** A message of the workspace, with everything it ever was. */
export interface RecordedMessage {
  readonly channel: string
  /** Slack's id of a message within its channel. */
  readonly ts: string
  /** The first message of the thread it belongs to; null at the top level. */
  readonly threadTs: string | null
  /** User id, the bot's own included. */
  readonly author: string
  readonly byBot: boolean
  readonly text: string
  readonly blocks: readonly Block[]
  readonly files: readonly SharedFile[]
  readonly metadata: unknown
  /** The one person who sees it, for an ephemeral message. */
  readonly onlyFor: string | null
  readonly edited: boolean
  readonly deleted: boolean
  readonly stream: StreamState | null
  readonly history: readonly MessageVersion[]
}
