import type { SlackLocation } from '../message.ts'
import type { StrategyName } from '../strategies/strategy.ts'
import type { DataRights, RightsSettings } from './data-rights.ts'

/** A person who asks or wants to see rows, and where. */
export interface Asker {
  readonly person: string
  readonly location: Pick<SlackLocation, 'team' | 'channel'>
}

/** What the platform says about a person. */
export interface PersonFacts {
  readonly id: string
  /** The workspaces the person belongs to; empty if the platform does not say. */
  readonly teams: readonly string[]
  /** Invited to single channels only. */
  readonly isGuest: boolean
  /** The account was closed. */
  readonly hasLeft?: true
  readonly isBot?: true
  /** The address in their profile; left out if the platform does not say. */
  readonly email?: string
}

/** What the platform says about a channel or a direct conversation with the bot. */
export interface ChannelFacts {
  readonly id: string
  /** Without `#`; null for direct messages. */
  readonly name: string | null
  readonly kind: 'channel' | 'direct'
  /** People of other companies or workspaces are members. */
  readonly isShared: boolean
}

/**
 * How long to wait for facts: as long as a job has time (`patient`), or as long as the platform waits for the bot
 * (`quick`).
 */
export type LookupPatience = 'quick' | 'patient'

/** Looks up facts on the platform. Rejects if the platform does not answer. */
export interface AccessFactSource {
  person(id: string, patience: LookupPatience): Promise<PersonFacts>
  channel(id: string, patience: LookupPatience): Promise<ChannelFacts>
  /** The members of a user group. */
  members(groupId: string, patience: LookupPatience): Promise<readonly string[]>
  /** Whether a person is in a channel. For a private channel this is known only if the bot is in it too. */
  isIn(person: string, channel: string, patience: LookupPatience): Promise<boolean>
  /** The channels that both the person and the bot are in. */
  channelsOf(person: string, patience: LookupPatience): Promise<readonly ChannelFacts[]>
  /** All members of a channel, bots among them. */
  channelMembers(channel: string, patience: LookupPatience): Promise<readonly string[]>
}

/** What one location may do: which database it asks, and who can ask there. */
export interface LocationSettings {
  /** As `formatDatabaseRef` writes it, with the glossary of the location. */
  readonly database: string
  /** Ids of people and user groups; null if everyone there can ask. */
  readonly mayAsk: readonly string[] | null
  readonly guests: boolean
  /** How questions there are answered; as everywhere if left out. */
  readonly strategy?: StrategyName
  /** Whether people of other companies or workspaces can ask, and channels shared with them. */
  readonly outsiders: boolean
  /** The group whose rights its members are said to have; without it, the members' own count. */
  readonly audience?: string
}

/** Where questions are answered. Nothing is answered in a location that is null. */
export interface AccessSettings {
  /** By channel id or name. */
  readonly channels: Readonly<Record<string, LocationSettings>>
  readonly otherChannels: LocationSettings | null
  readonly directMessages: LocationSettings | null
  /** A database name for the example shown to admins who still have to configure a channel. */
  readonly exampleDatabase: string
  /** Who sees what in which database, in order; empty if everyone who can ask sees the same rows. */
  readonly rights: RightsSettings
}

/** Why a person gets no answer. */
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
  | 'other-rights'
  | 'no-rights'
  | 'unknown-facts'

/** Shown to the person: the reason and one next step. */
export interface AccessRefusal {
  readonly status: 'refused'
  readonly code: AccessRefusalCode
  readonly reason: string
  readonly nextStep: string
}

/**
 * Whether a person can ask in a location, and which database. `unknown`: the platform did not provide what the decision
 * needs; `database` is set if it is certain all the same. Code that shows rows treats `unknown` as a refusal.
 */
export type Access =
  | { readonly status: 'allowed'; readonly database: string; readonly strategy?: StrategyName }
  | AccessRefusal
  | {
      readonly status: 'unknown'
      readonly database: string | null
      readonly reason: string
      readonly nextStep: string
    }

/** A person is not allowed to do something: the reason and one next step. */
export interface NotAllowed {
  readonly status: 'not-allowed'
  readonly reason: string
  readonly nextStep: string
}

/**
 * Decides whether a person can ask. `database` is the database and rights that an old answer comes from: the location
 * must ask it still, and the person must see as much. `asks`: the database that the location must ask, whatever the
 * person sees of it. `asMember`: the person must be a member of the channel too. Anyone who
 * writes there is one; anyone can name a channel.
 */
export type CheckAccess = (
  asker: Asker & { readonly database?: string; readonly asks?: string },
  options?: { readonly patience?: LookupPatience; readonly asMember?: true },
) => Promise<Access>

/**
 * A short text for what a person can see in a location. Two people with the same fingerprint see the same rows, so an
 * answer for one can be shown to the other. Null if the person is not allowed to ask, or if that is unknown.
 */
export type RightsFingerprint = (asker: Asker) => Promise<string | null>

/** The databases a person can ask in a workspace, each listed once with its channels. */
type ReachableDatabases = (
  asker: Pick<Asker, 'person'> & { readonly team: string; readonly patience?: LookupPatience },
) => Promise<
  readonly {
    readonly database: string
    /** Channel names without `#`. */
    readonly channels: readonly string[]
    readonly direct: boolean
  }[]
>

/**
 * What a person sees of a database. `open`: everything that the connection sees. `closed`: some group names the
 * database, and the person is in none of them, or their group's conditions cannot be filled in.
 */
export type DatabaseAccess =
  | { readonly kind: 'open'; readonly group: string | null }
  | { readonly kind: 'restricted'; readonly rights: DataRights }
  | { readonly kind: 'closed'; readonly reason: string }

/** Decides what a person sees of a database, given by its bare name. Rejects if the platform does not answer. */
export type FindDatabaseAccess = (
  asker: { readonly person: string; readonly team: string; readonly database: string },
  options?: { readonly patience?: LookupPatience },
) => Promise<DatabaseAccess>

/** Who may see an answer in a channel. `without`: how many members may not; null if that is not known. */
export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'some'; readonly without: number | null }

/**
 * Whether everyone in a channel may see rows of a database, read under the rights in its reference. `isFresh`: who is
 * in the channel is looked up now, and not up to some minutes old. Rejects only with `mustKnow`: otherwise what Slack
 * does not tell counts as no.
 */
export type CheckAudience = (
  answer: { readonly team: string; readonly channel: string; readonly database: string },
  options?: {
    readonly patience?: LookupPatience
    readonly isFresh?: boolean
    readonly mustKnow?: boolean
  },
) => Promise<Audience>

/** Who can do what where. */
export interface AccessControl {
  readonly mayAsk: CheckAccess
  readonly audience: CheckAudience
  readonly databaseAccess: FindDatabaseAccess
  /** Whether a person can look at answers in the review channel, whatever database that channel asks. */
  readonly canReview: CheckAccess
  readonly rightsFingerprint: RightsFingerprint
  readonly reachableDatabases: ReachableDatabases
}
