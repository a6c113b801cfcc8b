import type { SlackLocation } from './message.ts'

/** Somebody who asks, or wants to see rows, and where. */
export interface Asker {
  readonly person: string
  readonly location: Pick<SlackLocation, 'team' | 'channel'>
}

/** What the platform says of a person. */
export interface PersonFacts {
  readonly id: string
  /** The workspaces that the person is at home in; empty where that is not told. */
  readonly teams: readonly string[]
  /** Invited to single channels. */
  readonly isGuest: boolean
  /** The account was closed. */
  readonly hasLeft?: true
}

/** What the platform says of a channel, or of direct messages with us. */
export interface ChannelFacts {
  readonly id: string
  /** Without `#`; null for direct messages. */
  readonly name: string | null
  readonly kind: 'channel' | 'direct'
  /** People of other companies or workspaces are in it. */
  readonly isShared: boolean
}

/** Facts may be waited for as long as a job has time (`patient`), or as long as the platform waits for us (`quick`). */
export type LookupPatience = 'quick' | 'patient'

/** Asks the platform. Rejects when it does not tell. */
export interface AccessFactSource {
  person(id: string, patience: LookupPatience): Promise<PersonFacts>
  channel(id: string, patience: LookupPatience): Promise<ChannelFacts>
  /** Who is in a user group. */
  members(groupId: string, patience: LookupPatience): Promise<readonly string[]>
  /** Whether a person is in a channel; of a private one only where we are too. */
  isIn(person: string, channel: string, patience: LookupPatience): Promise<boolean>
  /** The channels that both the person and we are in. */
  channelsOf(person: string, patience: LookupPatience): Promise<readonly ChannelFacts[]>
}

/** What one place may do: which database it asks, and who may. */
export interface LocationSettings {
  /** As `formatDatabaseRef` writes it: with the glossary of the place. */
  readonly database: string
  /** Ids of people and of user groups; null for everyone who is there. */
  readonly mayAsk: readonly string[] | null
  readonly guests: boolean
  /** People of other companies or workspaces, and channels shared with them. */
  readonly outsiders: boolean
}

/** Where questions are answered. A null place is one where they are not. */
export interface AccessSettings {
  /** By id or by name. */
  readonly channels: Readonly<Record<string, LocationSettings>>
  readonly otherChannels: LocationSettings | null
  readonly directMessages: LocationSettings | null
  /** A database to name when telling how a channel is given one. */
  readonly exampleDatabase: string
}

/** Why somebody is not answered. */
export type AccessRefusalCode =
  | 'unmapped-channel'
  | 'no-direct-messages'
  | 'shared-channel'
  | 'left'
  | 'outsider'
  | 'guest'
  | 'not-listed'
  | 'not-in-channel'
  | 'other-database'
  | 'unknown-facts'

/** For the person's eyes: what is so, and the one next step. */
export interface AccessRefusal {
  readonly status: 'refused'
  readonly code: AccessRefusalCode
  readonly reason: string
  readonly nextStep: string
}

/**
 * Whether somebody may ask in a place, and of which database. `unknown`: the platform did not tell what it takes to
 * decide; `database` is what the place asks where that is certain. Whoever shows rows takes that for a refusal.
 */
export type Access =
  | { readonly status: 'allowed'; readonly database: string }
  | AccessRefusal
  | {
      readonly status: 'unknown'
      readonly database: string | null
      readonly reason: string
      readonly nextStep: string
    }

/** Somebody may not do something here: what is so, and the one next step. */
export interface NotAllowed {
  readonly status: 'not-allowed'
  readonly reason: string
  readonly nextStep: string
}

/**
 * Decides. `database` is what the place has to ask for the decision to hold: an old answer may be of another. `asMember`:
 * the person has to be in the channel too. Whoever writes there is; who only names it may be anybody.
 */
export type CheckAccess = (
  asker: Asker & { readonly database?: string },
  options?: { readonly patience?: LookupPatience; readonly asMember?: true },
) => Promise<Access>

/**
 * What a person may see in a place, as a short text: two people with equal ones see the same rows, so an answer of one
 * may be shown to the other. Null for somebody who may not ask, or of whom that is not known.
 */
export type RightsFingerprint = (asker: Asker) => Promise<string | null>

/** The databases that a person may ask somewhere, each once, with where. */
type ReachableDatabases = (
  asker: Pick<Asker, 'person'> & { readonly team: string; readonly patience?: LookupPatience },
) => Promise<
  readonly {
    readonly database: string
    /** Names of channels, without `#`. */
    readonly channels: readonly string[]
    readonly direct: boolean
  }[]
>

/** Who may do what where. Callers know nothing of how it is decided. */
export interface AccessControl {
  readonly mayAsk: CheckAccess
  /** Whether somebody may look at answers in the channel that is there for it, whatever database it asks. */
  readonly canReview: CheckAccess
  readonly rightsFingerprint: RightsFingerprint
  readonly reachableDatabases: ReachableDatabases
}
