import type { RecordedMessage } from './message.ts'
import type { Channel, Person } from './people.ts'
import type { OpenView } from './view.ts'

/** The line under a thread while the bot works: "querent is …". */
export interface ThreadStatus {
  readonly channel: string
  readonly threadTs: string
  readonly text: string
}

/** Questions to start with, above the field of direct messages. */
export interface SuggestedPrompts {
  readonly channel: string
  readonly title: string | null
  readonly prompts: readonly { readonly title: string; readonly message: string }[]
}

/** What a thread of direct messages is called. */
export interface ThreadTitle {
  readonly channel: string
  readonly threadTs: string
  readonly title: string
}

/** All that the page shows to one person. */
export interface Snapshot {
  readonly team: string
  readonly bot: Person
  readonly people: readonly Person[]
  readonly me: string
  readonly channels: readonly Channel[]
  readonly messages: readonly RecordedMessage[]
  readonly statuses: readonly ThreadStatus[]
  readonly prompts: readonly SuggestedPrompts[]
  readonly titles: readonly ThreadTitle[]
  /** The topmost modal of this person. */
  readonly modal: OpenView | null
  readonly home: OpenView | null
  /** Slash commands that exist here. */
  readonly commands: readonly string[]
  /** How many messages or views of the bot were refused or doubtful so far. */
  readonly problems: number
}
