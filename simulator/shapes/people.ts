/** Somebody of the workspace. */
export interface Person {
  readonly id: string
  readonly name: string
  /** As in `@handle`. */
  readonly handle: string
  /** `outsider`: of another company, met in a shared channel. */
  readonly kind?: 'member' | 'guest' | 'outsider'
}

/** A place to write: a channel, or somebody's direct messages with the bot. */
export interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: 'channel' | 'direct'
  /** Whose direct messages these are. */
  readonly person: string | null
  /** Ids of who is in it; everybody where none are named. Somebody may join. */
  members?: readonly string[]
  /** Another company is in it. */
  readonly isShared?: boolean
}
