/** What a workspace gave when the app was installed there; its tokens are never kept in the clear. */
export interface Installation {
  readonly team: string
  readonly teamName: string
  /** The app's own user and bot there, by which its own messages are told from those of people. */
  readonly botUserId: string
  readonly botId: string
  readonly scopes: readonly string[]
  /** Its `BotCredentials`, as `Sealer` sealed them for `team`. */
  readonly sealed: string
  /** When the token expires; null where tokens of the app do not. */
  readonly expiresAt: Date | null
  readonly installedAt: Date
  /** Why the token could not be exchanged for the next one; null while that works. */
  readonly failure: { readonly reason: string; readonly at: Date } | null
}

/** The token that Slack is called with, and the one that buys the next: that one can be used once. */
export interface BotCredentials {
  readonly token: string
  readonly refreshToken: string | null
}

/** Who the bot is in a workspace, and what it calls Slack with there. */
export interface BotAccount extends Pick<Installation, 'team' | 'botUserId' | 'botId'> {
  readonly token: string
}

/** Finds the account for a workspace. Rejects with `not-installed` where the app is not installed. */
export type FindBotAccount = (team: string) => Promise<BotAccount>

/**
 * Makes secrets unreadable for whoever has the store alone. `boundTo` says whose a secret is: it opens for nobody else,
 * so that a row that is copied to another one's place opens nowhere.
 */
export interface Sealer {
  seal(plain: string, boundTo: string): string
  /** Throws `bad-configuration` where the key is not known, or where what was sealed is not what is opened. */
  open(sealed: string, boundTo: string): string
  /** Whether it is sealed with the key that new ones are sealed with. */
  isCurrent(sealed: string): boolean
}

/** A workspace that asks for the bot, as Slack tells of it after somebody has agreed. */
export interface NewInstallation {
  /** Null where the app is installed for a whole organisation. */
  readonly team: string | null
  readonly teamName: string
  /** Null where no bot was installed. */
  readonly bot: {
    readonly userId: string
    readonly id: string
    readonly scopes: readonly string[]
    readonly credentials: BotCredentials
    readonly expiresAt: Date | null
  } | null
}

/** Whether a workspace may have the bot: a reason and the one next step where not. */
export type CheckInstallation = (
  asked: Pick<NewInstallation, 'team' | 'teamName' | 'bot'>,
) =>
  | { readonly status: 'allowed' }
  | { readonly status: 'refused'; readonly reason: string; readonly nextStep: string }

/** Ends what the bot does in a workspace that removed it then. False where it was not there, or is again. */
export type RemoveInstallation = (team: string, removedAt: Date) => Promise<boolean>
